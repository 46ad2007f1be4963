"""GTP version 2 as text: lines to commands, results to responses.

Controllers may send anything; control characters, NUL and invalid UTF-8 do no harm.
"""

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeVar

from phantomgo.errors import BadText
from phantomgo.game.points import (
    PASS,
    Colour,
    Move,
    Point,
    PointSet,
    parse_colour,
    parse_move,
    parse_points,
)
from phantomgo.values import Number, Unfit, Whole

T = TypeVar("T")

MAX_LINE: Final = 1 << 20
"""Bytes of a line that are read; GTP sets no limit, memory does."""
MAX_ID: Final = 2**31 - 1

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_COMMAND = re.compile(r" *(?P<id>-?[0-9]+)? *(?P<rest>.*)")
_EMPTY_LINES = re.compile(r"\n(?: *\n)+")
FINITE: Final = Number(-sys.float_info.max, sys.float_info.max)


class Failure(Exception):
    """The command fails and changes nothing; the text is the response after `?`."""


class CommandLine(NamedTuple):
    """A command line; `id` is None if the controller gave none."""

    id: int | None
    name: str
    arguments: tuple[str, ...]


def parse(line: bytes) -> CommandLine | None:
    """Read a line; None if it has no command, as GTP wants no response then.

    Ids are read as by GNU Go and gomill: clipped to 2**31 - 1, dropped if negative, and not
    necessarily followed by a space.
    """
    text = _CONTROLS.sub("", line.decode("utf-8", "replace")).partition("#")[0]
    text = text.replace("\t", " ").replace("\n", " ")
    match = _COMMAND.fullmatch(text)
    assert match is not None, "every part of the pattern may be empty"
    words = [word for word in match["rest"].split(" ") if word]
    if not words:
        return None
    return CommandLine(_id(match["id"]), words[0], tuple(words[1:]))


def _id(digits: str | None) -> int | None:
    if digits is None or digits.startswith("-"):
        return None
    significant = digits.lstrip("0") or "0"
    return MAX_ID if len(significant) > 10 else min(int(significant), MAX_ID)


def success(number: int | None, text: str = "") -> str:
    """The response to a command that succeeded."""
    return _response("=", number, text)


def failure(number: int | None, text: str) -> str:
    """The response to a command that failed."""
    return _response("?", number, text)


def _response(status: str, number: int | None, text: str) -> str:
    """A response and the empty line that ends it, the only empty line in it."""
    clean = _CONTROLS.sub("", text).replace("\t", " ")
    clean = _EMPTY_LINES.sub("\n", clean).rstrip(" \n")
    return f"{status}{'' if number is None else number} {clean}\n\n"


# Arguments. GTP's failure for an argument that cannot be read is `syntax error`.


def whole(text: str, low: int = 0) -> int:
    """Read a whole number from `low` to 999999999."""
    return _read(Whole(low, 999_999_999).read, text)


def decimal(text: str) -> float:
    """Read a finite number."""
    return _read(FINITE.read, text)


def colour(text: str) -> Colour:
    return _read(parse_colour, text)


def move(text: str, size: int) -> Move:
    """Read a vertex or `pass`; `resign` is an answer, never an argument."""
    return _read(parse_move, text, size)


def point(text: str, size: int) -> Point:
    """Read a vertex that is not `pass`."""
    where = move(text, size)
    if where == PASS:
        raise Failure("syntax error")
    return where


def points(texts: Iterable[str], size: int) -> PointSet:
    """Read distinct vertices, none of them `pass`."""
    return _read(parse_points, texts, size)


def _read(parser: Callable[..., T], *arguments: Any) -> T:
    try:
        return parser(*arguments)
    except (BadText, Unfit):
        raise Failure("syntax error") from None
