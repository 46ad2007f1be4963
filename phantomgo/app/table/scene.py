"""What is to be seen on a board, as a value: the contract between a table and its fronts.

A front draws a `Scene` as it likes: with characters (phantomgo/app/play), as SVG
(phantomgo/app/web). Whatever is in no scene is on no screen.
"""

from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from gtp.handicap import star_points
from phantomgo.board import Board
from phantomgo.messages import Accepted, Moved
from phantomgo.points import BLACK, Colour, Point, PointSet
from phantomgo.record import Step
from phantomgo.view import View

SHADES: Final = (0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
"""How likely a hidden stone is, at the least, where the map has shade 1, 2 ... 9. A shade means the
same on every map, and even small chances can be told apart."""
_NO_HEAT: Final[Mapping[Point, float]] = MappingProxyType({})


class Scene(NamedTuple):
    """What is to be seen on a board.

    Attributes:
        size: points per side.
        black: black stones to show.
        white: white stones to show.
        refused: points refused, cause uncertain.
        gone: points from which stones were just captured.
        marks: where the player has put a guess.
        enemy: the colour guessed at.
        last: the point of the last move.
        hint: a point to draw attention to.
        heat: for points, how likely a hidden stone stands there.
        black_area: what counts for Black at the end.
        white_area: what counts for White.
    """

    size: int
    black: PointSet = 0
    white: PointSet = 0
    refused: PointSet = 0
    gone: PointSet = 0
    marks: PointSet = 0
    enemy: Colour = BLACK
    last: Point | None = None
    hint: Point | None = None
    heat: Mapping[Point, float] = _NO_HEAT
    black_area: PointSet = 0
    white_area: PointSet = 0

    def shade(self, point: Point) -> int:
        """How dark `heat` is drawn on a point, 1 to 9 by `SHADES`; 0 for not at all."""
        return bisect_right(SHADES, self.heat.get(point, 0))


def view_scene(
    view: View,
    marks: PointSet = 0,
    heat: Mapping[Point, float] = _NO_HEAT,
    hint: Point | None = None,
) -> Scene:
    """What a player knows, and their own marks."""
    gone, last = 0, None
    for message in reversed(view.events):
        if isinstance(message, Moved):
            gone |= message.lost
        elif isinstance(message, Accepted):
            gone |= message.taken or 0
            last = message.move if message.move >= 0 else None
            break
    black, white = (view.stones(colour) for colour in Colour)
    return Scene(
        view.rules.size,
        black,
        white,
        view.refused_points,
        gone & ~(black | white),
        marks,
        view.colour.other,
        last,
        hint,
        heat,
    )


def true_scene(board: Board, step: Step | None) -> Scene:
    """The truth after this attempt: a refused one is shown as such where no stone stands."""
    points = board.size * board.size
    point = None if step is None or not 0 <= step.move < points else step.move
    refused = 0
    if point is not None and step is not None and step.reason is not None:
        refused = 1 << point
    return Scene(board.size, board.black, board.white, refused, last=point)


@cache
def stars(size: int) -> PointSet:
    """The points that boards are marked at: nine, five, or the middle."""
    if size < 7:
        return 1 << size * size // 2 if size % 2 and size > 3 else 0
    count = 4 if size % 2 == 0 else 9 if size >= 15 else 5
    return sum(1 << point for point in star_points(size, count))
