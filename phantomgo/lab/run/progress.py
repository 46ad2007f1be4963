"""Progress of long work. The laboratory prints nothing: the caller shows it, or not."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeAlias

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
