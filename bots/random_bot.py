"""`random`: any candidate, all equally likely; passes if there is none.

The floor every other player is measured against. It never fills its own true eyes, so its games
end.
"""

from dataclasses import dataclass
from typing import ClassVar

from bots.belief import candidates
from bots.spec import Bot
from phantomgo.points import PASS, Move, members
from phantomgo.view import View


@dataclass(frozen=True)
class RandomBot(Bot):
    kind: ClassVar[str] = "random"

    def propose(self, view: View) -> Move:
        points = list(members(candidates(view)))
        if not points:
            return PASS
        return points[self.stream(view).below(len(points))]
