"""The books that bots open from, which a process looks for and checks once."""

from collections.abc import Iterator
from contextlib import contextmanager

from bots import opening


@contextmanager
def looked_for_anew() -> Iterator[None]:
    """A block in which bots find their books again, and forget them at the end."""
    remembered = (
        opening._measured, opening._read, opening._fitting, opening._changes, opening._announce,
    )  # fmt: skip
    for cached in remembered:
        cached.cache_clear()
    try:
        yield
    finally:
        for cached in remembered:
            cached.cache_clear()
