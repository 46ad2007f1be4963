"""Reading the commands of the phantom protocol as the referee's messages.

`phantomgo.game.wording.line` writes them, and its docstring lists them.
"""

import re
from collections.abc import Sequence
from typing import Final

from gtp.syntax import Failure, colour, move, points, whole
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
from phantomgo.game.wording import ACCEPT, GAME_OVER, ILLEGAL, NOTE, OPPONENT, PLACED

NAMES: Final = (ACCEPT, ILLEGAL, OPPONENT, PLACED, NOTE, GAME_OVER)
"""The commands that are messages."""

_VERTEX = re.compile(r"[A-Za-z][0-9]{1,3}")
_RESULT = re.compile(r"0|Void|Draw|[BW]\+(?:[0-9]+(?:\.[0-9]+)?|[A-Za-z]+)?")


def read(name: str, arguments: Sequence[str], seat: Colour, size: int) -> Message | None:
    """The message of a command to the player of colour `seat`.

    None for a note with an unknown key, which is to be accepted silently.

    Raises:
        Failure: `syntax error`, or `not your seat` if the colour is wrong.
    """
    words = list(arguments)
    if name == GAME_OVER and len(words) == 1 and _RESULT.fullmatch(words[0]):
        return Ended(words[0])
    if name == PLACED and words:
        return Placed(colour(words[0]), points(words[1:], size))
    if name == NOTE and words:
        return _note(words)
    if len(words) < 2 or name not in (ACCEPT, ILLEGAL, OPPONENT):
        raise Failure("syntax error")
    if colour(words[0]) is not (seat.other if name == OPPONENT else seat):
        raise Failure("not your seat")
    tail = words[2:]
    if name == ILLEGAL:
        return Refused(_tried(words[1], size), _reason(tail))
    count, taken = _read_captured(tail, size)
    if name == ACCEPT:
        return Accepted(move(words[1], size), count, taken)
    lost = taken or 0
    if words[1] not in ("move", "pass") or (count or 0) != lost.bit_count():
        raise Failure("syntax error")
    if words[1] == "move":
        return Moved(lost)
    if lost:
        raise Failure("syntax error")
    return Passed()


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


def _read_captured(words: list[str], size: int) -> tuple[int | None, PointSet | None]:
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
