"""What playouts say: where enemy stones probably are, what to attempt, who was winning.

Imported in a thread: the bots bring the compiler of their kernels.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from bots import make
from bots.belief import Belief, true_eyes
from bots.worlds import Tally, Worlds, as_array
from phantomgo.app.table.game import Game, Moment
from phantomgo.points import BLACK, PASS, Move, grid
from phantomgo.rng import decision_key
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYOUTS: Final = 2000
"""Of a position that is judged; the share is off by less than 0.02 in nineteen of twenty."""


def hint(view: View, spec: str) -> Move:
    """What this bot would attempt; always the same in the same view."""
    return make(spec, 0).propose(view)


def chance(moment: Moment, rules: Rules) -> float:
    """Black's share of wins in random playouts from the true board."""
    colour = moment.to_move
    own, enemy = (moment.board.stones(side) for side in (colour, colour.other))
    belief = Belief(own, enemy, open=0, hidden=0)
    points = grid(rules.size).full & ~(own | enemy | true_eyes(own, enemy, rules.size))
    candidates = as_array(points, rules.size) if points else np.array([PASS])
    jobs = np.arange(PLAYOUTS) % len(candidates)
    tally = Tally(len(candidates))
    key = decision_key(0, colour, moment.view(colour).turn, 0)
    Worlds(belief, rules, colour).play_out(candidates, jobs, key, 0, tally)
    share = int(tally.wins.sum()) / PLAYOUTS
    return share if colour is BLACK else 1 - share


def chances(game: Game, done: Callable[[int], None]) -> list[float]:
    """Black's chance of winning at each moment; `done` is told of each one judged.

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


def turning_points(game: Game, shares: list[float], count: int) -> list[tuple[int, float]]:
    """The attempts that changed Black's chance most, by number, with the change; greatest first."""
    changes = [
        (number, shares[number] - shares[number - 1]) for number in range(1, len(game.moments))
    ]
    changes.sort(key=lambda change: -abs(change[1]))
    return [(number, change) for number, change in changes[:count] if change]
