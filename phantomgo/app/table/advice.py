"""Advice from playouts: what to attempt, who is winning, which moments decided a game.

Call it in a thread: the first answer loads the bots' compiled code.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bots import make
from bots.value import SEEN, calibrated
from phantomgo.app.table.game import GameMoment, TableGame
from phantomgo.app.table.players import ADVISER_SPEC
from phantomgo.outcome import Ending
from phantomgo.player import Decision
from phantomgo.points import BLACK, Move, Point
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYOUTS: Final = 2000
"""Playouts for each position; in 19 of 20 cases the error of the share is below 0.02."""
REVIEWED: Final = 1000
"""Playouts of the reviewer, for each attempt."""


class AttemptVerdict(NamedTuple):
    """The reviewer's word on an attempt, knowing only the view of the player who made it.

    Attributes:
        best: what it would have attempted.
        chance: the player's chance to win; None where it did not search.
        cost: how much less the player's own point promised; None if the two can't be compared.
    """

    best: Move
    chance: float | None
    cost: float | None


def hint(view: View) -> Decision:
    """Return what the adviser would attempt, and why; always the same in the same view."""
    return make(ADVISER_SPEC, 0).decide(view)


def chance(moment: GameMoment, rules: Rules) -> float:
    """Return Black's chance to win, from random playouts of the true board."""
    from bots.worlds import seen_share  # noqa: PLC0415  (compiled code, half a second)

    colour = moment.to_move
    own, enemy = (moment.board.stones(side) for side in (colour, colour.other))
    view = moment.view(colour)
    share = seen_share(own, enemy, rules, colour, view.turn, PLAYOUTS)
    value = calibrated(SEEN, share, PLAYOUTS, view)
    return value if colour is BLACK else 1 - value


def chances(game: TableGame) -> list[float]:
    """Return Black's chance to win at each moment.

    A refused attempt changes nothing, and a game that was scored is judged by its result. Who was
    to move after the first of two passes could choose that result, or play on.
    """
    line: list[float] = []
    for number, moment in enumerate(game.moments):
        if line and moment.step is not None and moment.board == game.moments[number - 1].board:
            line.append(line[-1])
        else:
            line.append(chance(moment, game.rules))
    outcome = game.outcome
    if outcome is not None and outcome.margin is not None:
        line[-1] = {None: 0.5, BLACK: 1.0}.get(outcome.winner, 0.0)
        if outcome.ending is Ending.SCORE:
            begun = max(number for number in game.turn_ends() if number < len(game.steps))
            better = max if game.steps[-1].colour is BLACK else min
            line[begun:-1] = [better(line[begun], line[-1])] * (len(game.steps) - begun)
    return line


def verdict(view: View, move: Move) -> AttemptVerdict:
    """Return what the reviewer says of an attempt that was made in this view."""
    from bots.phantom import Phantom  # noqa: PLC0415  (compiled code, half a second)

    chooses, weighs = (Phantom(seed, playouts=REVIEWED) for seed in range(2))
    decision = chooses.decide(view)
    best, cost = decision.move, 0.0 if decision.move == move else None
    if best != move and {best, move} <= {candidate.point for candidate in decision.candidates}:
        # Compare by fresh playouts: those that chose the best point overrate it.
        two = weighs.among(view, 1 << best | 1 << move)
        values = {candidate.point: candidate.value for candidate in two}
        cost = max(values[best] - values[move], 0.0)
    return AttemptVerdict(best, decision.value, cost)


def belief(view: View) -> dict[Point, float]:
    """Return how likely an enemy stone is on each point."""
    return dict(make(ADVISER_SPEC, 0).stone_probabilities(view))


def turning_points(game: TableGame, shares: Sequence[float], count: int) -> list[tuple[int, float]]:
    """Return the attempts that changed Black's chance most: number and change, greatest first."""
    changes = [(n, shares[n] - shares[n - 1]) for n in range(1, len(game.moments))]
    changes.sort(key=lambda change: -abs(change[1]))
    return [(number, change) for number, change in changes[:count] if change]
