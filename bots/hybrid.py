"""`hybrid`: `twolevel` while many stones are hidden, else `flatmc`.

A search that models what players cannot see may be worth its cost while much is hidden; where
little is hidden, flat Monte Carlo finds the same moves faster.

Source: the last idea of Buron, A Study of Monte Carlo Methods for Phantom Go (2013), chapter 6, not
built there. Our own choice: the number of hidden stones decides, so flat Monte Carlo also plays the
opening, where the thesis saw its two-level player err most (section 5.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bots.flatmc import FlatMC
from bots.spec import Bot, Delegate, like, parameter
from bots.twolevel import TwoLevel
from phantomgo.view import View


@dataclass(frozen=True)
class Hybrid(Delegate):
    kind: ClassVar[str] = "hybrid"
    glance: ClassVar[Mapping[str, int]] = {**TwoLevel.glance, "flat": 200}
    resign: int = like(TwoLevel, "resign")
    time: float = like(TwoLevel, "time")
    inner: int = like(TwoLevel, "inner")
    horizon: int = like(TwoLevel, "horizon")
    playouts: int = like(TwoLevel, "playouts")
    rave: int = like(TwoLevel, "rave")
    hidden: int = parameter(5, 0, 361, "two-level while at least this many stones are hidden")
    flat: int = parameter(500_000, 1, 10**9, "playouts of a decision while fewer are")

    @property
    def players(self) -> tuple[Bot, ...]:
        return self._two_level, self._flat

    def player(self, view: View) -> Bot:
        return self._two_level if view.hidden >= self.hidden else self._flat

    @property
    def _two_level(self) -> TwoLevel:
        return TwoLevel(
            self.seed, self.resign, self.time, self.inner, self.horizon, self.playouts, self.rave
        )

    @property
    def _flat(self) -> FlatMC:
        return FlatMC(self.seed, playouts=self.flat, time=self.time)
