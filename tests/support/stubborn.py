"""A bot that attempts its own stones as often as it draws, to be refused."""

import math
from dataclasses import dataclass

import phantomgo as pg
from phantomgo.player import Decision
from phantomgo.points import members


@dataclass(frozen=True)
class Stubborn(pg.Bot):
    """Refused 0 to 4 times in every turn where it has stones of its own."""

    def decide(self, view, _seconds=math.inf):
        """An own stone until it has been refused as often as it drew, then any open point."""
        stream = self.stream(view._replace(refusals=0))
        wanted, own = stream.below(5), list(members(view.own))
        open_points = [
            n for n in range(view.rules.size**2) if not (view.own | view.located) >> n & 1
        ]
        shift = stream.below(10**6)
        if own and view.refusals < wanted:
            return Decision(own[(shift + view.refusals) % len(own)])
        return Decision(open_points[(shift + view.refusals) % len(open_points)])
