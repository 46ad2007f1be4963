"""`random`: any candidate, all equally likely; passes if there is none.

The baseline of every other player. It never fills its own true eyes, so its games end.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from bots.belief import candidates
from bots.bot import Bot
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS, members
from phantomgo.game.view import View


@dataclass(frozen=True)
class RandomBot(Bot):
    kind: ClassVar[str] = "random"

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        points = list(members(candidates(view)))
        return Decision(points[self.stream(view).below(len(points))] if points else PASS)
