"""Games of a store with progress, and the test of a portfolio on seeds it was not learned on."""

from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial

import numpy as np

from phantomgo.app.progress import progress
from phantomgo.app.workers import play_seeds, workers
from phantomgo.errors import PhantomGoError
from phantomgo.portfolio.book import Evaluation, Score, Side
from phantomgo.portfolio.exploit import EXPLOITERS, against, expected_exploited
from phantomgo.portfolio.filling import fill
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.methods import Portfolio
from phantomgo.portfolio.store import Store


def play_missing(store: Store, wanted: Iterable[Cell], jobs: int) -> int:
    """Play what the store lacks of these games, on so many cores; returns how many."""
    missing = store.missing(wanted)
    if not missing:
        return 0
    setup = store.setup
    play = partial(play_seeds, setup.rules, setup.black, setup.white)
    try:
        with workers(jobs) as executor, progress("games", len(missing)) as advance:
            fill(store, missing, play, executor, workers=jobs, advance=advance)
    except BrokenExecutor as error:
        raise PhantomGoError(
            f"a worker process was killed; {store.path} has the games finished so far,"
            " and the same command plays the rest"
        ) from error
    return len(missing)


def held_out(
    store: Store,
    sides: tuple[Side, Side],
    tests: range,
    jobs: int,
    exploiters: Sequence[int] = EXPLOITERS,
) -> Evaluation:
    """Measure a portfolio against fresh seeds, playing the games that takes.

    Every seed of the portfolio plays every test seed of the other colour once. An exploiter with
    more tries than there are test seeds is left out.
    """
    black, white = sides
    wanted = [(own, test) for test in tests for own in black.seeds]
    wanted += [(test, own) for test in tests for own in white.seeds]
    play_missing(store, wanted, jobs)
    # Distributions over the seeds that are played, rather than over all seeds.
    portfolio = Portfolio(np.array(black.probabilities), np.array(white.probabilities))
    as_black, as_white = store.wins(black.seeds, tests), store.wins(tests, white.seeds)
    rates = against(portfolio, as_black, as_white)
    scores = []
    for exploiter in exploiters:
        if exploiter <= len(tests):
            found = expected_exploited(rates, exploiter)
            scores.append(Score(exploiter, round(found.rate, 6), round(found.deviation, 6)))
    return Evaluation(tests.start, len(tests), tuple(scores))
