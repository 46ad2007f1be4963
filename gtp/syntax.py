"""Lines of GTP version 2 to commands, and results to responses. Pure text, no game.

Input is whatever a controller sends: control characters, NUL and invalid UTF-8 are survived.
"""

import math
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.points import (
    PASS,
    Colour,
    Move,
    Point,
    PointSet,
    parse_colour,
    parse_move,
    parse_points,
)

MAX_LINE: Final = 1 << 20
"""Bytes of a line that are looked at; GTP sets no limit, memory does."""

MAX_ID: Final = 2**31 - 1

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_COMMAND = re.compile(r" *(?P<id>-?[0-9]+)? *(?P<rest>.*)")
_EMPTY_LINES = re.compile(r"\n(?: *\n)+")
_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Failure(Exception):
    """A command fails and changes nothing; the text is the response after `?`."""


class Command(NamedTuple):
    """One command line; `id` is None where the controller gave none."""

    id: int | None
    name: str
    arguments: tuple[str, ...]


def parse(line: bytes) -> Command | None:
    """Read a line; None where GTP wants no response: no command on it, at most an id.

    An id is read as GNU Go and gomill read it: clipped to 2**31 - 1, dropped when negative, and
    not necessarily followed by a space.
    """
    text = _CONTROLS.sub("", line.decode("utf-8", "replace")).partition("#")[0]
    text = text.replace("\t", " ").replace("\n", " ")
    match = _COMMAND.fullmatch(text)
    assert match is not None, "every part of the pattern may be empty"
    words = [word for word in match["rest"].split(" ") if word]
    if not words:
        return None
    return Command(_id(match["id"]), words[0], tuple(words[1:]))


def _id(digits: str | None) -> int | None:
    if digits is None or digits.startswith("-"):
        return None
    significant = digits.lstrip("0") or "0"
    return MAX_ID if len(significant) > 10 else min(int(significant), MAX_ID)


def success(number: int | None, text: str = "") -> str:
    """A response to a command that succeeded."""
    return _response("=", number, text)


def failure(number: int | None, text: str) -> str:
    """A response to a command that failed."""
    return _response("?", number, text)


def _response(status: str, number: int | None, text: str) -> str:
    """One response and the empty line that ends it, the only empty line in it."""
    clean = _CONTROLS.sub("", text).replace("\t", " ")
    clean = _EMPTY_LINES.sub("\n", clean).rstrip(" \n")
    return f"{status}{'' if number is None else number} {clean}\n\n"


# Arguments. What cannot be read is a `syntax error`, the text GTP gives it.


def whole(text: str, low: int = 0) -> int:
    """Read a whole number from `low` to 999999999."""
    if not _WHOLE.fullmatch(text) or int(text) < low:
        raise Failure("syntax error")
    return int(text)


def decimal(text: str) -> float:
    """Read a finite number."""
    if not _DECIMAL.fullmatch(text) or not math.isfinite(float(text)):
        raise Failure("syntax error")
    return float(text)


def colour(text: str) -> Colour:
    try:
        return parse_colour(text)
    except BadText:
        raise Failure("syntax error") from None


def move(text: str, size: int) -> Move:
    """Read a vertex or `pass`; `resign` is an answer, never an argument."""
    try:
        return parse_move(text, size)
    except BadText:
        raise Failure("syntax error") from None


def point(text: str, size: int) -> Point:
    """Read a vertex that is not `pass`."""
    where = move(text, size)
    if where == PASS:
        raise Failure("syntax error")
    return where


def points(texts: Iterable[str], size: int) -> PointSet:
    """Read vertices, none of them `pass` and none twice."""
    try:
        return parse_points(texts, size)
    except BadText:
        raise Failure("syntax error") from None
