"""The eight symmetries of the board, on points; view.py has them on messages and views.

A symmetry is a number from 0 to 7, three bits that act one after the other: 4 swaps rows and
columns, then 2 turns the rows over, then 1 turns the columns over. 0 leaves everything in place.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from phantomgo.game.points import Move, Point, PointSet, members, point_set

Symmetry: TypeAlias = int

IDENTITY: Final[Symmetry] = 0
SYMMETRIES: Final = range(8)


@cache
def images(symmetry: Symmetry, size: int) -> tuple[Point, ...]:
    """For each point of the board, the point it is mapped to."""
    result = []
    for point in range(size * size):
        row, column = divmod(point, size)
        if symmetry & 4:
            row, column = column, row
        if symmetry & 2:
            row = size - 1 - row
        if symmetry & 1:
            column = size - 1 - column
        result.append(row * size + column)
    return tuple(result)


def inverse(symmetry: Symmetry) -> Symmetry:
    """The symmetry that undoes this one.

    All undo themselves but the two quarter turns, 5 and 6, which undo each other.
    """
    return {5: 6, 6: 5}.get(symmetry, symmetry)


def map_move(symmetry: Symmetry, move: Move, size: int) -> Move:
    """The image of a point; pass, resign and moves off the board stay what they are."""
    return images(symmetry, size)[move] if 0 <= move < size * size else move


def map_points(symmetry: Symmetry, points: PointSet, size: int) -> PointSet:
    """The image of a set of points."""
    image = images(symmetry, size)
    return point_set(image[p] for p in members(points))


@cache
def symmetries_of(points: PointSet, size: int) -> Sequence[Symmetry]:
    """The symmetries under which these points are where they were: 1, 2, 4 or all 8 of them."""
    return [g for g in SYMMETRIES if map_points(g, points, size) == points]
