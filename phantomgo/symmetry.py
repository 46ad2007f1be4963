"""The eight symmetries of the board, on points, messages and views.

A symmetry is a number from 0 to 7, three bits that act one after the other: 4 swaps rows and
columns, then 2 turns the rows over, then 1 turns the columns over. 0 leaves everything in place.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

from phantomgo.log import Log
from phantomgo.messages import Accepted, Message, Moved, Placed, Refused
from phantomgo.points import Move, Point, PointSet, members, point_set
from phantomgo.view import View

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
def keeping(points: PointSet, size: int) -> Sequence[Symmetry]:
    """The symmetries under which these points are where they were: 1, 2, 4 or all 8 of them."""
    return [g for g in SYMMETRIES if map_points(g, points, size) == points]


@lru_cache(1 << 14)
def map_message(symmetry: Symmetry, message: Message, size: int) -> Message:
    """The message on the mapped board."""
    match message:
        case Accepted(move, captured, taken):
            mapped = map_points(symmetry, taken, size) if taken else taken
            return Accepted(map_move(symmetry, move, size), captured, mapped)
        case Refused(move, reason):
            return Refused(map_move(symmetry, move, size), reason)
        case Moved(lost) if lost:
            return Moved(map_points(symmetry, lost, size))
        case Placed(colour, points):
            return Placed(colour, map_points(symmetry, points, size))
        case _:
            return message


def map_view(symmetry: Symmetry, view: View) -> View:
    """The view of a player who received the mapped messages.

    Its deductions are mapped rather than made anew from the messages. The result is the same, as no
    deduction depends on direction, in a quarter of the time.
    """
    if symmetry == IDENTITY:
        return view
    size = view.rules.size
    image = images(symmetry, size)
    return view._replace(
        events=Log(map_message(symmetry, message, size) for message in view.events),
        own=map_points(symmetry, view.own, size),
        located=map_points(symmetry, view.located, size),
        refused=tuple(
            r._replace(point=image[r.point], changed=map_points(symmetry, r.changed, size))
            for r in view.refused
        ),
        vacant=map_points(symmetry, view.vacant, size),
    )


def keeping_view(view: View) -> Sequence[Symmetry]:
    """The symmetries under which all messages to a player stay the same."""
    size, own = view.rules.size, list(members(view.own))
    return [
        g
        for g in SYMMETRIES
        if all(view.own >> images(g, size)[p] & 1 for p in own) and map_view(g, view) == view
    ]
