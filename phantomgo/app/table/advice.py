"""Advice from playouts in a view: the best attempt, and the probable hidden stones.

Call it in a thread: the first answer loads the bots' compiled code.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from bots import make
from bots.belief import candidates
from phantomgo.app.table.players import ADVISER_SPEC
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import Move, Point
from phantomgo.game.view import View

if TYPE_CHECKING:
    from bots.phantom import Phantom

REVIEWED: Final = 2000
"""Playouts of the reviewer, for each attempt."""
COMPARED: Final = 4000
"""Playouts that compare an attempt with the reviewer's; the error of the difference is 0.02."""
DOUBTED: Final = 0.03
"""The cost from which they are compared again: the greatest of many are overrated."""
CONFIRMED: Final = 32_000
"""Playouts of the second comparison, whose error is 0.007."""


class AttemptVerdict(NamedTuple):
    """The reviewer's evaluation of an attempt, from the view of the player who made it.

    Attributes:
        best: the attempt that it prefers.
        chance: the player's win probability; None where it did not search.
        cost: how much lower the win probability of the player's own point was; None if the two
            can't be compared.
    """

    best: Move
    chance: float | None
    cost: float | None


def hint(view: View) -> Decision:
    """Return the adviser's attempt with its evaluation, always the same in the same view."""
    return make(ADVISER_SPEC, Game.of(view), 0).decide(view)


def verdict(view: View, move: Move) -> AttemptVerdict:
    """Return the reviewer's evaluation of an attempt that was made in this view."""
    from bots.phantom import Phantom  # noqa: PLC0415  (compiled code, half a second)

    decision = Phantom(Game.of(view), 0, playouts=REVIEWED).decide(view)
    best, cost = decision.move, 0.0 if decision.move == move else None
    if best != move and {best, move} <= {candidate.point for candidate in decision.candidates}:
        # Compare by fresh playouts: those that chose the best point overrate it.
        cost = _cost(view, best, move, Phantom(Game.of(view), 1, playouts=COMPARED))
        if cost >= DOUBTED:
            cost = _cost(view, best, move, Phantom(Game.of(view), 2, playouts=CONFIRMED))
    return AttemptVerdict(best, decision.value, cost)


def _cost(view: View, best: Point, move: Point, bot: "Phantom") -> float:
    """The difference of the win probabilities with `best` and `move`, or 0 if it is negative."""
    values = {it.point: it.value for it in bot.among(view, 1 << best | 1 << move)}
    return max(values[best] - values[move], 0.0)


def by_view(view: View, move: Move) -> float | None:
    """Return a player's win probability with a move, by their view; None if no bot considers it."""
    from bots.phantom import Phantom  # noqa: PLC0415  (compiled code, half a second)

    if move < 0 or not candidates(view) >> move & 1:
        return None
    return Phantom(Game.of(view), 1, playouts=REVIEWED).among(view, 1 << move)[0].value


def belief(view: View) -> dict[Point, float]:
    """Return the probability of an enemy stone on each point."""
    return dict(make(ADVISER_SPEC, Game.of(view), 0).stone_probabilities(view))
