"""Handicap: commands that place stones, and GTP's table of where they go."""

from gtp import syntax
from gtp.role import Theme
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadText
from phantomgo.points import BLACK, Point, PointSet, parse_points, point_set, vertex


class Handicap(Theme):
    """Black's stones before the first move, in the open."""

    @command("fixed_handicap")
    def fixed(self, stones: str) -> str:
        size, count = self.role.settings.rules.size, syntax.whole(stones)
        if size < 7 or not 2 <= count <= most(size):
            raise Failure("invalid number of stones")
        return self._place_stars(count)

    @command("place_free_handicap")
    def free(self, stones: str) -> str:
        """Place at most as many stones as `fixed_handicap` has places for."""
        size, count = self.role.settings.rules.size, syntax.whole(stones)
        if not 2 <= count < size * size:
            raise Failure("invalid number of stones")
        return self._place_stars(min(count, most(size)))

    @command("set_free_handicap")
    def chosen(self, *stones: str) -> None:
        size = self.role.settings.rules.size
        try:
            points = parse_points(stones, size)
        except BadText:
            raise Failure("bad vertex list") from None
        if not 2 <= len(stones) < size * size:
            raise Failure("bad vertex list")
        self._place(points)

    def _place_stars(self, count: int) -> str:
        size = self.role.settings.rules.size
        points = star_points(size, count)
        self._place(point_set(points))
        return " ".join(vertex(point, size) for point in points)

    def _place(self, points: PointSet) -> None:
        if self.role.begun:
            raise Failure("board not empty")
        self.role.place(BLACK, points)


def most(size: int) -> int:
    """The most stones there are places for: four on small and even boards, else nine."""
    return 9 if size >= 9 and size % 2 else 4


def star_points(size: int, stones: int) -> list[Point]:
    """The places of 2 to `most(size)` stones, in the order GTP lists them.

    On the third or fourth line as GTP has it; on boards under 7x7, of which it does not speak, on
    the second (first under 4x4).
    """
    low = 3 if size >= 13 else 2 if size >= 7 else 1 if size >= 4 else 0
    high, middle = size - 1 - low, size // 2
    places = [(low, low), (high, high), (high, low), (low, high)]
    if stones >= 6:
        places += [(middle, low), (middle, high)]
    if stones >= 8:
        places += [(low, middle), (high, middle)]
    places = places[: stones - stones % 2 if stones > 4 else stones]
    if stones > 4 and stones % 2:
        places.append((middle, middle))
    return [row * size + column for row, column in places]
