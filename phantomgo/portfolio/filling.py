"""Play the games that a store lacks, on any executor."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.store import Game, Store

Play: TypeAlias = Callable[[int, int], str]
"""Black's seed and White's to the result of their game. Picklable, and always the same answer."""

BATCH_SECONDS: Final = 0.5
"""How long a task should take: long next to handing it over, short next to losing it."""
MAX_BATCH: Final = 256


class Batch(NamedTuple):
    """Finished games and the seconds they took."""

    games: list[Game]
    seconds: float


def play_batch(play: Play, cells: list[Cell]) -> Batch:
    """Play some games one after the other; runs in a worker."""
    start = time.perf_counter()
    games = [Game(black, white, play(black, white)) for black, white in cells]
    return Batch(games, time.perf_counter() - start)


def fill(
    store: Store,
    missing: Iterable[Cell],
    play: Play,
    executor: Executor,
    *,
    workers: int,
    advance: Callable[[int], None] = lambda _: None,
) -> None:
    """Play games that the store lacks, and save each as soon as its batch ends.

    Whatever stops it, the store keeps every game saved so far.

    Args:
        store: where the games are and go.
        missing: the games (`Store.missing`), first ones first.
        play: plays one.
        executor: where they are played.
        workers: how many batches it plays at a time.
        advance: told the number of games just saved.
    """
    waiting = iter(missing)
    pending: set[Future[Batch]] = set()
    size = 1
    try:
        while True:
            for cells in _batches(waiting, size, 2 * workers - len(pending)):
                pending.add(executor.submit(play_batch, play, cells))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                batch = future.result()
                store.add(batch.games)
                advance(len(batch.games))
                pace = batch.seconds / len(batch.games)
                size = min(MAX_BATCH, max(1, int(BATCH_SECONDS / max(pace, 1e-6))))
    finally:
        for future in pending:
            future.cancel()


def _batches(waiting: Iterator[Cell], size: int, number: int) -> Iterator[list[Cell]]:
    """At most `number` batches of at most `size` games, none of them empty."""
    for _ in range(number):
        cells = list(islice(waiting, size))
        if not cells:
            return
        yield cells
