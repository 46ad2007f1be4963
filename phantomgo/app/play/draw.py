"""Boards as styled text: pure functions of a `Scene`.

A `Picture` is a list of lines, a line a list of (style, text). Styles are prompt_toolkit's classes
(`class:white`), with their colours in screen.py; `plain` leaves them out.
"""

import re
import textwrap
from typing import Final, NamedTuple, TypeAlias

from phantomgo import terminal
from phantomgo.app.table.scene import Scene, stars
from phantomgo.game.points import BLACK, COLUMNS, WHITE, Colour, Point

Line: TypeAlias = list[tuple[str, str]]
Picture: TypeAlias = list[Line]


class Look(NamedTuple):
    """The symbols of a board, one character each.

    Attributes:
        stones: Black's and White's.
        dot: an empty point.
        star: a star point.
        refused: a point where the player was refused.
        gone: a point from which a stone was just captured.
        guesses: marks for guesses of Black's stones and of White's.
        hint: the point of a hint.
        areas: points that count for Black and for White at the end.
        lines: draw the lines of the board instead of dots.
    """

    stones: str
    dot: str
    star: str
    refused: str
    gone: str
    guesses: str
    hint: str
    areas: str
    lines: bool

    def stone(self, colour: Colour) -> str:
        return self.stones[colour - 1]


ASCII: Final = Look("XO", ".", "+", "?", "*", "xo", "!", "xo", lines=False)
"""Letters as in `showboard`, readable anywhere and without colours."""
DRAWN: Final = Look("●○", "┼", "•", "?", "×", "◌◌", "◎", "▪▫", lines=True)  # noqa: RUF001
"""Stones on the lines of a board."""


def draw_board(scene: Scene, look: Look, columns: int = 10**6) -> Picture:
    """Return the board in its coordinates, top row first, with the last move in brackets.

    With fewer columns than that takes, points have no space between them, and there are no
    brackets and no coordinates on the right.
    """
    size = scene.size
    close = columns < 2 * size + 3 + len(str(size))
    space = "" if close else " "
    letters = [("class:coordinate", "   " + space.join(COLUMNS[:size]))]
    picture: Picture = [letters]
    for row in reversed(range(size)):
        left = ("class:coordinate", f"{row + 1:2d}" + ("" if not close else " "))
        points = range(row * size, (row + 1) * size)
        if close:
            picture.append([left, *(symbol(scene, look, point) for point in points)])
            continue
        line: Line = [left, _between(scene, look, None, points[0])]
        for point in points:
            after = point + 1 if point < points[-1] else None
            line += [symbol(scene, look, point), _between(scene, look, point, after)]
        picture.append([*line, ("class:coordinate", str(row + 1))])
    return picture if close else [*picture, letters]


def _between(scene: Scene, look: Look, left: Point | None, right: Point | None) -> tuple[str, str]:
    """Return a bracket of the last move, the line between two points of a row, or space."""
    if scene.last is not None and scene.last in (left, right):
        return "class:last", ")" if scene.last == left else "("
    inner = left is not None and right is not None
    return "class:grid", "─" if inner and look.lines else " "


def symbol(scene: Scene, look: Look, point: Point) -> tuple[str, str]:
    """Return the style and the character at a point."""
    level, enemy = min(scene.tens(point), 9), scene.enemy - 1
    drawn = (
        (scene.black >> point & 1, "black", look.stones[0]),
        (scene.white >> point & 1, "white", look.stones[1]),
        (point == scene.hint, "hint", look.hint),
        (scene.marks >> point & 1, "mark", look.guesses[enemy]),
        (level, f"heat{level}", str(level)),
        (scene.refused >> point & 1, "refused", look.refused),
        (scene.gone >> point & 1, "gone", look.gone),
        (scene.black_area >> point & 1, "area-black", look.areas[0]),
        (scene.white_area >> point & 1, "area-white", look.areas[1]),
        (stars(scene.size) >> point & 1, "grid", look.star),
        (not look.lines, "grid", look.dot),
        (True, "grid", _crossing(scene.size, point)),
    )
    return next((f"class:{style}", text) for shown, style, text in drawn if shown)


def _crossing(size: int, point: Point) -> str:
    row, column = divmod(point, size)
    line = "┌┬┐" if row == size - 1 else "└┴┘" if row == 0 else "├┼┤"
    return line[0 if column == 0 else 2 if column == size - 1 else 1]


def legend(scene: Scene, look: Look) -> str:
    """Return what the unusual symbols on this board mean, a line each; empty if there are none."""
    stones = scene.black | scene.white
    marks = [
        (scene.refused & ~stones, f"{look.refused} refused"),
        (scene.marks & ~stones, f"{look.guesses[scene.enemy - 1]} your guess"),
        (scene.hint is not None, f"{look.hint} hint"),
        (scene.gone, f"{look.gone} captured"),
        (scene.black_area & ~stones, f"{look.areas[BLACK - 1]} Black's area"),
        (scene.white_area & ~stones, f"{look.areas[WHITE - 1]} White's area"),
        (scene.heat, f"1-9 how likely {scene.enemy} is there: 4 means 40 %"),
    ]
    return "\n".join(text for shown, text in marks if shown)


# Pictures


def width(picture: Picture) -> int:
    """Return the columns of the longest line."""
    return max((sum(terminal.width(text) for _, text in line) for line in picture), default=0)


def beside(blocks: list[Picture], gap: int) -> Picture:
    """Return pictures from left to right."""
    lines: Picture = [[] for _ in range(max(map(len, blocks)))]
    for block in blocks:
        room = width(block) + gap
        for number, line in enumerate(lines):
            part = block[number] if number < len(block) else []
            line.extend(part)
            if block is not blocks[-1]:
                line.append(("", " " * (room - width([part]))))
    return lines


def text(words: str, columns: int = 10**6, style: str = "") -> Picture:
    """Return a text as lines of at most this many columns, with `?` for what cannot be shown."""
    lines: list[str] = []
    for line in terminal.clean(words).split("\n"):
        lines += textwrap.wrap(line, max(columns, 10), subsequent_indent=_indent(line)) or [""]
    return [[(style, line)] for line in lines]


def _indent(line: str) -> str:
    """The indent of the lines after a wrapped one: its own, or that of its second column.

    Columns are separated by two spaces.
    """
    columns = re.match(r" *\S+( \S+)*  +(?=\S)|", line)
    assert columns is not None
    indent = len(columns[0]) or len(line) - len(line.lstrip())
    return " " * min(indent, 24)


def plain(picture: Picture) -> str:
    """Return the text without styles."""
    return "\n".join("".join(part for _, part in line).rstrip() for line in picture)
