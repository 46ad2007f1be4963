"""A view as arrays: the observation and the legal actions of a net or an agent of OpenSpiel."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from phantomgo.game.outcome import Outcome
from phantomgo.game.points import BLACK, WHITE, Colour, PointSet, grid, members
from phantomgo.game.view import View

PLANES: Final = (
    "own stones",
    "located enemy stones",
    "refused, cause uncertain",
    "refused since the last own move",
    "certainly empty",
    "hidden enemy stones, as a fraction of all points",
    "the opponent's last move was a pass",
    "the agent is Black",
)
"""The channels of an observation as planes, in order."""


def planes(view: View) -> NDArray[np.float32]:
    """A view as an array of shape (size, size, 8) with values from 0 to 1.

    Element [row, column] is the point in that row, counted from the bottom, and that column,
    counted from the left. docs/environments.md lists the channels.
    """
    size = view.rules.size
    values = np.zeros((size * size, len(PLANES)), dtype=np.float32)
    sets = view.own, view.located, view.refused_points, view.refused_now, view.vacant
    for channel, points in enumerate(sets):
        values[list(members(points)), channel] = 1
    values[:, -3] = view.hidden / len(values)
    values[:, -2] = view.opponent_passed
    values[:, -1] = view.colour is BLACK
    return values.reshape(size, size, -1)


def attempts(view: View) -> NDArray[np.int8]:
    """The actions that are worth an attempt, as 1 among 0; all 0 when the other agent is to move.

    Own stones, located enemy stones and points refused since the last own move are excluded: the
    referee would certainly refuse them. The other points may be refused.
    """
    size = view.rules.size
    legal = np.zeros(size * size + 1, dtype=np.int8)
    if view.result is None and to_move(view):
        free: PointSet = grid(size).full & ~(view.own | view.located | view.refused_now)
        legal[list(members(free))] = 1
        legal[-1] = 1
    return legal


def to_move(view: View) -> bool:
    """True if the view's player is to move, in a game that began with an empty board."""
    return view.opponent_turn - view.turn == (view.colour is WHITE)


def reward(outcome: Outcome, colour: Colour) -> float:
    """1 for the winner, -1 for the loser, 0 for both after a draw."""
    return 2 * outcome.score(colour) - 1
