"""The frame of a decision: candidates, a search for the best one, and whether to pass instead.

What the players differ in is the search (`_search`). When to pass is our own (bots/passing.py).
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from time import monotonic

from bots.belief import Belief, believe, candidates
from bots.passing import better_pass
from bots.spec import Bot, decimal, parameter
from bots.worlds import Ints, Worlds, as_array, warm_up
from phantomgo.points import PASS, RESIGN, Move
from phantomgo.rng import decision_key
from phantomgo.view import View


@dataclass(frozen=True)
class Decider(Bot):
    """A bot that searches for the best candidate.

    A time, its own or a controller's, bounds its search.
    """

    resign: int = parameter(0, 0, 100, "resign below this percentage of wins")
    time: float = decimal(0.0, 86400, "seconds per decision, if not 0; no book takes that")

    @property
    def pure(self) -> bool:
        return not self.time

    def warm_up(self, size: int) -> None:
        warm_up(size)

    def propose(self, view: View) -> Move:
        return self.propose_within(view, math.inf)

    def propose_within(self, view: View, seconds: float) -> Move:
        deadline = monotonic() + min(seconds, self.time or math.inf)
        belief = believe(view)
        points = as_array(candidates(view, belief), view.rules.size)
        if not len(points):
            return PASS
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        worlds = self._worlds(view, belief)
        best, share = self._search(view, worlds, points, key, deadline)
        if better_pass(view, worlds, share, key):
            return PASS
        if 100 * share < self.resign:
            return RESIGN
        return int(points[best])

    def _worlds(self, view: View, belief: Belief) -> Worlds:
        """What may be true, all alike likely; passing is judged by it."""
        return Worlds(belief, view.rules, view.colour)

    @abstractmethod
    def _search(
        self, view: View, worlds: Worlds, points: Ints, key: int, deadline: float
    ) -> tuple[int, float]:
        """The best candidate's index and its share of wins.

        Args:
            view: what the player knows.
            worlds: what may be true.
            points: the candidates.
            key: the random stream of the decision.
            deadline: when to stop, on the monotonic clock; infinite where time does not matter.
        """
