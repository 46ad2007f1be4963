"""Preparing kernels in the background, so that a server answers while they are compiled."""

import contextlib
import threading
from functools import partial

from bots import make
from phantomgo.app import background
from phantomgo.errors import PhantomGoError


class WarmUp:
    """Threads in which bots prepare for their first attempt.

    The first compilation takes seconds, and later starts have to import the compiler. An attempt
    that is requested meanwhile waits, as numba compiles under a lock.
    """

    def __init__(self) -> None:
        self._threads: dict[tuple[str, int], threading.Thread] = {}

    def begin(self, spec: str, size: int) -> None:
        """Warm up this bot for boards of this size, unless that has begun before."""
        if (spec, size) not in self._threads:
            work = partial(_warm_up, spec, size)
            self._threads[spec, size] = background.start(f"{spec} warms up", work)

    def wait(self) -> None:
        """Wait until everything is ready."""
        for thread in list(self._threads.values()):
            thread.join()


def _warm_up(spec: str, size: int) -> None:
    with contextlib.suppress(PhantomGoError):  # reported when an attempt is asked for
        make(spec, 0).warm_up(size)
