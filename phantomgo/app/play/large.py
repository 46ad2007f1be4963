"""The board where there is room: two lines and four columns a point, stones that look round."""

from typing import Final

from phantomgo.app.play.draw import DRAWN, Line, Picture, symbol
from phantomgo.app.table.scene import Scene
from phantomgo.points import COLUMNS, Point

WIDE: Final = 4
HIGH: Final = 2
"""Columns and lines of a point."""


def fits(size: int, columns: int, rows: int) -> bool:
    """Return whether there is room for a board of this size with its coordinates."""
    return WIDE * size + 3 + len(str(size)) <= columns and HIGH * size + 2 <= rows


def draw_large(scene: Scene) -> Picture:
    """Return the board in its coordinates, top row first. The last move has a dot on it."""
    size, space = scene.size, ("class:grid", " ")
    letters = [("class:coordinate", "    " + (" " * (WIDE - 1)).join(COLUMNS[:size]))]
    picture: Picture = [letters]
    for row in reversed(range(size)):
        upper: Line = [("class:coordinate", f"{row + 1:2d}")]
        lower: Line = [("class:coordinate", "  ")]
        for column in range(size):
            above, below = _cell(scene, row * size + column)
            upper += [("class:grid", "─") if column else space, *above]
            lower += [space, *below]
        picture += [[*upper, space, ("class:coordinate", str(row + 1))], [*lower, space]]
    return [*picture, letters]


def _cell(scene: Scene, point: Point) -> tuple[Line, Line]:
    """The two lines of a point, three columns each."""
    style, text = symbol(scene, DRAWN, point)
    row, column = divmod(point, scene.size)
    if style in ("class:black", "class:white"):
        middle = (f"{style}-last", "●") if point == scene.last else (style, "█")
        return [(style, "▟"), middle, (style, "▙")], [(style, "▜█▛")]
    if style.startswith("class:heat"):
        return [(style, f" {text} ")], [(style, "   ")]
    left = "─" if column else " "
    right = "─" if column < scene.size - 1 else " "
    cross: Line = [("class:grid", left), (style, text), ("class:grid", right)]
    return cross, [("class:grid", " │ " if row else "   ")]
