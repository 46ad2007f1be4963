"""Advice from playouts: what to attempt, who is winning, which moments decided a game.

Call it in a thread: the first answer loads the bots' compiled code.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bots import make
from bots.decision import Decision
from bots.value import SEEN
from bots.value import chance as chance_to_win
from phantomgo.app.table.game import Game, Moment
from phantomgo.app.table.players import ADVISER
from phantomgo.points import BLACK, Colour
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYOUTS: Final = 2000
"""For each position that is judged; the share is off by less than 0.02 in nineteen of twenty."""
VIEW_PLAYOUTS: Final = 300
"""For each view that the adviser judges."""


def hint(view: View, spec: str) -> Decision:
    """Return what this bot would attempt, and why; always the same in the same view."""
    return make(spec, 0).decide(view)


def chance(moment: Moment, rules: Rules) -> float:
    """Return Black's chance to win, from random playouts of the true board."""
    from bots.worlds import seen_share  # noqa: PLC0415  (compiled code, half a second)

    colour = moment.to_move
    own, enemy = (moment.board.stones(side) for side in (colour, colour.other))
    view = moment.view(colour)
    share = seen_share(own, enemy, rules, colour, view.turn, PLAYOUTS)
    value = chance_to_win(SEEN, share, PLAYOUTS, view)
    return value if colour is BLACK else 1 - value


def chances(game: Game, done: Callable[[int], None]) -> list[float]:
    """Return Black's chance to win at each moment; `done` is called with the number judged.

    A refused attempt changes nothing, and a game that was scored is judged by its result.
    """
    found: list[float] = []
    for number, moment in enumerate(game.moments):
        if found and moment.step is not None and moment.board == game.moments[number - 1].board:
            found.append(found[-1])
        else:
            found.append(chance(moment, game.rules))
        done(number + 1)
    outcome = game.outcome
    if outcome is not None and outcome.margin is not None:
        found[-1] = {None: 0.5, BLACK: 1.0}.get(outcome.winner, 0.0)
    return found


def view_chances(game: Game, colour: Colour) -> list[float]:
    """Return Black's chance to win at each moment, from one player's view.

    The adviser judges the view whenever that player is to attempt; the value holds until then.
    """
    adviser = make(f"{ADVISER}:playouts={VIEW_PLAYOUTS}", 0)
    found, latest = [], 0.5
    for moment in game.moments:
        view = moment.view(colour)
        if moment.to_move is colour and view.result is None:
            value = adviser.decide(view).value
            if value is not None:
                latest = value if colour is BLACK else 1 - value
        found.append(latest)
    return found


def turning_points(game: Game, shares: Sequence[float], count: int) -> list[tuple[int, float]]:
    """Return the attempts that changed Black's chance most: number and change, greatest first."""
    changes = [(n, shares[n] - shares[n - 1]) for n in range(1, len(game.moments))]
    changes.sort(key=lambda change: -abs(change[1]))
    return [(number, change) for number, change in changes[:count] if change]
