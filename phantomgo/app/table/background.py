"""Work done beside a front, in threads that nobody has to wait for.

A bot's attempt cannot be taken away from it, but its answer can be awaited later, or not at all:
these threads do not keep the process from ending.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

T = TypeVar("T")

_NAME: Final = "table: "


def begin(what: str, work: Callable[[], T]) -> Future[T]:
    """Do this in a thread of its own; what it gives, or raises, is in the future."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # it is whoever asks for the result who is told
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name=_NAME + what, daemon=True).start()
    return future


def running() -> bool:
    """Whether a thread is still at work; then only `os._exit` ends the process at once.

    A kernel does not survive an interpreter that goes away under it.
    """
    return any(thread.name.startswith(_NAME) for thread in threading.enumerate())
