"""The places of handicap stones."""

from phantomgo.game.points import Point


def most(size: int) -> int:
    """The number of places for stones: four on small and even boards, else nine."""
    return 9 if size >= 9 and size % 2 else 4


def star_points(size: int, stones: int) -> list[Point]:
    """The places of 2 to `most(size)` stones, in GTP's order.

    They are on the third or fourth line, as GTP specifies; on boards under 7x7, which it leaves
    open, on the second line (the first under 4x4).
    """
    low = 3 if size >= 13 else 2 if size >= 7 else 1 if size >= 4 else 0
    high, middle = size - 1 - low, size // 2
    places = [(low, low), (high, high), (high, low), (low, high)]
    places += [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = places[: stones - stones % 2 if stones > 4 else stones]
    if stones > 4 and stones % 2:
        places.append((middle, middle))
    return [row * size + column for row, column in places]
