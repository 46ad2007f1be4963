"""Boards as styled text: pure functions of what is to be seen.

A `Picture` is a list of lines, a line a list of (style, text). Styles are prompt_toolkit's classes
(`class:white`), given their colours in screen.py; `plain` leaves them out.
"""

import re
import textwrap
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from gtp.handicap import star_points
from phantomgo.board import Board
from phantomgo.messages import Accepted, Moved
from phantomgo.points import BLACK, COLUMNS, PASS, Colour, Point, PointSet, vertex
from phantomgo.record import OFF_BOARD, Told
from phantomgo.view import View

Line: TypeAlias = list[tuple[str, str]]
Picture: TypeAlias = list[Line]

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

    @property
    def hottest(self) -> float:
        """The greatest share of `heat`; the map is drawn in ninths of it."""
        return max(self.heat.values(), default=0) or 1


class Look(NamedTuple):
    """The symbols of a board; one character each.

    Attributes:
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
    lines: bool

    def stone(self, colour: Colour) -> str:
        return self.black if colour is BLACK else self.white


ASCII: Final = Look(
    "X", "O", ".", "+", "?", "*", {Colour.BLACK: "x", Colour.WHITE: "o"}, "!", False
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
    True,
)
"""Stones that differ by their colour, on the lines of a board."""


def view_scene(
    view: View,
    marks: PointSet = 0,
    heat: Mapping[Point, float] = _NO_HEAT,
    hint: Point | None = None,
) -> Scene:
    """What a player knows, and his own marks."""
    refused, gone, last = 0, 0, None
    for refusal in view.refused:
        refused |= 1 << refusal.point
    for message in reversed(view.events):
        if isinstance(message, Moved):
            gone |= message.lost
        elif isinstance(message, Accepted):
            gone |= message.taken or 0
            last = message.move if message.move >= 0 else None
            break
    stones = {view.colour: view.own, view.colour.other: view.located}
    black, white = (stones[colour] for colour in Colour)
    gone &= ~(black | white)
    return Scene(
        view.rules.size, black, white, refused, gone, marks, view.colour.other, last, hint, heat
    )


def true_scene(board: Board, step: Told | None) -> Scene:
    """The truth after this attempt: a refused one is shown as such where no stone stands."""
    points = board.size * board.size
    point = None if step is None or not 0 <= step.move < points else step.move
    refused = 0
    if point is not None and step is not None and step.reason is not None:
        refused = 1 << point
    return Scene(board.size, board.black, board.white, refused, last=point)


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
    level = round(9 * scene.heat.get(point, 0) / scene.hottest)
    if level:
        return f"class:heat{level}", str(level)
    if scene.refused & bit:
        return "class:refused", look.refused
    if scene.gone & bit:
        return "class:gone", look.gone
    if bit & _stars(scene.size):
        return "class:grid", look.star
    return "class:grid", _crossing(scene.size, point) if look.lines else look.dot


def _crossing(size: int, point: Point) -> str:
    row, column = divmod(point, size)
    line = "┌┬┐" if row == size - 1 else "└┴┘" if row == 0 else "├┼┤"
    return line[0 if column == 0 else 2 if column == size - 1 else 1]


@cache
def _stars(size: int) -> PointSet:
    """The points that boards are marked at: nine, five, or the middle."""
    if size < 7:
        return 1 << size * size // 2 if size % 2 and size > 3 else 0
    count = 4 if size % 2 == 0 else 9 if size >= 15 else 5
    return sum(1 << point for point in star_points(size, count))


def legend(scene: Scene, look: Look) -> str:
    """What the unusual symbols on this board mean, a line each; empty if there are none."""
    stones = scene.black | scene.white
    known = [
        (scene.refused & ~stones, f"{look.refused} refused"),
        (scene.marks & ~stones, f"{look.marks[scene.enemy]} your guess"),
        (scene.hint is not None, f"{look.hint} hint"),
        (scene.gone, f"{look.gone} captured"),
        (scene.heat, f"1-9 where {scene.enemy} may be; 9 is {100 * scene.hottest:.0f} %"),
    ]
    return "\n".join(text for shown, text in known if shown)


def attempt_line(step: Told, size: int) -> str:
    """An attempt and how it was judged: `Black: D4 is illegal (occupied), 0.012 s`."""
    if step.move < 0:
        return f"{step.colour} {'passes' if step.move == PASS else 'resigns'}, {step.seconds:.3f} s"
    where = OFF_BOARD if step.move >= size * size else vertex(step.move, size)
    answer = "stands" if step.reason is None else f"is illegal ({step.reason})"
    return f"{step.colour}: {where} {answer}, {step.seconds:.3f} s"


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
