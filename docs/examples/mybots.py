"""A bot of your own, which plays near a corner."""

import math
from dataclasses import dataclass

import phantomgo as pg


@dataclass(frozen=True)
class Corner(pg.Bot):
    """Plays near A1 as long as there is room."""

    reach: int = pg.parameter(4, 1, 19, "how many lines from the edge")

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        size, points = view.rules.size, list(pg.members(pg.candidates(view)))
        near = [p for p in points if p // size < self.reach and p % size < self.reach]
        choices = near or points
        return pg.Decision(choices[self.stream(view).below(len(choices))] if choices else pg.PASS)
