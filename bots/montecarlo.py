"""The base class of players that search by playouts: how many playouts a decision deals.

For each candidate, many times: draw a full board consistent with the view, play the candidate,
finish the game at random. Players differ in `deal`: which candidate gets how many playouts, and
which one is best.
"""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from bots.deciding import Decider, Found, Problem
from bots.pace import FIRST, Counted, Pace, Timed
from bots.spec import parameter


@dataclass(frozen=True)
class MonteCarlo(Decider):
    """A player that searches by playouts.

    A time limit, its own or a controller's, replaces the number of playouts and is used up, unless
    there is only one candidate.
    """

    glance: ClassVar[Mapping[str, int]] = {"playouts": 200, "per_candidate": 20}
    playouts: int = parameter(1000, 1, 10**9, "playouts per decision")
    per_candidate: int = parameter(0, 0, 10**7, "playouts per candidate instead, if not 0")
    threads: int = parameter(
        1, 0, 256, "threads that share the playouts, 0: one a core; no attempt depends on it"
    )

    def search(self, problem: Problem, deadline: float) -> Found:
        count = len(problem.points)
        pace: Pace
        if math.isinf(deadline):
            pace = Counted(max(self.per_candidate * count or self.playouts, count))
        elif count == 1:
            pace = Counted(FIRST)
        else:
            pace = Timed(deadline - monotonic())
        return self.deal(problem, pace)

    @abstractmethod
    def deal(self, problem: Problem, pace: Pace) -> Found:
        """The best candidate, by as many playouts as the pace allows."""
