"""`twolevel`: flat Monte Carlo whose playouts are games of `flatmc`.

The thesis's own player. Level 2 chooses a candidate, draws a world in which its point is empty and
plays the game to its end, where each move is chosen at level 1: by flat Monte Carlo with ten
playouts per candidate on what the side to move knows in that world. Such a game costs as much as
ten thousand playouts, so there are few of them. Level 2 therefore uses UCB, to spend them where it
matters, and RAVE, which also learns from the moves made later in the games.

Source: Buron, A Study of Monte Carlo Methods for Phantom Go (2013), Algorithm 4.1.1, section 4.3
and formulas 3.3.1 to 3.3.3. Taken together, 3.3.1 and 3.3.2 would give a candidate's own games less
weight the more there are; we give alpha to the other games, as the source of both formulas does
(Helmbold & Parker-Wood, All-moves-as-first heuristics in Monte-Carlo Go, 2009). A candidate not
tried yet is tried before the others, as its bound in 3.3.3 is infinite; of several, the best by
RAVE. What the simulated opponent knows about our stones is in bots/infosets.py.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from bots.bot import parameter
from bots.deciding import SearchContext, SearchResult
from bots.imperfect import Recursive
from bots.infosets import Imagined, InfoSet
from bots.kernels.ucb import bonus
from bots.worlds import Ints, Statistics
from phantomgo.game.points import grid
from phantomgo.rng import Stream, mix


@dataclass(frozen=True)
class TwoLevel(Recursive):
    kind: ClassVar[str] = "twolevel"
    # One playout would leave UCB and RAVE out of the games by which a player is identified.
    probe: ClassVar[Mapping[str, int]] = {"playouts": 3, "inner": 3}
    playouts: int = parameter(50, 1, 10**6, "games of level 2 per decision")
    rave: int = parameter(20, 0, 10**6, "own games from which on RAVE's estimate is not used")

    def warm_up(self) -> None:
        super().warm_up()
        bonus(1, 1)

    def search(self, context: SearchContext, deadline: float) -> SearchResult:
        view, worlds, points, key = context
        info = InfoSet.of(view, worlds.belief)
        stats = Statistics(len(points), grid(info.rules.size).points)
        stream = Stream(key)
        shuffled = np.array([stream.below(1 << 32) for _ in points])
        for number in range(self.playouts):
            values = self._values(stats, points)
            i = int(np.lexsort((shuffled, values, _bounds(values, stats.visits)))[-1])
            move = int(points[i])
            x = Imagined(info, mix(key ^ (number + 1)), move)
            score = self.finished_game_value(x, move, info.colour, level=1)
            _count(stats, i, score, x, info, move)
            if time.monotonic() >= deadline:
                break
        tried = stats.visits > 0
        means = stats.margins / np.maximum(stats.visits, 1)
        best = int(np.lexsort((shuffled, means, self._values(stats, points), tried))[-1])
        return SearchResult(best, stats)

    def _values(self, stats: Statistics, points: Ints) -> NDArray[np.float64]:
        """Formulas 3.3.1 and 3.3.2: alpha-AMAF of each candidate, 1/2 where nothing is known."""
        visits, others = stats.visits, stats.amaf_visits[points]
        own = stats.wins / np.maximum(visits, 1)
        other = stats.amaf_wins[points] / np.maximum(others, 1)
        alpha = np.maximum(0, self.rave - visits) / max(self.rave, 1)
        alpha[others == 0] = 0
        alpha[(visits == 0) & (others > 0)] = 1
        unknown = (visits == 0) & (others == 0)
        values: NDArray[np.float64] = np.where(unknown, 0.5, alpha * other + (1 - alpha) * own)
        return values


def _bounds(values: NDArray[np.float64], visits: Ints) -> NDArray[np.float64]:
    """Formula 3.3.3: the upper confidence bound of each candidate, infinite if not tried."""
    n = int(visits.sum())
    bounds = np.full(len(visits), math.inf)
    tried = np.flatnonzero(visits)
    bounds[tried] = [values[i] + bonus(int(visits[i]), n) for i in tried]
    return bounds


def _count(stats: Statistics, i: int, score: int, x: Imagined, info: InfoSet, move: int) -> None:
    """Count a game of level 2 for its candidate, and for the points played later in it."""
    won = score > info.rules.lead_to_exceed(info.colour)
    stats.visits[i] += 1
    stats.wins[i] += won
    stats.margins[i] += score
    for point, player in x.first.items():
        if player is info.colour and point != move:
            stats.amaf_visits[point] += 1
            stats.amaf_wins[point] += won
