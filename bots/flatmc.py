"""`flatmc`: flat Monte Carlo, the papers' player.

For each candidate, many times: draw a full board consistent with the view, play the candidate,
finish the game at random, and keep the candidate that won most often. Playouts are dealt evenly.

Sources: Cazenave, A Phantom-Go Program (2006); Cazenave, Liu, F. Teytaud and O. Teytaud, Learning
opening books in partially observable games (CIG 2016), section II; Buron, A Study of Monte Carlo
Methods for Phantom Go (2013), Algorithm 3.1.1. When to pass is our own (bots/passing.py).
"""

import math
import time
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from bots.belief import Belief, believe, candidates
from bots.passing import better_pass
from bots.spec import Bot, parameter
from bots.worlds import UNIFORM, Ints, Tally, Worlds, as_array, warm_up
from phantomgo.points import PASS, RESIGN, Move
from phantomgo.rng import decision_key, mix
from phantomgo.view import View

_CLOCK_BATCH: Final = 500
"""Playouts between two looks at the clock, where there is one."""


@dataclass(frozen=True)
class FlatMC(Bot):
    kind: ClassVar[str] = "flatmc"
    playouts: int = parameter(1000, 1, 10**9, "playouts per decision")
    per_candidate: int = parameter(0, 0, 10**7, "playouts per candidate instead, if not 0")
    resign: int = parameter(0, 0, 100, "resign below this percentage of wins")
    threads: int = parameter(1, 1, 256, "threads that share the playouts; no attempt depends on it")

    def warm_up(self, size: int) -> None:
        warm_up(size)

    def propose(self, view: View) -> Move:
        return self.propose_within(view, math.inf)

    def propose_within(self, view: View, seconds: float) -> Move:
        belief = believe(view)
        points = as_array(candidates(view, belief), view.rules.size)
        if not len(points):
            return PASS
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        worlds = Worlds(belief, view.rules, view.colour, self._weights(view, belief))
        best, share = self._search(worlds, points, key, seconds)
        if better_pass(view, worlds, share, mix(key)):
            return PASS
        if 100 * share < self.resign:
            return RESIGN
        return int(points[best])

    def _weights(self, view: View, belief: Belief) -> Ints:  # noqa: ARG002
        """How likely hidden stones are on each point: here, all points alike."""
        return UNIFORM

    def _total(self, count: int) -> int:
        """Playouts of a decision between `count` candidates, at least one each."""
        return max(self.per_candidate * count or self.playouts, count)

    def _search(self, worlds: Worlds, points: Ints, key: int, seconds: float) -> tuple[int, float]:
        """The best candidate's index and its share of wins.

        The playouts are dealt evenly, number g to candidate g modulo their count; a clock may cut
        them short.
        """
        count = len(points)
        total = self._total(count)
        batch = total
        if not math.isinf(seconds):
            batch = min(total, -(-_CLOCK_BATCH // count) * count)
        jobs = _in_turn(count, batch)
        deadline = time.monotonic() + seconds
        tally = Tally(count)
        for first in range(0, total, batch):
            worlds.play_out(points, jobs[: total - first], key, first, tally, self.threads)
            if time.monotonic() >= deadline:
                break
        best = tally.best(key)
        return best, tally.share(best)


def _in_turn(count: int, total: int) -> Ints:
    """`total` numbers, from 0 to count - 1 over and over; quicker than a modulo."""
    rounds = np.empty((-(-total // count), count), np.int64)
    rounds[:] = np.arange(count)
    return rounds.ravel()[:total]
