"""The frame of a decision, for the searches that imagine games: candidates, search, passing."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from time import monotonic

from bots.belief import believe
from bots.imagined import InfoSet
from bots.passing import better_pass
from bots.spec import Bot, decimal
from bots.worlds import Ints, Worlds, as_array, warm_up
from phantomgo.points import PASS, Move
from phantomgo.rng import decision_key, mix
from phantomgo.view import View


@dataclass(frozen=True)
class Searcher(Bot):
    """A bot that searches for the best candidate, and passes as flatmc does.

    A time, its own or a controller's, cuts its search short.
    """

    time: float = decimal(0.0, 86400, "seconds per decision at most, if not 0; no book takes that")

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
        info = InfoSet.of(view, belief)
        points = as_array(info.moves, view.rules.size)
        if not len(points):
            return PASS
        key = decision_key(self.seed, view.colour, view.turn, view.refusals)
        best, share = self._search(info, points, key, deadline)
        worlds = Worlds(belief, view.rules, view.colour)
        if better_pass(view, worlds, share, mix(key)):
            return PASS
        return int(points[best])

    @abstractmethod
    def _search(self, info: InfoSet, points: Ints, key: int, deadline: float) -> tuple[int, float]:
        """The best candidate's index and its share of wins.

        Args:
            info: what the player knows.
            points: the candidates.
            key: the random stream of the decision.
            deadline: when to stop, on the monotonic clock.
        """
