"""Progress of long work. The laboratory prints nothing: the caller shows it, or not."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol, TypeAlias

MOST_MINUTES: Final = 24 * 60
"""Of processor time, for work that takes as much as it is given."""

Advance: TypeAlias = Callable[[int], None]
"""Told the number of things just done."""


class Progress(Protocol):
    """The receiver of long work's progress."""

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        """Work on `total` things called `what`, for as long as the block lasts."""

    def note(self, sentence: str) -> None:
        """Something that a person who waits would want to know."""

    def watch(self, state: Callable[[], str]) -> None:
        """Show also what this says, as long as the work lasts."""


class Silent:
    """Tells nobody."""

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        del what, total
        return nullcontext(_ignore)

    def note(self, sentence: str) -> None:
        """Not passed on."""

    def watch(self, state: Callable[[], str]) -> None:
        """Not asked."""


def _ignore(number: int) -> None:
    del number


SILENT: Progress = Silent()


def clock(seconds: float, advance: Advance) -> Callable[[], bool]:
    """True once this thread has worked for so long; it reports each second."""
    began, told = time.thread_time(), 0

    def over() -> bool:
        nonlocal told
        passed = min(time.thread_time() - began, seconds)
        advance(int(passed) - told)
        told = int(passed)
        return passed >= seconds

    return over
