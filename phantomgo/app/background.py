"""Work in background threads, so that no front has to wait.

A bot cannot be interrupted, but its answer can be awaited later, or not at all: these threads do
not keep the process from ending.
"""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Final, TypeVar

from bots import make
from phantomgo.errors import PhantomGoError

T = TypeVar("T")

_NAME: Final = "phantomgo: "


def start(what: str, work: Callable[[], None]) -> threading.Thread:
    """Call a function in a thread of its own; return the thread."""
    thread = threading.Thread(target=work, name=_NAME + what, daemon=True)
    thread.start()
    return thread


def begin(what: str, work: Callable[[], T]) -> Future[T]:
    """Call a function in a thread of its own; return the future of its result or exception."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    start(what, run)
    return future


def running() -> bool:
    """Return whether a thread is still at work; then only `os._exit` ends the process safely.

    Kernels and their compiler, which are C++, crash if the interpreter shuts down while they run.
    """
    return any(thread.name.startswith(_NAME) for thread in threading.enumerate())


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
            self._threads[spec, size] = start(f"{spec} warms up", work)

    def wait(self) -> None:
        """Wait until everything is ready."""
        for thread in list(self._threads.values()):
            thread.join()


def _warm_up(spec: str, size: int) -> None:
    with contextlib.suppress(PhantomGoError):  # reported when an attempt is asked for
        make(spec, 0).warm_up(size)
