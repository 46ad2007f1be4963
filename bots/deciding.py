"""A decision: find candidates, search for the best one, and choose whether to pass instead.

Players differ in their search (`search`). The rules for passing are our own (bots/passing.py).

A `MonteCarlo` player searches by playouts. For each candidate, many times: draw a full board
consistent with the view, play the candidate, finish the game at random. Such players differ in
`deal`: which candidate gets how many playouts, and which one is best.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bots.belief import Belief, candidates, presume_refused
from bots.bot import Bot, decimal, parameter
from bots.kernels.playouts import play_out
from bots.pace import FIRST, Counted, Pace, Timed
from bots.passing import better_pass
from bots.value import calibrated
from bots.worlds import Ints, Statistics, Worlds, as_array, warm_up
from phantomgo.game.player import Candidate, Decision
from phantomgo.game.points import PASS, RESIGN, Move, Point, PointSet
from phantomgo.game.view import View
from phantomgo.rng import Purpose, decision_key, purpose_key


class SearchContext(NamedTuple):
    """The position of a search, and all that the search may use.

    Attributes:
        view: what the player knows.
        worlds: the possible full boards.
        points: the candidates.
        key: the random stream of the decision.
    """

    view: View
    worlds: Worlds
    points: Ints
    key: int


class SearchResult(NamedTuple):
    """The result of a search.

    Attributes:
        best: the index of the best candidate.
        stats: the results of the candidates.
    """

    best: int
    stats: Statistics

    @property
    def win_rate(self) -> float:
        """The share of playouts that the best candidate won."""
        return self.stats.win_rate(self.best)


@dataclass(frozen=True)
class Decider(Bot):
    """A bot that searches for the best candidate.

    A controller's time limit bounds its search; without one, its own `time` does.
    """

    kernels: ClassVar[tuple[Any, ...]] = (play_out,)
    resign: int = parameter(0, 0, 100, "resign below this percentage of wins")
    time: float = decimal(
        0.0,
        86400,
        "seconds per decision without a clock; 0: use playouts. Not allowed in a book's lines",
    )

    @property
    def deterministic(self) -> bool:
        return not self.time

    def warm_up(self) -> None:
        warm_up(self.game.rules.size)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        if math.isinf(seconds) and self.time:
            seconds = self.time
        deadline = monotonic() + seconds
        belief = presume_refused(view)
        points = as_array(candidates(view, belief), view.rules.size)
        if not len(points):
            return Decision(self.instead_of_pass(view))
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        worlds = self.worlds_of(view, belief)
        result = self.search(SearchContext(view, worlds, points, key), deadline)
        considered = partial(_considered, self.kind, view, points, result)
        win_rate = result.win_rate
        if better_pass(view, worlds, win_rate, key):
            return Decision(self.instead_of_pass(view), considered)
        if 100 * win_rate < self.resign:
            return Decision(RESIGN, considered)
        return Decision(points.item(result.best), considered)

    def among(self, view: View, points: PointSet) -> tuple[Candidate, ...]:
        """The results of a search restricted to some of this view's candidates, best first."""
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        chosen = as_array(points, view.rules.size)
        context = SearchContext(view, self.worlds_of(view, presume_refused(view)), chosen, key)
        return _considered(self.kind, view, chosen, self.search(context, math.inf))

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        key = purpose_key(Purpose.BELIEF, 0, view.colour, view.turn, view.refusals)
        return self.worlds_of(view, presume_refused(view)).stone_probabilities(view, key)

    def instead_of_pass(self, view: View) -> Move:  # noqa: ARG002
        """The attempt to make when nothing beats a pass; by default the pass itself."""
        return PASS

    def worlds_of(self, view: View, belief: Belief) -> Worlds:
        """The possible worlds, all equally likely; a pass is evaluated by them too.

        The belief is the one that chose the candidates: `presume_refused` of the view.
        """
        return Worlds(belief, view.rules, view.colour)

    @abstractmethod
    def search(self, context: SearchContext, deadline: float) -> SearchResult:
        """The best candidate, by the deadline on the monotonic clock; it may be infinite."""


@dataclass(frozen=True)
class MonteCarlo(Decider):
    """A player that searches by playouts.

    A time limit, its own or a controller's, replaces the number of playouts and is used up, unless
    there is only one candidate.
    """

    probe: ClassVar[Mapping[str, int]] = {"playouts": 200, "per_candidate": 20}
    playouts: int = parameter(1000, 1, 10**9, "playouts per decision")
    per_candidate: int = parameter(0, 0, 10**7, "playouts per candidate instead, if not 0")
    threads: int = parameter(
        1, 0, 256, "threads that share the playouts, 0: one a core; no attempt depends on it"
    )

    def search(self, context: SearchContext, deadline: float) -> SearchResult:
        count = len(context.points)
        pace: Pace
        if math.isinf(deadline):
            pace = Counted(max(self.per_candidate * count or self.playouts, count))
        elif count == 1:
            pace = Counted(FIRST)
        else:
            pace = Timed(deadline - monotonic())
        return self.deal(context, pace)

    @abstractmethod
    def deal(self, context: SearchContext, pace: Pace) -> SearchResult:
        """The best candidate, by as many playouts as the pace allows."""


def _considered(kind: str, view: View, points: Ints, result: SearchResult) -> tuple[Candidate, ...]:
    """The candidates that were searched, best first, then by the number of playouts."""
    stats, komi = result.stats, view.rules.komi_for(view.colour)
    shares = stats.wins / np.maximum(stats.visits, 1)
    order = np.lexsort((stats.margins, shares, stats.visits, np.arange(len(points)) == result.best))
    made = []
    for i in order[::-1].tolist():
        visits, point = int(stats.visits[i]), int(points[i])
        if visits:
            share = float(shares[i])
            value = calibrated(kind, share, visits, view)
            lead = int(stats.margins[i]) / visits - komi
            amaf = int(stats.amaf_visits[point]) if len(stats.amaf_visits) else 0
            amaf_win_rate = int(stats.amaf_wins[point]) / amaf if amaf else None
            made.append(Candidate(point, visits, share, value, lead, amaf, amaf_win_rate))
    return tuple(made)
