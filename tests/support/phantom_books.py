"""The books that `phantom` opens from, which a process looks for and checks once."""

from collections.abc import Iterator
from contextlib import contextmanager

from bots import phantom
from phantomgo.portfolio.book import book_for


@contextmanager
def looked_for_anew() -> Iterator[None]:
    """A block in which `phantom` finds its books again, and forgets them at the end."""
    _forget()
    try:
        yield
    finally:
        _forget()


def _forget() -> None:
    for cached in (phantom._playable, phantom._played, book_for):
        cached.cache_clear()
