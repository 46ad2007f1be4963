"""When a Monte Carlo player passes.

Random playouts hardly ever favour a pass, so passing has rules of its own. Beside the case that no
candidate is left, a player considers to pass after the opponent's pass, and when nothing is left
but points of the enemy's territory; he does if passing wins at least as often as his best
candidate, or surely.

Passing as soon as the playouts call the game won was tried and loses games: they are too sure
while many stones are hidden.
"""

from typing import Final

import numpy as np

from bots.worlds import Tally, Worlds
from phantomgo.points import PASS, PointSet, grid, members
from phantomgo.view import View

SURE: Final = 0.98
"""A share of wins that counts as won."""

WORLDS: Final = 200
"""Determinizations that judge a pass."""


def better_pass(view: View, worlds: Worlds, best: float, key: int) -> bool:
    """Whether to pass rather than to attempt the best candidate.

    Args:
        view: what the player knows.
        worlds: the determinizations of that view.
        best: the best candidate's share of wins.
        key: the random stream for judging the pass.
    """
    if not (view.opponent_passed or only_enemy_territory(view)):
        return False
    return pass_value(view, worlds, key) >= min(best, SURE)


def pass_value(view: View, worlds: Worlds, key: int) -> float:
    """The share of worlds that a pass wins.

    After the opponent's pass ours ends the game, and the board counts as it stands. Otherwise he
    may pass too or play on, whichever is worse for us.
    """
    standing = worlds.standing(key, WORLDS)
    if view.opponent_passed:
        return standing
    tally = Tally(1)
    worlds.play_out(np.array([PASS]), np.zeros(WORLDS, np.int64), key, 0, tally)
    return min(standing, tally.share(0))


def only_enemy_territory(view: View) -> bool:
    """Whether all that is left is one's own eyes and regions that only enemy stones border."""
    if not view.own:
        return False
    geometry = grid(view.rules.size)
    inside: PointSet = geometry.full & ~(view.own | view.located)
    return not any(
        geometry.neighbours[point] & ~view.own
        for point in members(geometry.flood(geometry.beside(view.own) & inside, inside))
    )
