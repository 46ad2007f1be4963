"""The worker's side of a Dask cluster: playing games, and applying functions.

A worker whose sources are not the client's does neither.
"""

import hashlib
import os
import pickle
import socket
import traceback
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from distributed import get_worker

from phantomgo.lab.identity import sources
from phantomgo.lab.run.once import first_alone
from phantomgo.lab.run.tasks import T, Task, carry_out

# Errors travel as values: Dask's client hangs on an exception whose traceback it cannot unpickle.
Answer: TypeAlias = tuple[str, str, str, Any, str | None]
"""A worker's place and Dask address, the digest of its code, its result, and its traceback."""


def perform(code: str, contest: bytes, games: Sequence[Any]) -> Answer:
    """Play games, if the code here is the client's."""

    def play() -> Task:
        with first_alone(hashlib.sha256(code.encode() + contest).hexdigest()):
            return carry_out(_unpacked(contest), games)

    return _answered(code, play)


def apply(code: str, function: Callable[[Any, Any], T], shared: bytes, item: object) -> Answer:
    """Return `function(shared, item)`, if the code here is the client's."""
    return _answered(code, lambda: function(_unpacked(shared), item))


def _answered(code: str, work: Callable[[], Any]) -> Answer:
    where = f"{socket.gethostname()} process {os.getpid()}", get_worker().address
    if sources() != code:
        return *where, sources(), None, None
    try:
        return *where, code, work(), None
    except Exception:
        return *where, code, None, traceback.format_exc()


@lru_cache(2)
def _unpacked(content: bytes) -> Any:
    return pickle.loads(content)
