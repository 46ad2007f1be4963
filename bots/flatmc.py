"""`flatmc`: flat Monte Carlo search, the player of the papers.

Play each candidate out many times, on boards drawn from those consistent with the view, and choose
the one that won most often. The papers' players deal the playouts evenly (`allocation=uniform`);
`allocation=ucb` deals more of them to what has won more so far, as UCB1 has it.

Sources: Cazenave, A Phantom-Go Program (2006); Cazenave, Liu, F. Teytaud and O. Teytaud, Learning
opening books in partially observable games (CIG 2016), section II; Buron, A Study of Monte Carlo
Methods for Phantom Go (2013), Algorithm 3.1.1, and section 3.3.3 for UCB.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, TypeAlias

import numpy as np

from bots.bot import choice, decimal
from bots.deciding import MonteCarlo, SearchContext, SearchResult
from bots.kernels.ucb import deal_by_ucb
from bots.pace import Pace
from bots.worlds import Ints, Statistics
from phantomgo.rng import mix

BATCH: Final = 64
"""The smallest batch of playouts that UCB deals before it sees their results."""
GROWTH: Final = 4
"""Later batches are a fourth of the playouts so far; a few unseen results then matter little."""

Play: TypeAlias = Callable[[Ints, int], None]
"""Plays a number of playouts of candidates, given by index, and counts the results."""


@dataclass(frozen=True)
class FlatMC(MonteCarlo):
    kind: ClassVar[str] = "flatmc"
    allocation: str = choice("uniform", ("uniform", "ucb"), "how playouts are dealt to candidates")
    exploration: float = decimal(0.2, 100, "of ucb: the weight of the exploration term")

    def warm_up(self) -> None:
        super().warm_up()
        if self.allocation == "ucb":
            one = np.ones(1, np.int64)
            deal_by_ucb(one, one, np.zeros(1, np.int64), self.exploration, one.copy())

    def deal(self, context: SearchContext, pace: Pace) -> SearchResult:
        _, worlds, points, key = context
        stats = Statistics(len(points))

        def play(jobs: Ints, playouts: int) -> None:
            worlds.play_out(points, jobs, playouts, key, pace.done, stats, self.threads)
            pace.done += playouts

        deal = _evenly if self.allocation == "uniform" else partial(_by_ucb, self.exploration, key)
        deal(stats, pace, play)
        return SearchResult(stats.best(key), stats)


def _evenly(stats: Statistics, pace: Pace, play: Play) -> None:
    """Playout number g goes to candidate g modulo their count."""
    count = len(stats.visits)
    for room in pace.parts(1):
        play(np.arange(count), max(room, count))


def _by_ucb(exploration: float, key: int, stats: Statistics, pace: Pace, play: Play) -> None:
    """Every candidate gets one playout; the rest go to the highest upper confidence bounds.

    The key of the decision breaks ties. A batch is dealt without its own results.
    """
    count = len(stats.visits)
    # Numbers of their own: `Stream(key)` breaks the ties of the final choice.
    order = np.argsort([mix(key ^ (number + 1)) for number in range(count)], kind="stable")
    for room in pace.parts(1):
        end = pace.done + room
        if not pace.done:
            play(np.arange(count), count)
        while pace.done < end:
            jobs = np.empty(min(end - pace.done, max(BATCH, pace.done // GROWTH)), np.int64)
            deal_by_ucb(stats.visits, stats.wins, order, exploration, jobs)
            play(jobs, len(jobs))
