"""A bot's answer to a view: a move, and the search it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from phantomgo.points import Move, Point
from phantomgo.view import View

if TYPE_CHECKING:
    from bots.spec import Bot


class Candidate(NamedTuple):
    """A point that was considered, and how its playouts ended.

    Attributes:
        point: the point.
        visits: playouts that began there; at least one.
        share: the share of them that were won.
        value: the calibrated chance to win, from 0 to 1: how often best candidates with this share
            have won games (bots/value.py).
        lead: the points by which they were won, on average; negative if lost. Komi is counted.
        amaf_visits: playouts of any candidate in which the point was played before the enemy
            played there (all moves as first); 0 where a bot does not count them.
        amaf_share: the share of those that were won; None if there are none.
    """

    point: Point
    visits: int
    share: float
    value: float
    lead: float
    amaf_visits: int = 0
    amaf_share: float | None = None


@dataclass(frozen=True)
class Decision:
    """A bot's answer to a view.

    Attributes:
        bot: who decided.
        view: what they knew.
        move: what they attempt: a point, PASS or RESIGN.
        candidates: the points they considered, the best first; none if they did not search.
        share: the share of playouts that the best candidate won; None without candidates. The
            search maximizes it; as a chance to win it is far too optimistic.
        value: the chance to win: that of the best candidate; None without candidates.
    """

    bot: Bot
    view: View
    move: Move
    candidates: tuple[Candidate, ...] = ()
    share: float | None = None
    value: float | None = None

    @cached_property
    def stone_shares(self) -> Mapping[Point, float]:
        """The belief behind the decision: `Bot.stone_shares`, computed when read."""
        return self.bot.stone_shares(self.view)

    def turned(self, bot: Bot, view: View, place: Callable[[Move], Move]) -> Decision:
        """The same decision on another bot's board; `place` maps each move to that board."""
        candidates = tuple(c._replace(point=place(c.point)) for c in self.candidates)
        return replace(self, bot=bot, view=view, move=place(self.move), candidates=candidates)
