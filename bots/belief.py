"""A bot's belief: where hidden stones may be in a view, and which points are worth an attempt.

A view contains only what is certain. A refusal that may be due to an enemy stone or to suicide is
ambiguous; like Cazenave's program (A Phantom-Go Program, 2006), we take it for a stone, unless the
point is an eye of located enemy stones, where suicide is likelier.
"""

from typing import NamedTuple

from phantomgo.game.points import Point, PointSet, grid, members
from phantomgo.game.view import Refusal, View


class Belief(NamedTuple):
    """One player's belief about the board, from which worlds are drawn.

    Attributes:
        own: their stones.
        enemy: enemy stones, located or presumed.
        open: points where the other hidden stones may be.
        hidden: how many of them there are.
    """

    own: PointSet
    enemy: PointSet
    open: PointSet
    hidden: int


def presume_refused(view: View) -> Belief:
    """Presume a stone on each refused point, unless that is impossible or the point is an eye."""
    geometry = grid(view.rules.size)
    known = view.own | view.located
    refused = 0
    for point, _, _ in view.refused:
        refused |= 1 << point
    eyes = view.vacant | (refused & ~geometry.beside(geometry.full & ~known))
    presumed = _placeable(view, refused & ~eyes)
    enemy = view.located | presumed
    open_points = geometry.full & ~(view.own | enemy | eyes)
    hidden = view.hidden - presumed.bit_count()
    return Belief(view.own, enemy, open_points, min(hidden, open_points.bit_count()))


def presume_nothing(view: View) -> Belief:
    """Uniform belief: a hidden stone may be on any point not known to be free of one."""
    room = view.unknown.bit_count()
    return Belief(view.own, view.located, view.unknown, min(view.hidden, room))


def even_probabilities(view: View, belief: Belief) -> dict[Point, float]:
    """The probability of an enemy stone on each point where one may be hidden, equal for all."""
    presumed = dict.fromkeys(members(belief.enemy & ~view.located), 1.0)
    room = belief.open.bit_count()
    return presumed | dict.fromkeys(members(belief.open), belief.hidden / room if room else 0.0)


def _placeable(view: View, suspects: PointSet) -> PointSet:
    """As many of these points as can have hidden stones while every chain has a liberty."""
    if not suspects:
        return 0
    size = view.rules.size
    if suspects.bit_count() <= view.hidden and _all_breathe(
        view.own, view.located | suspects, size
    ):
        return suspects
    placed = 0
    for point in members(suspects):
        more = placed | 1 << point
        if more.bit_count() <= view.hidden and _all_breathe(view.own, view.located | more, size):
            placed = more
    return placed


def candidates(view: View, belief: Belief | None = None) -> PointSet:
    """The points worth an attempt.

    All points except own stones, located or presumed enemy stones, own true eyes, and points that
    would certainly be refused again. The belief is `presume_refused` of the view unless another is
    given.
    """
    belief = presume_refused(view) if belief is None else belief
    points = grid(view.rules.size).full & ~(view.own | belief.enemy)
    for refusal in view.refused:
        stone = 1 << refusal.point
        if points & stone and still_refused(view, refusal):
            points ^= stone
    return points & ~true_eyes(view.own, belief.enemy, view.rules.size)


def still_refused(view: View, refusal: Refusal) -> bool:
    """True if no change was seen near a point since it was refused.

    "Near" means the known chains around the point and everything next to them: a suicide becomes a
    capture when the enemy chain around it has lost its other liberties, and a legal move when a
    chain of ours around it gains one.
    """
    if not refusal.changed:
        return True
    geometry = grid(view.rules.size)
    stone, beside = 1 << refusal.point, geometry.neighbours[refusal.point]
    chains = geometry.flood(beside, view.located) | geometry.flood(beside, view.own)
    return not geometry.grow(chains | stone) & refusal.changed


def true_eyes(own: PointSet, enemy: PointSet, size: int) -> PointSet:
    """The one-point eyes of `own` that no enemy stone breaks.

    All neighbours are own stones, and the enemy has at most one of the diagonals, none at the edge.
    """
    geometry = grid(size)
    eyes = geometry.full & ~(own | enemy | geometry.beside(geometry.full & ~own))
    for point in members(eyes):
        diagonals = geometry.diagonals[point]
        if (diagonals & enemy).bit_count() >= (2 if diagonals.bit_count() == 4 else 1):
            eyes ^= 1 << point
    return eyes


def _all_breathe(own: PointSet, enemy: PointSet, size: int) -> bool:
    """True if every chain has a liberty."""
    geometry = grid(size)
    near_empty = geometry.grow(geometry.full & ~(own | enemy))
    return geometry.flood(near_empty, own) == own and geometry.flood(near_empty, enemy) == enemy
