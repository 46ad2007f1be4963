"""`hybrid`: `twolevel` while much is hidden, `flatmc` while little is.

Players who do not see the board differ from players who do by what is hidden, so that is when a
search that minds the difference may be worth its price; where little is hidden, flat Monte Carlo
does the same and is quicker.

Source: the last idea of Buron, A Study of Monte Carlo Methods for Phantom Go (2013), chapter 6,
not built there. Our own: how much is hidden is the number of hidden stones; so the opening, in
which the thesis saw its two-level player err most (section 5.1), is left to flat Monte Carlo too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bots.flatmc import FlatMC
from bots.spec import parameter
from bots.twolevel import TwoLevel
from phantomgo.points import Move
from phantomgo.view import View


@dataclass(frozen=True)
class Hybrid(TwoLevel):
    kind: ClassVar[str] = "hybrid"
    glance: ClassVar[Mapping[str, int]] = {**TwoLevel.glance, "flat": 200}
    hidden: int = parameter(5, 0, 361, "two-level while at least so many stones are hidden")
    flat: int = parameter(500_000, 1, 10**9, "playouts of a decision while fewer are")

    def propose_within(self, view: View, seconds: float) -> Move:
        if view.hidden >= self.hidden:
            return super().propose_within(view, seconds)
        return FlatMC(self.seed, playouts=self.flat, time=self.time).propose_within(view, seconds)
