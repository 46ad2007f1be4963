"""Read SGF (FF[3] and FF[4]), the main line of the first game as far as Go needs it; write nodes.

SZ, KM, AB, AW, AE, PL, B and W are read, and our own PGI and PGH; everything else is skipped. The
text may come from anywhere: it is bounded, read without recursion, and whatever cannot be read is a
`BadText`.
"""

import codecs
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import SEEK_END
from itertools import accumulate
from typing import BinaryIO, Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.files import encoding_of
from phantomgo.game.board import Board, Played
from phantomgo.game.points import (
    BLACK,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    WHITE,
    Colour,
    Move,
    PointSet,
    grid,
    members,
)
from phantomgo.values import typed_number

MAX_BYTES: Final = 1 << 20

# Possessive (`*+`), so that an unclosed value fails at once instead of after trying every split.
_TOKEN = re.compile(
    r"\s*+(?:(?P<mark>[;()])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*+)\])", re.DOTALL
)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)

_NO_FILES: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape"})
"""Encodings that Python knows and no file is in; punycode takes minutes for a long one."""

START = re.compile(r"\(\s*+(?:;|(?=[A-Z]{2}\[))")  # the Nihon Ki-in leaves out the first semicolon
_END = re.compile(r"\s*+\Z")

Node = dict[str, list[str]]


class SgfMove(NamedTuple):
    """A move, and the points that were tried before it, as our own files have them."""

    colour: Colour
    move: Move
    tried: tuple[Move, ...] = ()


class SgfGame(NamedTuple):
    """A game as read from a file, from the last place on where stones are set up.

    Attributes:
        size: points per side.
        komi: None where the file gives none.
        black: Black's stones there.
        white: White's stones there.
        to_move: who begins there, where the file says so.
        moves: the moves from there, in order; whether they are legal is not looked at.
        whole: no stones but Black's handicap are set up, and no moves are hidden.
        root: the properties of the whole game.
    """

    size: int
    komi: float | None
    black: PointSet
    white: PointSet
    to_move: Colour | None
    moves: tuple[SgfMove, ...]
    whole: bool
    root: Node


def read_sgf(data: bytes, most: float = math.inf) -> SgfGame:
    """Read the main line of the first game in an SGF file, up to `most` moves.

    Raises:
        BadText: the file is too long, not SGF, of another game than Go, or not clear.
    """
    if len(data) > MAX_BYTES:
        raise _too_long(len(data))
    nodes = list(_main_line(_text(data)))
    root = nodes[0]
    if _single(root, "GM", "1") not in ("1", ""):
        raise BadText(f"SGF of game {root['GM'][0][:20]!r}, not of Go (1)")
    size = _size(_single(root, "SZ", "19") or "19")
    board, to_move, moves, whole = Board(size), None, list[SgfMove](), True
    counts = accumulate(("B" in node) + ("W" in node) for node in nodes)
    for node in (node for node, count in zip(nodes, counts, strict=True) if count <= most):
        black, white, empty = (_points(node.get(name, []), size) for name in ("AB", "AW", "AE"))
        if black & white or (black | white) & empty:
            raise BadText("SGF sets up a point twice in one node")
        player = _player(_single(node, "PL", ""))
        if black | white | empty or player:
            for colour, move, _ in moves:
                board = viewer_plays(board, colour, move)
            to_move = player or (moves[-1].colour.other if moves else to_move)
            whole, moves = whole and not (moves or white or empty), []
            kept = grid(size).full & ~(black | white | empty)
            board = Board(size, board.black & kept | black, board.white & kept | white)
        whole = whole and "PGH" not in node
        for name, colour in (("B", BLACK), ("W", WHITE)):
            if name in node:
                tried = tuple(_move(text, size) for text in node.get("PGI", []))
                moves.append(SgfMove(colour, _move(_single(node, name, ""), size), tried))
    komi = _komi(_single(root, "KM", ""))
    return SgfGame(size, komi, board.black, board.white, to_move, tuple(moves), whole, root)


def bytes_of(stream: BinaryIO) -> bytes:
    """The bytes of a file for `read_sgf`; raises BadText if there are too many."""
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _too_long(stream.seek(0, SEEK_END) if stream.seekable() else f"over {MAX_BYTES}")
    return data


def _too_long(count: int | str) -> BadText:
    return BadText(f"SGF of {count} bytes; at most {MAX_BYTES} are read")


def _text(data: bytes) -> str:
    """The text of a file, in the encoding that it names (CA), or in one that fits.

    Editors save a file in another encoding and leave its CA. UTF-8 is told by its bytes. Of the
    others, in which a letter's second byte may be a bracket or a backslash, the reading that finds
    most in the file is taken: a wrong one lets a letter swallow the end of a value.
    """
    with suppress(UnicodeError):
        text = data.decode(encoding_of(data))
        if not data.isascii():
            return text
    named = re.search(rb"CA\s*\[\s*([\w.-]+)\s*\]", data[:1000])
    # The brackets of Big5 and EUC-KR are those of GB 18030, all others are Latin-1's.
    fitting = ["gb18030", "cp932", "latin-1"]
    if not re.search(rb"[\x80-\xff]{2}", data):
        fitting.reverse()
    if named:
        fitting.insert(0, named[1].decode())
    return max(dict.fromkeys(_decoded(data, fitting)), key=_found)


def _decoded(data: bytes, encodings: Sequence[str]) -> Iterator[str]:
    """The text in each of these encodings; at last with its broken letters replaced."""
    for errors in ("strict", "replace"):
        for encoding in encodings:
            with suppress(LookupError, UnicodeError):
                if codecs.lookup(encoding).name not in _NO_FILES:
                    yield data.decode(encoding, errors)


def _found(text: str) -> tuple[int, bool]:
    """The number of marks, names and values up to what cannot be read; whether that is the end."""
    start = START.search(text)
    count, at = 0, start.start() if start else 0
    while token := _TOKEN.match(text, at):
        count, at = count + 1, token.end()
    return count, _END.match(text, at) is not None


def viewer_plays(board: Board, colour: Colour, move: Move) -> Board:
    """A move as viewer programs play it, whether the point is occupied or a ko, or not.

    A capture of stones it only knows in part may look like a suicide to it.
    """
    if move == PASS:
        return board
    bare = Board(board.size, board.black, board.white)
    played = bare.play(colour, move)
    if isinstance(played, Played):
        return played.board
    own = board.stones(colour) | 1 << move
    own &= ~grid(board.size).flood(1 << move, own)
    black, white = (own, board.white) if colour is BLACK else (board.black, own)
    return Board(board.size, black, white)


def _main_line(text: str) -> Iterator[Node]:
    """The nodes of the first game's main line.

    The main line follows the first variation at every branch, so it is all there is up to the
    first closing parenthesis, or to the end of a file that lacks it.
    """
    start = START.search(text)
    if start is None:
        raise BadText("not SGF: no game begins with (;")
    at, node = start.end(), Node()
    values: list[str] | None = None
    while not _END.match(text, at):
        token = _TOKEN.match(text, at)
        if token is None:
            raise BadText(f"SGF cannot be read at character {at}: {text[at : at + 20]!r}")
        at = token.end()
        if token["mark"]:
            if token["mark"] == ")":
                break
            if token["mark"] != "(":
                yield node
                node = {}
            values = None
        elif token["name"]:
            # FF[3] allows lower-case letters in a name, to be skipped: `CoPyright` is CP.
            name = re.sub("[a-z]", "", token["name"])
            values = node.setdefault(name, [])
        elif values is None:
            raise BadText("SGF has a value without a property")
        else:
            values.append(_ESCAPE.sub(_unescaped, token["value"]))
    yield node


def _unescaped(match: re.Match[str]) -> str:
    """An escaped character stands for itself, an escaped line break for nothing."""
    return "" if match[1][0] in "\r\n" else match[1]


def _single(node: Node, name: str, default: str) -> str:
    values = {value.strip() for value in node.get(name, [])}
    if len(values) > 1:
        raise BadText(f"SGF gives {name} {len(values)} values, not one")
    return values.pop() if values else default


def _size(text: str) -> int:
    width, _, height = text.partition(":")
    size = int(width) if re.fullmatch("[0-9]{1,2}", width) else 0
    if height not in ("", width) or not MIN_SIZE <= size <= MAX_SIZE:
        raise BadText(f"SGF size {text[:20]!r} is not {MIN_SIZE} to {MAX_SIZE}")
    return size


def _komi(text: str) -> float | None:
    try:
        komi = typed_number(text) if text else None
    except ValueError:
        komi = math.nan
    if komi is not None and not math.isfinite(komi):
        raise BadText(f"SGF komi {text[:20]!r} is not a finite number")
    return komi


def _player(text: str) -> Colour | None:
    colour = {"B": BLACK, "W": WHITE, "1": BLACK, "2": WHITE}.get(text[:1].upper())
    if colour is None and text:
        raise BadText(f"SGF player {text[:20]!r} is not B or W")
    return colour


def _move(text: str, size: int) -> Move:
    """A move; an empty value is a pass, and so is `tt` on boards up to 19x19."""
    text = _compact(text)
    if text in ("", "tt"):
        return PASS
    column, row = _column_and_row(text, size)
    return (size - 1 - row) * size + column


def _compact(text: str) -> str:
    """A point without line breaks, which some editors insert into any long line."""
    return "".join(text.split())


def _column_and_row(text: str, size: int) -> tuple[int, int]:
    """Column and row of two letters, `aa` being the upper left corner."""
    if len(text) == 2:
        column, row = ord(text[0]) - ord("a"), ord(text[1]) - ord("a")
        if 0 <= column < size and 0 <= row < size:
            return column, row
    raise BadText(f"SGF point {text[:20]!r} is not on a {size}x{size} board")


def _points(values: list[str], size: int) -> PointSet:
    """A list of points and of rectangles, `aa:cc`."""
    found = 0
    for value in filter(None, map(_compact, values)):
        first, _, last = value.partition(":")
        corners = _column_and_row(first, size), _column_and_row(last or first, size)
        (left, right), (top, bottom) = map(sorted, zip(*corners, strict=True))
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


def sgf_point(move: Move, size: int) -> str:
    """The SGF text of a point; a pass is empty."""
    if move == PASS:
        return ""
    row, column = divmod(move, size)
    return chr(ord("a") + column) + chr(ord("a") + size - 1 - row)


def sgf_points(points: PointSet, size: int) -> list[str]:
    """The SGF texts of a set of points."""
    return [sgf_point(point, size) for point in members(points)]
