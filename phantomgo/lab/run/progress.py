"""Progress of long work. The laboratory prints nothing; the caller may show it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeAlias

Advance: TypeAlias = Callable[[int], None]
"""Called with the number of things just done."""


class Progress:
    """Receives reports of the progress of long work; this one ignores them."""

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        """Report work on `total` things called `what`, for a block."""
        del what, total
        return nullcontext(lambda _: None)

    def timed(self, what: str, seconds: float) -> AbstractContextManager[Advance]:
        """Report work called `what` that ends after a time, for a block; numbers are ignored."""
        del what, seconds
        return nullcontext(lambda _: None)

    def note(self, sentence: str) -> None:
        """Show a message to the person who waits."""

    def watch(self, state: Callable[[], str]) -> None:
        """Show the state that this function returns, as long as the work lasts."""


SILENT: Final = Progress()
