"""Going through many records in parallel."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from phantomgo.lab.run.progress import Advance
from phantomgo.lab.run.tasks import Workers

CHUNK: Final = 20
"""Games in a worker's task."""

T = TypeVar("T")


def of_each(
    work: Callable[[str], T], texts: Sequence[str], workers: Workers, advance: Advance
) -> list[T]:
    """The results of `work` on each record, in order. Function and results are pickled."""
    chunks = [texts[i : i + CHUNK] for i in range(0, len(texts), CHUNK)]
    made: list[T] = []
    for done in workers.map(_all, work, chunks):
        made += done
        advance(len(done))
    return made


def _all(work: Callable[[str], T], texts: Sequence[str]) -> list[T]:
    return [work(text) for text in texts]
