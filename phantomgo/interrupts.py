"""Ctrl-C where an exception between two lines would do harm, or be lost."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from phantomgo.errors import Abandoned

INTERRUPTED: Final = 130
"""The exit code a shell gives a program that Ctrl-C ends."""


@contextmanager
def presses(finishing: Callable[[], object] | None = None) -> Iterator[Callable[[], int]]:
    """Count presses of Ctrl-C in this block instead of raising; yields what returns their number.

    For work that may take long to finish and can be dropped between any two lines, `finishing` is
    called at the first press, to say so, and a second press raises Abandoned.

    An exception between two lines could leave a store or a pool in an inconsistent state, and
    callbacks from compiled code swallow it. Only the main thread can do this, and it is not done
    where Ctrl-C is ignored, as in the background of a shell script.
    """
    count = 0

    def press(*_: object) -> None:
        nonlocal count
        count += 1
        if finishing is not None:
            if count > 1:
                raise Abandoned
            finishing()

    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield lambda: 0
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: count
    finally:
        signal.signal(signal.SIGINT, before)


def uninterrupted(load: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that Ctrl-C must not stop half-way; Ctrl-C takes effect afterwards.

    The command line has a handler of its own, which also waits, but only briefly.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return load(*arguments)
    with presses() as pressed:
        found = load(*arguments)
    if pressed():
        signal.raise_signal(signal.SIGINT)
    return found
