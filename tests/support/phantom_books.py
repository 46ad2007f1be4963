"""The books that bots open from, which a process looks for and checks once."""

from collections.abc import Iterator
from contextlib import contextmanager

from bots import opening


@contextmanager
def looked_for_anew() -> Iterator[None]:
    """A block in which bots find their books again, and forget them at the end."""
    forget_books()
    try:
        yield
    finally:
        forget_books()


def forget_books() -> None:
    for cached in (opening.books_of, opening._shipped, opening._checked, opening._announce):
        cached.cache_clear()
