"""The visible state of a board, as a value: the contract between a table and its interfaces.

An interface draws a `Scene` with characters (phantomgo/app/play) or as SVG (phantomgo/app/web). It
shows nothing that is not in a scene.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from gtp.handicap import star_points
from phantomgo.game.board import Board
from phantomgo.game.messages import Accepted, Moved, Refused
from phantomgo.game.points import BLACK, Colour, Point, PointSet
from phantomgo.game.record import RecordedAttempt
from phantomgo.game.view import View

_NO_HEAT: Final[Mapping[Point, float]] = MappingProxyType({})


class Scene(NamedTuple):
    """The visible state of a board.

    Attributes:
        refused: points where the player was refused, for an uncertain reason.
        gone: points from which stones were just captured.
        marks: the player's guesses of enemy stones.
        enemy: the colour guessed at.
        last: the point of the last move.
        bounced: the point of the player's last attempt, if it was refused.
        heat: the probability of a hidden stone, by point.
        black_area: points that count for Black at the end.
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
    bounced: Point | None = None

    def tens(self, point: Point) -> int:
        """Return the probability of a hidden stone in tens of per cent, rounded."""
        return int(10 * self.heat.get(point, 0.0) + 0.5)


def view_scene(
    view: View,
    marks: PointSet = 0,
    heat: Mapping[Point, float] = _NO_HEAT,
    hint: Point | None = None,
) -> Scene:
    """Return what a player knows, and their own marks."""
    gone, last = 0, None
    for message in reversed(view.events):
        if isinstance(message, Moved):
            gone |= message.lost
        elif isinstance(message, Accepted):
            gone |= message.taken or 0
            last = message.move if message.move >= 0 else None
            break
    black, white = (view.stones(colour) for colour in Colour)
    gone, enemy = gone & ~(black | white), view.colour.other
    stones = view.rules.size, black, white, view.refused_points
    latest = view.events[-1] if view.events else None
    bounced = latest.move if isinstance(latest, Refused) else None
    return Scene(*stones, gone, marks, enemy, last, hint, heat, bounced=bounced)


def true_scene(board: Board, step: RecordedAttempt | None) -> Scene:
    """Return the full board after this attempt; a refused one is shown where no stone is."""
    if step is None or step.move < 0:
        return Scene(board.size, board.black, board.white)
    refused = 0 if step.reason is None else 1 << step.move
    return Scene(board.size, board.black, board.white, refused, last=step.move)


@cache
def stars(size: int) -> PointSet:
    """Return the star points: nine, five, four, or the middle."""
    if size < 7:
        return 1 << size * size // 2 if size % 2 and size > 3 else 0
    count = 4 if size % 2 == 0 else 9 if size >= 15 else 5
    return sum(1 << point for point in star_points(size, count))
