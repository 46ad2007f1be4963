"""Prepare bots for their first attempt, in two processes if kernels have to be compiled.

Playouts take as long to compile as everything else that a bot calls. A second process compiles the
latter into the folder of machine code (bots/kernels/jit.py); if it fails, this process does so. If
another process already compiles the same kernels, this one waits for it, by a lock in that folder.
"""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, Final, TextIO

from bots import Bot, make
from bots.book import without_opening
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.system import cores, lock

STARTING: Final = 0.5
"""Seconds of processor time until another process compiles."""
PATIENCE: Final = 60.0
"""Seconds until a process compiles although another one seems to."""
_COMPILING: Final = threading.Lock()
"""One thread at a time, so that the next one finds everything compiled."""
_CODE: Final = (
    "import sys; sys.path[:] = {}; from phantomgo.lab.players.ready import compile_rest;"
    " compile_rest{}"
)


@lru_cache(256)  # an untrusted controller may try any komi
def get_ready(spec: str, game: Game) -> None:
    """Do the work that a bot's first attempt in a game would wait for, once."""
    bot, size = make(spec, game, 0), game.rules.size
    needed = bot.possible_players
    kernels = {kernel.__name__: kernel for each in needed for kernel in each.kernels}

    def warm_up() -> None:
        for each in [*needed, *([] if bot in needed else [bot])]:
            each.warm_up()

    if kernels:
        with _COMPILING:
            if _missing(kernels, size):
                with _one_process():
                    _compile(needed[0], _missing(kernels, size), spec, size)
                    warm_up()
                return
    warm_up()


def _missing(kernels: dict[str, Any], size: int) -> dict[str, float]:
    """The kernels that have to be compiled, each with the processor time that it takes."""
    from bots.kernels import jit, rows  # noqa: PLC0415  (the compiler)

    bits = {"play_out": 8 * rows.workspace(size)[0].itemsize}
    return {
        name: jit.SECONDS[name]
        for name, kernel in kernels.items()
        if not jit.is_compiled(kernel, bits.get(name))
    }


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


def _compile(bot: Bot, missing: dict[str, float], spec: str, size: int) -> None:
    """Log which kernels are compiled, and compile them in two processes if that pays."""
    from bots import worlds  # noqa: PLC0415
    from bots.kernels import jit  # noqa: PLC0415

    here = missing.pop("play_out", 0.0)
    elsewhere = sum(missing.values())
    # In a worker of the laboratory, other workers compile already.
    alone = cores() == 1 or multiprocessing.parent_process() or not jit.kept()
    divided = here and elsewhere and not alone
    seconds = max(here, STARTING + elsewhere) if divided else here + elsewhere
    jit.announce(f"{bot.name.partition(':')[0]} for {size}x{size}", seconds)
    if divided:
        command = [sys.executable, "-c", _CODE.format(sys.path, (spec, size))]
        away, pipe = subprocess.DEVNULL, subprocess.PIPE
        quiet = partial(subprocess.Popen, stdin=pipe, stdout=away, stderr=away)
        with suppress(OSError, subprocess.TimeoutExpired), quiet(command) as other:
            worlds.compile_playouts(size)
            other.wait(60)  # whatever becomes of it


def compile_rest(spec: str, size: int) -> None:
    """Compile a bot's kernels except playouts, in a process that ends with its parent."""
    from bots import worlds  # noqa: PLC0415

    def end_with_parent() -> None:
        os.read(0, 1)  # nothing is ever written
        os._exit(1)

    def play_out(*arguments: Any) -> None:
        """In place of the kernel: one playout for each candidate, won by a point."""
        arguments[-2][:] += 1

    gc.set_threshold(20_000)  # as phantomgo/app/entry.py has it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent
    threading.Thread(target=end_with_parent, daemon=True).start()
    vars(worlds).update(play_out=play_out, position_of=lambda *_: (None, None))
    game = Game(Rules(size=size))
    without_opening(make(spec, game, 0)).warm_up()  # its books are checked elsewhere
    os._exit(0)
