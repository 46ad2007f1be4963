"""Preparing kernels, also in the background, so that a server answers while they are compiled."""

import contextlib
import threading

from bots import make
from phantomgo.errors import PhantomGoError
from phantomgo.messages import Moved
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View


def get_ready(spec: str, size: int) -> None:
    """Compile everything that this bot needs on boards of this size, unless it is compiled.

    A decision compiles what warming up leaves out.
    """
    bot = make(spec, 0)
    bot.warm_up(size)
    bot.propose(View(Rules(size=size), BLACK).after(Moved()))


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
            thread = threading.Thread(target=_warm_up, args=(spec, size), daemon=True)
            self._threads[spec, size] = thread
            thread.start()

    def wait(self) -> None:
        """Wait until everything is ready."""
        for thread in list(self._threads.values()):
            thread.join()

    @property
    def running(self) -> bool:
        """True if a thread is still working.

        The process then has to end by `os._exit`, as the compiler, which is C++, does not survive
        the end of the interpreter.
        """
        return any(thread.is_alive() for thread in list(self._threads.values()))


def _warm_up(spec: str, size: int) -> None:
    with contextlib.suppress(PhantomGoError):  # reported when an attempt is asked for
        make(spec, 0).warm_up(size)
