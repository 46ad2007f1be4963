"""What all players by playouts share: their budget, and a decision but for the search itself.

For each candidate, many times: draw a full board consistent with the view, play the candidate,
finish the game at random. Which candidate gets how many playouts, and which one is the best, is
what the players differ in (`_search`). When to pass is our own (bots/passing.py).
"""

import math
from abc import abstractmethod
from dataclasses import dataclass

from bots.belief import Belief, believe, candidates
from bots.pace import FIRST, Counted, Pace, Timed
from bots.passing import better_pass
from bots.spec import Bot, decimal, parameter
from bots.worlds import Ints, Worlds, as_array, warm_up
from phantomgo.points import PASS, RESIGN, Move
from phantomgo.rng import decision_key, mix
from phantomgo.view import View


@dataclass(frozen=True)
class MonteCarlo(Bot):
    """A player by playouts.

    A time, its own or a controller's, takes the place of the number of playouts: it is filled,
    unless there is but one candidate.
    """

    playouts: int = parameter(1000, 1, 10**9, "playouts per decision")
    per_candidate: int = parameter(0, 0, 10**7, "playouts per candidate instead, if not 0")
    resign: int = parameter(0, 0, 100, "resign below this percentage of wins")
    threads: int = parameter(1, 1, 256, "threads that share the playouts; no attempt depends on it")
    time: float = decimal(0.0, 86400, "seconds per decision instead, if not 0; no book takes that")

    @property
    def pure(self) -> bool:
        return not self.time

    def warm_up(self, size: int) -> None:
        warm_up(size)

    def propose(self, view: View) -> Move:
        return self.propose_within(view, math.inf)

    def propose_within(self, view: View, seconds: float) -> Move:
        seconds = min(seconds, self.time or math.inf)
        timed = None if math.isinf(seconds) else Timed(seconds)
        belief = believe(view)
        points = as_array(candidates(view, belief), view.rules.size)
        if not len(points):
            return PASS
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        worlds = self._worlds(view, belief)
        pace: Pace = timed or Counted(self._total(len(points)))
        if timed and len(points) == 1:
            pace = Counted(FIRST)
        best, share = self._search(worlds, points, key, pace)
        if better_pass(view, worlds, share, mix(key)):
            return PASS
        if 100 * share < self.resign:
            return RESIGN
        return int(points[best])

    def _worlds(self, view: View, belief: Belief) -> Worlds:
        """Where playouts are played: here at random, from boards all alike likely."""
        return Worlds(belief, view.rules, view.colour)

    def _total(self, count: int) -> int:
        """Playouts of a decision between `count` candidates, at least one each."""
        return max(self.per_candidate * count or self.playouts, count)

    @abstractmethod
    def _search(self, worlds: Worlds, points: Ints, key: int, pace: Pace) -> tuple[int, float]:
        """The best candidate's index and its share of wins.

        Args:
            worlds: where playouts are played.
            points: the candidates.
            key: the random stream of the decision.
            pace: how many playouts there are to deal.
        """
