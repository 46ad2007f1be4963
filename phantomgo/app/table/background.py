"""Work in background threads, so that no front has to wait.

A bot cannot be interrupted, but its answer can be awaited later, or not at all: these threads do
not keep the process from ending.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

T = TypeVar("T")

_NAME: Final = "table: "


def begin(what: str, work: Callable[[], T]) -> Future[T]:
    """Call a function in a thread of its own; return the future of its result or exception."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name=_NAME + what, daemon=True).start()
    return future


def running() -> bool:
    """Return whether a thread is still at work; then only `os._exit` ends the process at once.

    A kernel crashes if the interpreter shuts down while it runs.
    """
    return any(thread.name.startswith(_NAME) for thread in threading.enumerate())
