"""Points, sets of points, colours and their text.

A point is an int, `row * size + column`, row 0 being GTP's row 1 (the bottom one) and column 0
GTP's column A. A set of points is an int too, with bit p set when point p is in it: sets are
immutable, hashable and quick to join, and `members` lists them.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache
from typing import Final, TypeAlias

from phantomgo.checks import shown
from phantomgo.errors import BadText
from phantomgo.values import checked_int

Point: TypeAlias = int
Move: TypeAlias = int
"""A point, PASS or RESIGN."""
PointSet: TypeAlias = int

PASS: Final[Move] = -1
RESIGN: Final[Move] = -2

MIN_SIZE: Final = 2
MAX_SIZE: Final = 19
COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"


class Colour(IntEnum):
    """A side. The values are the cell values of the kernels; 0 is an empty point."""

    BLACK = 1
    WHITE = 2

    @property
    def other(self) -> "Colour":
        return _OTHER[self]

    @property
    def letter(self) -> str:
        """`b` or `w`, as the protocol writes it."""
        return "bw"[self - 1]

    @property
    def word(self) -> str:
        """`black` or `white`, as options, links and files have it."""
        return self.name.lower()

    def __str__(self) -> str:
        return "Black" if self is Colour.BLACK else "White"


BLACK: Final = Colour.BLACK
WHITE: Final = Colour.WHITE
_OTHER: Final = {BLACK: WHITE, WHITE: BLACK}
_OFF_BOARD: Final = "off-board"


def members(points: PointSet) -> Iterator[Point]:
    """The points of a set in board order, lowest first.

    Raises:
        BadText: it is negative, as `~points` is: the complement needs a board.
    """
    if points < 0:
        raise BadText(f"{shown(points)} is not a set of points: it is negative")
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def point_set(points: Iterable[Point]) -> PointSet:
    """The set of these points."""
    result = 0
    for point in points:
        result |= 1 << point
    return result


class Grid:
    """The geometry of one board size; get it from `grid(size)`.

    Attributes:
        size: points per side.
        points: points on the board.
        full: the set of all points.
        neighbours: for each point, the set of the two to four points next to it.
        diagonals: for each point, the set of the one to four points diagonal to it.
    """

    __slots__ = ("_not_first", "_not_last", "diagonals", "full", "neighbours", "points", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.points = size * size
        self.full: PointSet = (1 << self.points) - 1
        first_column = point_set(range(0, self.points, size))
        self._not_first = self.full ^ first_column
        self._not_last = self.full ^ (first_column << (size - 1))
        self.neighbours = tuple(self.beside(1 << p) for p in range(self.points))
        self.diagonals = tuple(
            self._sideways(((1 << p) << size | (1 << p) >> size) & self.full)
            for p in range(self.points)
        )

    def _sideways(self, points: PointSet) -> PointSet:
        return (points & self._not_last) << 1 | (points & self._not_first) >> 1

    def beside(self, points: PointSet) -> PointSet:
        """The points that have a neighbour in the set, inside it or not."""
        # Written out, as `grow` and `flood` are: most of a game's time outside kernels goes there.
        columns = (points & self._not_last) << 1 | (points & self._not_first) >> 1
        return (points << self.size | points >> self.size | columns) & self.full

    def grow(self, points: PointSet) -> PointSet:
        """The set and every point next to it."""
        columns = (points & self._not_last) << 1 | (points & self._not_first) >> 1
        return (points | points << self.size | points >> self.size | columns) & self.full

    def border(self, points: PointSet) -> PointSet:
        """The points next to the set, without the set."""
        return self.beside(points) & ~points

    def flood(self, start: PointSet, within: PointSet) -> PointSet:
        """Every point of `within` that is connected to `start` through `within`."""
        size, not_first, not_last = self.size, self._not_first, self._not_last
        reached = start & within
        while reached != within:
            columns = (reached & not_last) << 1 | (reached & not_first) >> 1
            wider = (reached | reached << size | reached >> size | columns) & within
            if wider == reached:
                break
            reached = wider
        return reached


@cache
def grid(size: int) -> Grid:
    """The geometry of a board of `size` x `size` points."""
    return Grid(size)


def vertex(move: Move, size: int) -> str:
    """The GTP text of a move: `D4`, `pass` or `resign`.

    Raises:
        BadText: it is neither a point of the board nor the one that represents all points off it.
    """
    if move == PASS:
        return "pass"
    if move == RESIGN:
        return "resign"
    if not (MIN_SIZE <= size <= MAX_SIZE and 0 <= move <= size * size):
        what = f"{shown(size)}x{shown(size)}"
        raise BadText(f"move {shown(move)} is not a point of a {what} board")
    row, column = divmod(move, size)
    return f"{COLUMNS[column]}{row + 1}"


def vertices(points: PointSet, size: int) -> str:
    """The GTP texts of a set of points in board order, separated by spaces."""
    return " ".join(vertex(p, size) for p in members(points))


def parse_move(text: str, size: int) -> Move:
    """Read a GTP vertex: a point of the board or `pass`, in any case.

    Raises:
        BadText: the text is not a vertex of a board of this size, or no board has it.
    """
    if not MIN_SIZE <= size <= MAX_SIZE:
        checked_int("size", size, MIN_SIZE, MAX_SIZE)
    if text.lower() == "pass":
        return PASS
    letter, digits = text[:1].upper(), text[1:]
    column = COLUMNS.find(letter) if letter else -1
    if 0 <= column < size and digits.isascii() and digits.isdecimal() and len(digits) <= 3:
        row = int(digits) - 1
        if 0 <= row < size:
            return row * size + column
    last = f"{COLUMNS[size - 1]}{size}"
    raise BadText(f"{text[:20]!r} is not a vertex of a {size}x{size} board (A1 to {last}, or pass)")


def attempt_text(move: Move, size: int) -> str:
    """An attempt as records write it: `D4`, `pass`, `resign`, or `off-board`."""
    return _OFF_BOARD if move >= size * size else vertex(move, size)


def parse_attempt(text: str, size: int) -> Move:
    """Read an attempt; any point off the board becomes the number of points."""
    if text == "resign":
        return RESIGN
    return size * size if text == _OFF_BOARD else parse_move(text, size)


def parse_points(texts: Iterable[str], size: int) -> PointSet:
    """Read GTP vertices of different points.

    Raises:
        BadText: one is not a point of a board of this size, or is there twice.
    """
    found = 0
    for text in texts:
        point = parse_move(text, size)
        if point == PASS:
            raise BadText(f"{text[:20]!r} is not a point")
        if found >> point & 1:
            raise BadText(f"{text[:20]!r} is named twice")
        found |= 1 << point
    return found


def parse_colour(text: str) -> Colour:
    """Read `b`, `black`, `w` or `white`, in any case.

    Raises:
        BadText: anything else.
    """
    colour = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}.get(text.lower())
    if colour is None:
        raise BadText(f"{text[:20]!r} is not a colour (b, black, w or white)")
    return colour
