"""The board drawn large: two or more lines per point, with stones that look round."""

from functools import cache
from typing import Final

from phantomgo.app.play.draw import DRAWN, Line, Picture, symbol
from phantomgo.app.table.scene import Scene
from phantomgo.points import COLUMNS, Point

QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By the quarters that they fill: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""


def most_lines(size: int, columns: int, rows: int) -> int:
    """Return the lines a point can have on a board of this size with its coordinates.

    A point has twice as many columns.
    """
    return min((columns - 3 - len(str(size))) // (2 * size), (rows - 2) // size)


def draw_large(scene: Scene, lines: int) -> Picture:
    """Return the board in its coordinates, top row first. The last move has a dot on it."""
    size, middle, blank = scene.size, (lines - 1) // 2, ("class:coordinate", "  ")
    gap = " " * (2 * lines - 1)
    letters = [("class:coordinate", " " * (lines + 2) + gap.join(COLUMNS[:size]))]
    picture: Picture = [letters]
    for row in reversed(range(size)):
        cells = [_cell(scene, row * size + column, lines) for column in range(size)]
        for line in range(lines):
            drawn = [("class:coordinate", f"{row + 1:2d}") if line == middle else blank]
            for column, cell in enumerate(cells):
                between = "─" if column and line == middle else " "
                drawn += [("class:grid", between), *cell[line]]
            number = ("class:coordinate", f"{row + 1}" if line == middle else "")
            picture.append([*drawn, ("class:grid", " "), number])
    return [*picture, letters]


def _cell(scene: Scene, point: Point, lines: int) -> list[Line]:
    """The lines of a point, without the column to its left."""
    style, text = symbol(scene, DRAWN, point)
    middle, arm = (lines - 1) // 2, lines - 1
    if style in ("class:black", "class:white"):
        stone = _stone(style, lines)
        if point == scene.last:
            stone[middle][arm] = (f"{style}-last", "●")
        return stone
    space = " " * arm
    if style.startswith("class:heat"):
        empty = [(style, space + " " + space)]
        return [[(style, space + text + space)] if n == middle else empty for n in range(lines)]
    row, column = divmod(point, scene.size)
    left = ("class:grid", ("─" if column else " ") * arm)
    right = ("class:grid", ("─" if column < scene.size - 1 else " ") * arm)
    above, below = (
        [("class:grid", space + ("│" if inside else " ") + space)]
        for inside in (row < scene.size - 1, row)
    )
    crossing = [left, (style, text), right]
    return [*[above] * middle, crossing, *[below] * (lines - middle - 1)]


def _stone(style: str, lines: int) -> list[Line]:
    """The lines of a stone. White's is an outline, filled by its background.

    So the colours can be told apart on a terminal without colours, and in copied text.
    """
    if style == "class:black":
        return [[(style, char) for char in row] for row in disc(lines)]
    last = 2 * lines - 2
    stone: list[Line] = []
    for line, row in enumerate(disc(lines)):
        edge = {0: "▀", lines - 1: "▄"}.get(line, " ")
        rims = [{0: "▌", last: "▐"}.get(column, edge) for column in range(last + 1)]
        stone.append(
            [
                (f"{style}-inside", rim) if char == "█" else (style, char)
                for char, rim in zip(row, rims, strict=True)
            ]
        )
    return stone


@cache
def disc(lines: int) -> tuple[str, ...]:
    """Return a disc of this many lines, one column less than twice as wide."""
    wide = 2 * lines - 1

    def char(line: int, column: int) -> str:
        quarters = ((2 * line + down, 2 * column + right) for down in (0, 1) for right in (0, 1))
        return QUADRANTS[
            sum(
                1 << bit
                for bit, (y, x) in enumerate(quarters)
                if ((x + 0.5) / wide - 1) ** 2 + ((y + 0.5) / lines - 1) ** 2 < 1
            )
        ]

    return tuple("".join(char(line, column) for column in range(wide)) for line in range(lines))
