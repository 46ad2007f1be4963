"""When a Monte Carlo player passes.

Random playouts hardly ever favour a pass, so passing has rules of its own. A player without
candidates passes. Otherwise a player passes

- after the opponent's pass, if the current board is won wherever the hidden stones are;
- when nothing is left but points of the enemy's territory, and passing wins at least as often as
  their best candidate, or surely.

Playouts and sampled worlds are overconfident while many stones are hidden, so a majority of worlds
doesn't justify ending a game (docs/notes/phantom-tried.md).
"""

from typing import Final

import numpy as np

from bots.belief import true_eyes
from bots.worlds import ONLY_JOB, Statistics, Worlds
from phantomgo.game.points import PASS, PointSet, grid
from phantomgo.game.view import View
from phantomgo.rng import mix

SURE: Final = 0.98
"""A share of wins that counts as won."""

WORLDS: Final = 200
"""The number of worlds that evaluate a pass."""


def better_pass(view: View, worlds: Worlds, best: float, key: int) -> bool:
    """True if a pass is better than a candidate that wins the share `best`.

    The pass is evaluated with a random stream derived from that of the decision, `key`.
    """
    if view.opponent_passed and wins_as_it_stands(view):
        return True
    return only_enemy_territory(view) and pass_value(view, worlds, mix(key)) >= min(best, SURE)


def wins_as_it_stands(view: View) -> bool:
    """True if the board is won wherever the hidden stones are."""
    points = grid(view.rules.size).points
    komi = view.rules.komi_for(view.colour)
    if view.hidden:
        area = (view.own | true_eyes(view.own, view.located, view.rules.size)).bit_count()
        return 2 * area - points > komi
    return reach(view, view.own) - reach(view, view.located) > komi  # what both reach cancels out


def reach(view: View, stones: PointSet) -> int:
    """The number of stones and of empty points that they reach, with all stones known."""
    geometry = grid(view.rules.size)
    empty = geometry.full & ~(view.own | view.located)
    return (stones | geometry.flood(geometry.beside(stones) & empty, empty)).bit_count()


def pass_value(view: View, worlds: Worlds, key: int) -> float:
    """The share of worlds that a pass wins.

    After the opponent's pass, ours ends the game and the current board is scored. Otherwise they
    may pass too or continue, whichever is worse for us.
    """
    standing = worlds.standing(key, WORLDS)
    if view.opponent_passed:
        return standing
    stats = Statistics(1)
    worlds.play_out(np.array([PASS]), ONLY_JOB, WORLDS, key, 0, stats)
    return min(standing, stats.win_rate(0))


def only_enemy_territory(view: View) -> bool:
    """True if only own eyes and regions bordered solely by enemy stones are left."""
    geometry = grid(view.rules.size)
    beside_own = geometry.beside(view.own) & ~(view.own | view.located)
    return bool(view.own) and not beside_own & geometry.beside(geometry.full & ~view.own)
