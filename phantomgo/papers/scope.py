"""The resources of an experiment: the folder of its games, the workers, and its time."""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from phantomgo.errors import BadText
from phantomgo.game.outcome import black_score
from phantomgo.lab.learners.learner import Learner, Learning
from phantomgo.lab.run.contest import Contest, GameNumber
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed, Study
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import Run
from phantomgo.portfolio.cross_validation import TEST_SEEDS
from phantomgo.portfolio.matrix import Cells, SeedMatrix, cells

RATIO: Final = 10
"""Own seeds per opponent seed in a rectangular matrix, as in Fast seeds."""


@dataclass
class Scope:
    """The resources of one experiment.

    An experiment plays all its games before it computes its tables, which the time does not count.

    Attributes:
        folder: contains its games.
        run: the workers, for functions that start them themselves.
        workers: play the games of this run.
        repeats: random splits into training and test seeds.
        seeds: own seeds per colour; None for the experiment's own number.
        games: games per cell or row; None for the experiment's own number.
        until: the time (`time.monotonic`) by which the last game ends.
        batches: how many batches of games are still to come, among which the time is divided.
        missing: the number of games that could not be played in the time.
    """

    folder: Path
    run: Run
    workers: Workers
    repeats: int
    seeds: int | None = None
    games: int | None = None
    until: float = math.inf
    batches: int = 1
    missing: int = 0

    def store(self, name: str, contest: Contest) -> Store:
        """The store of a contest's games."""
        return Store(self.folder / f"{name}.db", contest.players, contest.terms)

    def deadline(self) -> float:
        """The time by which the next batch ends: an equal share of the remaining time."""
        now = time.monotonic()
        share = (self.until - now) / max(1, self.batches)
        self.batches -= 1
        return now + share

    def play(
        self, name: str, contest: Contest, wanted: Iterable[GameNumber]
    ) -> dict[GameNumber, str]:
        """Return the results of these games; those not in the store are played.

        As many are played as the time allows; the others count as missing.
        """
        asked = list(wanted)
        with self.store(name, contest) as store:
            missing = store.missing(asked)
            self._run(name, contest, Listed(missing), store, len(missing))
            known = store.results()
        results = {game: known[game] for game in asked if game in known}
        self.missing += len(asked) - len(results)
        return results

    def learn(self, name: str, contest: Contest, learner: Learner, games: int) -> int:
        """Play the games that a learner asks for, within the time; return their number."""
        learning = Learning(learner, games)
        with self.store(name, contest) as store:
            self._run(name, contest, learning, store, games)
        self.missing += games - learning.asked
        return learning.asked

    def _run(self, name: str, contest: Contest, study: Study, store: Store, most: int) -> None:
        progress, deadline = self.run.progress, self.deadline()
        with progress.stage(f"games of {name}", most) as advance:
            run(
                study,
                contest,
                self.workers,
                store,
                progress=progress,
                advance=advance,
                deadline=deadline,
            )

    def matrix(
        self, name: str, contest: Contest, own: int, opponents: int | None = None
    ) -> SeedMatrix:
        """Play the largest matrix of seeds that the time allows, `own` against `opponents`.

        Raises:
            BadText: not even two seeds have met each other.
        """
        kt = own if opponents is None else opponents
        return score_matrix(self.play(name, contest, cells(own, kt)), own, kt)

    def rectangle(self, name: str, contest: Contest, own: int) -> SeedMatrix:
        """Play a matrix whose opponent seeds are a tenth of the own seeds, and the test seeds."""
        return self.matrix(name, contest, own, min(own, own // RATIO + TEST_SEEDS))


def score_matrix(results: dict[GameNumber, str], own: int, opponents: int) -> SeedMatrix:
    """The largest complete matrix of Black's scores among these results."""
    size = 0
    while size < own and all(
        (size, j) in results and (j, size) in results for j in range(min(size + 1, opponents))
    ):
        size += 1
    if size < 2:
        raise BadText("minutes are too few: not even two seeds have played each other; give more")

    def scores(rows: Sequence[int], columns: Sequence[int]) -> Cells:
        return np.array([[black_score(results[i, j]) for j in columns] for i in rows])

    kt = min(size, opponents)
    black = scores(range(size), range(kt))
    return SeedMatrix(black, black if kt == size else scores(range(kt), range(size)))
