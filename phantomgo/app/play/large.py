"""The board where there is room: two lines and four columns a point, stones that look round."""

from typing import Final

from phantomgo.app.play.draw import DRAWN, Line, Picture, symbol
from phantomgo.app.table.scene import Scene
from phantomgo.points import COLUMNS, Point

COLUMNS_EACH: Final = 4
LINES_EACH: Final = 2
"""What a point takes."""


def fits(size: int, columns: int, rows: int) -> bool:
    """Whether there is room for a board of this size, coordinates and all."""
    width = COLUMNS_EACH * size + 3 + len(str(size))
    return width <= columns and LINES_EACH * size + 2 <= rows


def draw_large(scene: Scene) -> Picture:
    """The board in its coordinates, top row first. The last move has a dot on it."""
    letters = "    " + (" " * (COLUMNS_EACH - 1)).join(COLUMNS[: scene.size])
    picture: Picture = [[("class:coordinate", letters)]]
    for row in reversed(range(scene.size)):
        upper: Line = [("class:coordinate", f"{row + 1:2d}"), ("class:grid", " ")]
        lower: Line = [("class:coordinate", "  "), ("class:grid", " ")]
        for column in range(scene.size):
            above, below = _cell(scene, row * scene.size + column)
            upper += above
            lower += below
            if column < scene.size - 1:
                upper.append(("class:grid", "─"))
                lower.append(("class:grid", " "))
        upper += [("class:grid", " "), ("class:coordinate", str(row + 1))]
        lower.append(("class:grid", " "))
        picture += [upper, lower]
    return [*picture, [("class:coordinate", letters)]]


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
