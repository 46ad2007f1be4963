"""Read SGF (FF[3] and FF[4]), the main line of the first game as far as Go needs it; write nodes.

Read are SZ, KM, AB, AW, PL, B and W, everything else is skipped. The text may come from anywhere:
it is bounded, read in one pass without recursion, and whatever cannot be read is a `BadText`.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from phantomgo.errors import BadText
from phantomgo.points import BLACK, MAX_SIZE, MIN_SIZE, PASS, WHITE, Colour, Move, PointSet, members

MAX_BYTES: Final = 1 << 20

# Possessive (`*+`), so that an unclosed value fails at once instead of after trying every split.
_TOKEN = re.compile(
    r"\s*+(?:(?P<mark>[;()])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*+)\])", re.DOTALL
)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)

_START = re.compile(r"\(\s*+;")

Node = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class SgfGame:
    """A game as read from a file.

    Attributes:
        size: points per side.
        komi: None where the file gives none.
        black: Black's stones before the first move.
        white: White's stones before the first move.
        to_move: who begins, where the file says so.
        moves: the moves in order; whether they are legal is not looked at.
    """

    size: int
    komi: float | None
    black: PointSet
    white: PointSet
    to_move: Colour | None
    moves: tuple[tuple[Colour, Move], ...]


def read_sgf(data: bytes) -> SgfGame:
    """Read the main line of the first game in an SGF file.

    Raises:
        BadText: the file is too long, not SGF, of another game than Go, or its main line has what
            a game does not: other sizes, stones added after the first move, stones removed.
    """
    if len(data) > MAX_BYTES:
        raise BadText(f"SGF of {len(data)} bytes; at most {MAX_BYTES} are read")
    nodes = list(_main_line(data.decode("utf-8", "replace")))
    root = nodes[0]
    if _single(root, "GM", "1") != "1":
        raise BadText(f"SGF of game {root['GM'][0][:20]!r}, not of Go (1)")
    size = _size(_single(root, "SZ", "19"))
    stones = {BLACK: 0, WHITE: 0}
    to_move: Colour | None = None
    moves: list[tuple[Colour, Move]] = []
    for node in nodes:
        for name, colour in (("AB", BLACK), ("AW", WHITE)):
            points = _points(node.get(name, []), size)
            if points and moves:
                raise BadText(f"SGF adds stones ({name}) after the first move")
            if points & (stones[BLACK] | stones[WHITE]):
                raise BadText(f"SGF adds stones ({name}) on top of others")
            stones[colour] |= points
        if "AE" in node:
            raise BadText("SGF removes stones (AE)")
        if "PL" in node and not moves:
            to_move = _player(_single(node, "PL", ""))
        for name, colour in (("B", BLACK), ("W", WHITE)):
            if name in node:
                moves.append((colour, _move(_single(node, name, ""), size)))
    komi = _komi(_single(root, "KM", "")) if "KM" in root else None
    return SgfGame(size, komi, stones[BLACK], stones[WHITE], to_move, tuple(moves))


def _main_line(text: str) -> Iterator[Node]:
    """The nodes of the first game's main line.

    The main line follows the first variation at every branch, so it is all there is up to the
    first closing parenthesis.
    """
    start = _START.search(text)
    if start is None:
        raise BadText("not SGF: no game begins with (;")
    at, node = start.end(), Node()
    values: list[str] | None = None
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadText(f"SGF cannot be read at character {at}: {text[at : at + 20]!r}")
        at = token.end()
        if token["mark"]:
            if token["mark"] != "(":
                yield node
                node = {}
            if token["mark"] == ")":
                return
            values = None
        elif token["name"]:
            # FF[3] allows lower-case letters in a name, to be skipped: `CoPyright` is CP.
            name = re.sub("[a-z]", "", token["name"])
            values = node.setdefault(name, [])
        elif values is None:
            raise BadText("SGF has a value without a property")
        else:
            values.append(_ESCAPE.sub(_unescaped, token["value"]))


def _unescaped(match: re.Match[str]) -> str:
    """An escaped character stands for itself, an escaped line break for nothing."""
    return "" if match[1][0] in "\r\n" else match[1]


def _single(node: Node, name: str, default: str) -> str:
    values = node.get(name, [default])
    if len(values) != 1:
        raise BadText(f"SGF gives {name} {len(values)} values, not one")
    return values[0].strip()


def _size(text: str) -> int:
    width, _, height = text.partition(":")
    size = int(width) if re.fullmatch("[0-9]{1,2}", width) else 0
    if height not in ("", width) or not MIN_SIZE <= size <= MAX_SIZE:
        raise BadText(f"SGF size {text[:20]!r} is not {MIN_SIZE} to {MAX_SIZE}")
    return size


def _komi(text: str) -> float:
    try:
        komi = float(text)
    except ValueError:
        komi = math.nan
    if not math.isfinite(komi):
        raise BadText(f"SGF komi {text[:20]!r} is not a finite number")
    return komi


def _player(text: str) -> Colour:
    colour = {"B": BLACK, "W": WHITE}.get(text.strip()[:1].upper())
    if colour is None:
        raise BadText(f"SGF player {text[:20]!r} is not B or W")
    return colour


def _move(text: str, size: int) -> Move:
    """A move; an empty value is a pass, and so is `tt` on boards up to 19x19."""
    if text in ("", "tt"):
        return PASS
    column, row = _place(text, size)
    return (size - 1 - row) * size + column


def _place(text: str, size: int) -> tuple[int, int]:
    """Column and row of two letters, `aa` being the upper left corner."""
    if len(text) == 2:
        column, row = ord(text[0]) - ord("a"), ord(text[1]) - ord("a")
        if 0 <= column < size and 0 <= row < size:
            return column, row
    raise BadText(f"SGF point {text[:20]!r} is not on a {size}x{size} board")


def _points(values: list[str], size: int) -> PointSet:
    """A list of points and of rectangles, `aa:cc`."""
    found = 0
    for value in values:
        first, _, last = value.strip().partition(":")
        left, top = _place(first, size)
        right, bottom = _place(last or first, size)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                found |= 1 << ((size - 1 - row) * size + column)
    return found


# Writing


def write_sgf(nodes: Iterable[Node]) -> str:
    """The nodes as one game without variations, a line each."""
    lines = []
    for node in nodes:
        values = {name: "".join(f"[{_escaped(value)}]" for value in node[name]) for name in node}
        lines.append(";" + "".join(name + text for name, text in values.items()))
    return "(" + "\n".join(lines) + ")\n"


def _escaped(text: str) -> str:
    # A colon is left alone: only points are composed here, and there it is meant.
    return text.replace("\\", "\\\\").replace("]", "\\]")


def place(move: Move, size: int) -> str:
    """The SGF text of a point; a pass is empty."""
    if move == PASS:
        return ""
    row, column = divmod(move, size)
    return chr(ord("a") + column) + chr(ord("a") + size - 1 - row)


def places(points: PointSet, size: int) -> list[str]:
    """The SGF texts of a set of points."""
    return [place(point, size) for point in members(points)]
