"""`hybrid`: `twolevel` while many stones are hidden, else `flatmc`.

A search that models what players cannot see may be worth its cost while much is hidden; where
little is hidden, flat Monte Carlo finds the same moves faster.

Source: the last idea of Buron, A Study of Monte Carlo Methods for Phantom Go (2013), chapter 6, not
built there. Our own choice: the number of hidden stones decides, so flat Monte Carlo also plays the
opening, where the thesis saw its two-level player err most (section 5.1).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bots.bot import parameter
from bots.flatmc import FlatMC
from bots.twolevel import TwoLevel
from phantomgo.game.player import Decision
from phantomgo.game.view import View


@dataclass(frozen=True)
class Hybrid(TwoLevel):
    kind: ClassVar[str] = "hybrid"
    probe: ClassVar[Mapping[str, int]] = {**TwoLevel.probe, "flat": 200}
    hidden: int = parameter(5, 0, 361, "two-level while at least this many stones are hidden")
    flat: int = parameter(500_000, 1, 10**9, "playouts per decision while fewer are")

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        if view.hidden >= self.hidden:
            return super().decide(view, seconds)
        return self._flat.decide(view, seconds)

    @property
    def _flat(self) -> FlatMC:
        return FlatMC(self.game, self.seed, resign=self.resign, time=self.time, playouts=self.flat)
