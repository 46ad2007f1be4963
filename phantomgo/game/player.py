"""The Player protocol: anyone who can be asked for a move, and their answers."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from phantomgo.game.points import Move, Point
from phantomgo.game.view import View


class Candidate(NamedTuple):
    """A point that was considered, with the results of its playouts.

    Attributes:
        point: the point.
        visits: playouts that began there; at least one.
        win_rate: the share of them that were won.
        value: the calibrated win probability: how often best candidates with this win rate have won
            games (bots/value.py).
        lead: the points by which they were won, on average; negative if lost. Komi is counted.
        amaf_visits: playouts of any candidate in which the point was played before the enemy
            played there (all moves as first); 0 where a bot does not count them.
        amaf_win_rate: the share of those that were won; None if there are none.
    """

    point: Point
    visits: int
    win_rate: float
    value: float
    lead: float
    amaf_visits: int = 0
    amaf_win_rate: float | None = None


@dataclass(frozen=True)
class Decision:
    """A player's answer to a view.

    Attributes:
        move: what they attempt: a point, PASS or RESIGN.
        search: returns the points they considered, the best first; none if they did not search.
    """

    move: Move
    search: Callable[[], tuple[Candidate, ...]] = tuple

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The points they considered, the best first, from the search; computed when read."""
        return self.search()

    @property
    def win_rate(self) -> float | None:
        """The share of playouts that the best candidate won; None without candidates.

        The search maximizes it; as a win probability it is far too optimistic.
        """
        return self.candidates[0].win_rate if self.candidates else None

    @property
    def value(self) -> float | None:
        """The calibrated win probability of the best candidate; None without candidates."""
        return self.candidates[0].value if self.candidates else None

    def mapped(self, image: Callable[[Move], Move]) -> "Decision":
        """The same decision on another board, to which `image` maps each move."""
        return Decision(
            image(self.move),
            lambda: tuple(c._replace(point=image(c.point)) for c in self.candidates),
        )


class Player(Protocol):
    """A bot, an engine or a person. It is given only its view."""

    @property
    def name(self) -> str:
        """Its name in records; for a bot, its spec."""

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        """The move to attempt, with its candidates.

        Asked again with the view after the refusal when the referee refuses.

        Args:
            view: what the player knows.
            seconds: for the decision; infinite where time does not matter.
        """
