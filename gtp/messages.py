"""Reading the commands of the phantom protocol as the referee's messages.

`phantomgo.game.wording.line` writes them, and its docstring lists them.
"""

import re
from collections.abc import Sequence
from typing import Final

from gtp.syntax import Failure, colour, move, points, whole
from phantomgo.game import wording
from phantomgo.game.messages import (
    Accepted,
    Ended,
    Message,
    Moved,
    Note,
    Passed,
    Placed,
    Reason,
    Refused,
)
from phantomgo.game.points import Colour, Move, PointSet

NAMES: Final = (
    wording.ACCEPT,
    wording.ILLEGAL,
    wording.OPPONENT,
    wording.PLACED,
    wording.NOTE,
    wording.GAME_OVER,
)
"""The commands that are messages."""

_VERTEX = re.compile(r"[A-Za-z][0-9]{1,3}")
_RESULT = re.compile(r"0|Void|Draw|[BW]\+(?:[0-9]+(?:\.[0-9]+)?|[A-Za-z]+)?")


def read(name: str, arguments: Sequence[str], seat: Colour, size: int) -> Message | None:
    """The message of a command to the player of colour `seat`.

    None for a note with an unknown key, which is to be accepted silently.

    Raises:
        Failure: `syntax error`, or `not your seat` if the colour is wrong.
    """
    match (name, *arguments):
        case (wording.ACCEPT, side, where, *captured):
            _check_seat(side, seat)
            return Accepted(move(where, size), *_captured(captured, size))
        case (wording.ILLEGAL, side, where, *reason):
            _check_seat(side, seat)
            return Refused(_tried(where, size), _reason(reason))
        case (wording.OPPONENT, side, what, *captured):
            _check_seat(side, seat.other)
            return _opponents(what, *_captured(captured, size))
        case (wording.PLACED, side, *where):
            return Placed(colour(side), points(where, size))
        case (wording.NOTE, *words) if words:
            return _note(words)
        case (wording.GAME_OVER, result) if _RESULT.fullmatch(result):
            return Ended(result)
    raise Failure("syntax error")


def _check_seat(side: str, seat: Colour) -> None:
    if colour(side) is not seat:
        raise Failure("not your seat")


def _opponents(what: str, count: int | None, taken: PointSet | None) -> Moved | Passed:
    """The opponent's `move` or `pass`; whoever loses stones is told which."""
    lost = taken or 0
    if (count or 0) != lost.bit_count():
        raise Failure("syntax error")
    match what:
        case "move":
            return Moved(lost)
        case "pass" if not lost:
            return Passed()
    raise Failure("syntax error")


def _tried(text: str, size: int) -> Move:
    """The refused move; all vertices off the board are the same one."""
    if _VERTEX.fullmatch(text):
        try:
            return move(text, size)
        except Failure:
            return size * size
    raise Failure("syntax error")


def _note(words: list[str]) -> Note | None:
    match words:
        case ["atari", side]:
            return Note("atari", colour(side))
        case ["tries", side]:
            return Note("tries", colour(side))
        case ["tries", side, count]:
            return Note("tries", colour(side), whole(count, 1))
        case ["atari" | "tries", *_]:
            raise Failure("syntax error")
    return None


def _reason(words: list[str]) -> Reason | None:
    if not words:
        return None
    if len(words) > 1 or words[0] not in list(Reason):
        raise Failure("syntax error")
    return Reason(words[0])


def _captured(words: list[str], size: int) -> tuple[int | None, PointSet | None]:
    """The number of stones and the stones of `captured N [VERTEX...]`; None if not given."""
    if not words:
        return None, None
    if words[0] != "captured" or len(words) < 2:
        raise Failure("syntax error")
    count, taken = whole(words[1]), points(words[2:], size)
    if not words[2:]:
        return count, None if count else 0
    if taken.bit_count() != count:
        raise Failure("syntax error")
    return count, taken
