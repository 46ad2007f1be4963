"""`imperfect`: imperfect information Monte Carlo search: nested `flatmc`.

Flat Monte Carlo finishes its games as if both players saw the board. Here neither does: in a world
drawn from what the searching player knows, the side to move is given only what *it* knows and
searches in turn, one level lower, on worlds drawn from that. At level 1 the games are finished at
random, so `levels=1` is flat Monte Carlo.

Sources: Buron, A Study of Monte Carlo Methods for Phantom Go (2013), Algorithm 3.2.2, from Furtak
and Buro, Recursive Monte Carlo search for imperfect information games (2013). Our own choices: each
candidate has its own worlds, which leave its point empty; a simulated player whose attempt is
refused takes the next best move of the same search; beyond a horizon an imagined game is finished
at random. Each candidate is tried in at least one world, however short the time.

The functions have the names of Algorithm 3.2.2. A decision at level 2 takes as many playouts as
candidates times moves of a game times candidates again; the whole search of a simulated player is
one call of the kernel.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from bots.belief import presume_refused
from bots.bot import parameter
from bots.deciding import Decider, SearchContext, SearchResult
from bots.infosets import Imagined, InfoSet
from bots.kernels.imagined import play_to_end
from bots.worlds import Ints, Statistics, Worlds, as_array
from phantomgo.game.points import Colour, Point
from phantomgo.game.view import View
from phantomgo.rng import mix


@dataclass(frozen=True)
class Recursive(Decider):
    """The parameters that players with simulated players share."""

    kernels: ClassVar[tuple[Any, ...]] = (*Decider.kernels, play_to_end)
    inner: int = parameter(10, 1, 10**4, "playouts per candidate of a simulated player")
    horizon: int = parameter(0, 0, 10**6, "moves before a random finish; 0: no limit")

    def warm_up(self) -> None:
        super().warm_up()
        view = View(self.game.rules, Colour.BLACK)
        x = Imagined(InfoSet.of(view, presume_refused(view)), 0)
        x.play([0])
        x.play_to_end()
        x.margin(Colour.BLACK)

    def finished_game_value(self, x: Imagined, move: Point, player: Colour, level: int) -> int:
        """The margin of a player who makes this move in world x, which is changed."""
        x.play([move])
        while not x.over:
            if self.horizon and x.moves > self.horizon:
                x.play_to_end()
            else:
                x.play(self.choose_move(x, level))
        return x.margin(player)

    def choose_move(self, x: Imagined, level: int) -> list[Point]:
        """The moves of the side to move in world x, the best first, by a search of this level."""
        return self.imperfect(x.info_set(), level, self.inner, x.next_key())

    def imperfect(self, info: InfoSet, level: int, worlds: int, key: int) -> list[Point]:
        """The moves of an information set, the best first."""
        points = as_array(info.moves, info.rules.size)
        if not len(points):
            return []
        stats = self.evaluate(info, points, level, worlds, key, math.inf)
        return [int(p) for p in points[order(points, stats, key)]]

    def evaluate(
        self, info: InfoSet, points: Ints, level: int, worlds: int, key: int, deadline: float
    ) -> Statistics:
        """Algorithm 3.2.2: the results of an information set's moves in a number of worlds each."""
        if level == 1:
            return flat(info, points, worlds, key)
        val = Statistics(len(points))
        need = info.rules.lead_to_exceed(info.colour)
        for number in range(worlds):
            for i, m in enumerate(points.tolist()):
                x = Imagined(info, mix(key ^ (number * len(points) + i + 1)), m)
                v = self.finished_game_value(x, m, info.colour, level - 1)
                val.visits[i] += 1
                val.wins[i] += v > need
                val.margins[i] += v
            if time.monotonic() >= deadline:
                break
        return val


def flat(info: InfoSet, points: Ints, worlds: int, key: int) -> Statistics:
    """Flat Monte Carlo: a number of playouts of each candidate, each in a world of its own."""
    val = Statistics(len(points))
    jobs, count = np.arange(len(points)), worlds * len(points)
    Worlds(info.belief, info.rules, info.colour).play_out(points, jobs, count, key, 0, val)
    return val


def order(points: Ints, stats: Statistics, key: int) -> Ints:
    """The indices of candidates visited equally often: more wins first, then greater margins.

    A hash of point and key decides among equal ones.
    """
    shuffled = (points + 1) * (key >> 32 | 1) & 0xFFFF
    return np.lexsort((shuffled, stats.margins, stats.wins))[::-1]


@dataclass(frozen=True)
class Imperfect(Recursive):
    kind: ClassVar[str] = "imperfect"
    budget: ClassVar[str] = "worlds"
    probe: ClassVar[Mapping[str, int]] = {"worlds": 1, "inner": 10}
    levels: int = parameter(2, 1, 3, "searches nested in each other; 1 is flat Monte Carlo")
    worlds: int = parameter(1, 1, 10**5, "worlds per candidate")

    def with_budget(self, times: int) -> Self:
        return replace(super().with_budget(times), levels=min(self.levels, 2))

    def search(self, context: SearchContext, deadline: float) -> SearchResult:
        view, worlds, points, key = context
        info = InfoSet.of(view, worlds.belief)
        val = self.evaluate(info, points, self.levels, self.worlds, key, deadline)
        return SearchResult(val.best(key), val)
