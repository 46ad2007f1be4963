"""Boards as styled text: pure functions of what is to be seen.

A `Picture` is a list of lines, a line a list of (style, text). Styles are prompt_toolkit's classes
(`class:white`), given their colours in screen.py; `plain` leaves them out.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from phantomgo.app.table.scene import SHADES, Scene, stars
from phantomgo.points import BLACK, COLUMNS, Colour, Point

Line: TypeAlias = list[tuple[str, str]]
Picture: TypeAlias = list[Line]


class Look(NamedTuple):
    """The symbols of a board; one character each.

    Attributes:
        area: what is drawn on surrounded points at the end, by the colour they count for.
        lines: draw the lines of the board, with `star` on star points; else `dot` and `star`.
    """

    black: str
    white: str
    dot: str
    star: str
    refused: str
    gone: str
    marks: Mapping[Colour, str]
    hint: str
    area: Mapping[Colour, str]
    lines: bool

    def stone(self, colour: Colour) -> str:
        return self.black if colour is BLACK else self.white


ASCII: Final = Look(
    "X",
    "O",
    ".",
    "+",
    "?",
    "*",
    {Colour.BLACK: "x", Colour.WHITE: "o"},
    "!",
    {Colour.BLACK: "x", Colour.WHITE: "o"},
    False,
)
"""Letters, as `showboard` has them: readable anywhere, and without colours."""
DRAWN: Final = Look(
    "●",
    "●",
    "┼",
    "•",
    "?",
    "×",  # noqa: RUF001  (captured stones, crossed out)
    {Colour.BLACK: "◌", Colour.WHITE: "◌"},
    "◎",
    {Colour.BLACK: "▪", Colour.WHITE: "▪"},
    True,
)
"""Stones that differ by their colour, on the lines of a board."""


def draw_board(scene: Scene, look: Look, *, close: bool = False) -> Picture:
    """The board in its coordinates, top row first; `close` packs points without space between.

    The last move stands in brackets.
    """
    space = "" if close else " "
    letters = "   " + space.join(COLUMNS[: scene.size])
    picture: Picture = [[("class:coordinate", letters)]]
    for row in reversed(range(scene.size)):
        number = f"{row + 1:2d}"
        if close:
            picture.append([("class:coordinate", number + " "), *_row(scene, look, row, close)])
        else:
            line = _row(scene, look, row, close)
            picture.append(
                [("class:coordinate", number), *line, ("class:coordinate", number.strip())]
            )
    return picture if close else [*picture, [("class:coordinate", letters)]]


def _row(scene: Scene, look: Look, row: int, close: bool) -> Line:
    line: Line = []
    first = row * scene.size
    for point in range(first, first + scene.size):
        line.append(symbol(scene, look, point))
        if not close and point < first + scene.size - 1:
            between = "─" if look.lines else " "
            between = ")" if point == scene.last else "(" if point + 1 == scene.last else between
            line.append(("class:grid" if between in " ─" else "class:last", between))
    if not close:  # brackets at the edges
        for point, bracket in ((first, "("), (first + scene.size - 1, ")")):
            edge = ("class:last", bracket) if point == scene.last else ("class:grid", " ")
            line.insert(0 if bracket == "(" else len(line), edge)
    return line


def symbol(scene: Scene, look: Look, point: Point) -> tuple[str, str]:
    """What is drawn at a point: style and character."""
    bit = 1 << point
    if scene.black & bit:
        return "class:black", look.black
    if scene.white & bit:
        return "class:white", look.white
    if point == scene.hint:
        return "class:hint", look.hint
    if scene.marks & bit:
        return "class:mark", look.marks[scene.enemy]
    level = scene.shade(point)
    if level:
        return f"class:heat{level}", str(level)
    if scene.refused & bit:
        return "class:refused", look.refused
    if scene.gone & bit:
        return "class:gone", look.gone
    for colour, area in ((Colour.BLACK, scene.black_area), (Colour.WHITE, scene.white_area)):
        if area & bit:
            return f"class:area-{colour}".lower(), look.area[colour]
    if bit & stars(scene.size):
        return "class:grid", look.star
    return "class:grid", _crossing(scene.size, point) if look.lines else look.dot


def _crossing(size: int, point: Point) -> str:
    row, column = divmod(point, size)
    line = "┌┬┐" if row == size - 1 else "└┴┘" if row == 0 else "├┼┤"
    return line[0 if column == 0 else 2 if column == size - 1 else 1]


def legend(scene: Scene, look: Look) -> str:
    """What the unusual symbols on this board mean, a line each; empty if there are none."""
    stones = scene.black | scene.white
    known = [
        (scene.refused & ~stones, f"{look.refused} refused"),
        (scene.marks & ~stones, f"{look.marks[scene.enemy]} your guess"),
        (scene.hint is not None, f"{look.hint} hint"),
        (scene.gone, f"{look.gone} captured"),
        (scene.black_area & ~stones, f"{look.area[BLACK]} Black's area"),
        (scene.white_area & ~stones, f"{look.area[Colour.WHITE]} White's area"),
        (scene.heat, f"1-9 where {scene.enemy} may be; 9 is {100 * SHADES[-1]:g} %"),
    ]
    return "\n".join(text for shown, text in known if shown)


# Pictures


def width(picture: Picture) -> int:
    """Columns of the longest line; every character is one column wide."""
    return max((sum(len(text) for _, text in line) for line in picture), default=0)


def beside(blocks: list[Picture], gap: int) -> Picture:
    """Pictures from left to right."""
    height = max(len(block) for block in blocks)
    lines: Picture = [[] for _ in range(height)]
    for block in blocks:
        room = width(block) + gap
        for number in range(height):
            part = block[number] if number < len(block) else []
            lines[number] += part
            if block is not blocks[-1]:
                lines[number].append(("", " " * (room - width([part]))))
    return lines


def text(words: str, columns: int = 10**6, style: str = "") -> Picture:
    """A text as lines of at most so many columns; what cannot be shown becomes `?`."""
    shown = "".join(c if c.isprintable() or c == "\n" else "?" for c in words)
    lines: list[str] = []
    for line in shown.split("\n"):
        lines += textwrap.wrap(line, max(columns, 10), subsequent_indent=_indent(line)) or [""]
    return [[(style, line)] for line in lines]


def _indent(line: str) -> str:
    """What the lines after a wrapped one begin with: its own indent, or that of its second column.

    Columns are parted by two spaces.
    """
    columns = re.match(r" *\S+( \S+)*  +(?=\S)|", line)
    assert columns is not None
    indent = len(columns[0]) or len(line) - len(line.lstrip())
    return " " * min(indent, 24)


def plain(picture: Picture) -> str:
    """The text alone."""
    return "\n".join("".join(part for _, part in line).rstrip() for line in picture)
