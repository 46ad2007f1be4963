"""Prepare bots for their first attempt.

If another process already compiles the same kernels, this one waits for it, by a lock in the folder
of machine code (bots/kernels/jit.py).
"""

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Final, TextIO

from bots import make
from phantomgo.game.beginning import Game
from phantomgo.system import lock

PATIENCE: Final = 60.0
"""Seconds until a process compiles although another one seems to."""
_COMPILING: Final = threading.Lock()
"""One thread at a time, so that the next one finds everything compiled."""


@lru_cache(256)  # an untrusted controller may try any komi
def get_ready(spec: str, game: Game) -> None:
    """Do the work that a bot's first attempt in a game would wait for, once."""
    bot, size = make(spec, game, 0), game.rules.size
    needed = bot.possible_players
    kernels = [kernel for each in needed for kernel in each.kernels]

    def warm_up() -> None:
        for each in [*needed, *([] if bot in needed else [bot])]:
            each.warm_up()

    if kernels:
        from bots.kernels import jit  # noqa: PLC0415  (the compiler)

        with _COMPILING:
            if _missing(kernels, size):
                with _one_process():
                    if _missing(kernels, size):
                        jit.announce(f"{needed[0].name.partition(':')[0]} for {size}x{size}")
                    warm_up()
                return
    warm_up()


def _missing(kernels: Collection[Any], size: int) -> bool:
    """True if one of these kernels has to be compiled for boards of a size."""
    from bots.kernels import jit, rows  # noqa: PLC0415  (the compiler)

    bits = {"play_out": 8 * rows.workspace(size)[0].itemsize}
    return not all(jit.is_compiled(kernel, bits.get(kernel.__name__)) for kernel in kernels)


@contextmanager
def _one_process() -> Iterator[None]:
    """Wait until no other process compiles into the same folder, up to a time limit."""
    from bots.kernels import jit  # noqa: PLC0415

    with (jit.code_folder() / "lock").open("w") as file:
        deadline = time.monotonic() + PATIENCE
        while not _taken(file) and time.monotonic() < deadline:
            time.sleep(0.1)
        yield


def _taken(file: TextIO) -> bool:
    """Lock a file for this process, until it is closed; True also where the system cannot."""
    with suppress(OSError):
        try:
            lock(file)
        except BlockingIOError:
            return False
    return True
