"""What a bot makes of its view: which points to consider, and where the hidden stones may be.

A view holds only certain knowledge. A refusal that an enemy stone or a suicide would explain
alike is not certain; as Cazenave's program does (A Phantom-Go Program, 2006), it is taken for a
stone, unless the point is an eye of located enemy stones: then the suicide is likelier.
"""

from dataclasses import dataclass

from phantomgo.points import PointSet, grid, members
from phantomgo.view import View


@dataclass(frozen=True, slots=True)
class Belief:
    """One player's picture of the board, from which determinizations are drawn.

    Attributes:
        own: his stones.
        enemy: enemy stones, located or presumed.
        open: points where the other hidden stones may stand.
        hidden: how many of them there are.
    """

    own: PointSet
    enemy: PointSet
    open: PointSet
    hidden: int


def believe(view: View) -> Belief:
    """Presume a stone on each refused point where one can stand and no eye explains the refusal."""
    geometry = grid(view.rules.size)
    enemy, eyes = view.located, view.vacant
    hidden = view.hidden
    for point, _ in view.refused:
        stone = 1 << point
        if stone & view.vacant:
            continue
        if not geometry.neighbours[point] & ~(view.own | view.located):
            eyes |= stone
        elif hidden and _all_breathe(view.own, enemy | stone, view.rules.size):
            enemy |= stone
            hidden -= 1
    open_points = geometry.full & ~(view.own | enemy | eyes)
    return Belief(view.own, enemy, open_points, min(hidden, open_points.bit_count()))


def candidates(view: View, belief: Belief) -> PointSet:
    """The points worth an attempt.

    Not one's own stones, not enemy stones located or presumed, not one's own true eyes, and
    nothing that was refused this turn.
    """
    points = grid(view.rules.size).full & ~(view.own | belief.enemy | view.refused_now)
    return points & ~true_eyes(view.own, belief.enemy, view.rules.size)


def true_eyes(own: PointSet, enemy: PointSet, size: int) -> PointSet:
    """The one-point eyes of `own` that no enemy stone breaks.

    All neighbours are own stones, and the enemy holds at most one of the diagonals, none at the
    edge.
    """
    geometry = grid(size)
    eyes = geometry.full & ~(own | enemy | geometry.beside(geometry.full & ~own))
    for point in members(eyes):
        diagonals = geometry.diagonals[point]
        if (diagonals & enemy).bit_count() >= (2 if diagonals.bit_count() == 4 else 1):
            eyes ^= 1 << point
    return eyes


def _all_breathe(own: PointSet, enemy: PointSet, size: int) -> bool:
    """Whether every chain has a liberty."""
    geometry = grid(size)
    near_empty = geometry.grow(geometry.full & ~(own | enemy))
    return all(geometry.flood(near_empty, stones) == stones for stones in (own, enemy))
