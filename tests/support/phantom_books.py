"""The opening books of bots, which a process reads and checks once."""

from collections.abc import Iterator
from contextlib import contextmanager

from bots import book_checks, opening


@contextmanager
def looked_for_anew() -> Iterator[None]:
    """A block in which bots read their books again, and forget them at the end."""
    remembered = (
        book_checks.read_once,
        book_checks.opener_changes,
        opening._of_folder,
        opening.log_once,
    )
    for cached in remembered:
        cached.cache_clear()
    try:
        yield
    finally:
        for cached in remembered:
            cached.cache_clear()
