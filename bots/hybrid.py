"""`hybrid`: `twolevel` while much is hidden, `flatmc` while little is.

Players who do not see the board differ from players who do by what is hidden, so that is when a
search that minds the difference may be worth its price; where little is hidden, flat Monte Carlo
does the same and is quicker.

Source: the last idea of Buron, A Study of Monte Carlo Methods for Phantom Go (2013), chapter 6,
not built there. Our own: how much is hidden is the number of hidden stones; so the opening, in
which the thesis saw its two-level player err most (section 5.1), is left to flat Monte Carlo too.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bots.decision import Decision
from bots.flatmc import FlatMC
from bots.spec import Bot, like, parameter
from bots.twolevel import TwoLevel
from phantomgo.points import Move, Point
from phantomgo.view import View


@dataclass(frozen=True)
class Hybrid(Bot):
    kind: ClassVar[str] = "hybrid"
    glance: ClassVar[Mapping[str, int]] = {**TwoLevel.glance, "flat": 200}
    resign: int = like(TwoLevel, "resign")
    time: float = like(TwoLevel, "time")
    inner: int = like(TwoLevel, "inner")
    horizon: int = like(TwoLevel, "horizon")
    playouts: int = like(TwoLevel, "playouts")
    rave: int = like(TwoLevel, "rave")
    hidden: int = parameter(5, 0, 361, "two-level while at least so many stones are hidden")
    flat: int = parameter(500_000, 1, 10**9, "playouts of a decision while fewer are")

    @property
    def pure(self) -> bool:
        return not self.time

    def propose(self, view: View) -> Move:
        return self._player(view).propose(view)

    def propose_within(self, view: View, seconds: float) -> Move:
        return self._player(view).propose_within(view, seconds)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        return self._player(view).decide(view, seconds)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        return self._player(view).stone_shares(view)

    def warm_up(self, size: int) -> None:
        self._two_level.warm_up(size)

    def _player(self, view: View) -> Bot:
        """Who decides in this view."""
        if view.hidden >= self.hidden:
            return self._two_level
        return FlatMC(self.seed, playouts=self.flat, time=self.time)

    @property
    def _two_level(self) -> TwoLevel:
        return TwoLevel(
            self.seed, self.resign, self.time, self.inner, self.horizon, self.playouts, self.rave
        )
