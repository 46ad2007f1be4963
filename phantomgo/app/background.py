"""Work in background threads, so that no front has to wait.

A bot cannot be interrupted, but its answer can be awaited later, or not at all: these threads do
not keep the process from ending.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

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
