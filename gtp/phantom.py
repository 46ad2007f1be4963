"""The referee's messages as commands of the phantom protocol, and back.

    Accepted   phantom-accept b D4 captured 2 C3 C4
    Refused    phantom-illegal b E5 occupied
    Moved      phantom-opponent w move captured 1 D4
    Passed     phantom-opponent w pass captured 0
    Placed     phantom-placed b D4 Q16
    Note       phantom-note atari w, phantom-note tries w 2
    Ended      phantom-game_over B+2.5

The colour is that of the side that moves; `captured` comes last, so that later versions can add
fields before it, and is left out where the rules do not tell. The list of these lines is all a
player knows: sent again, it restores him.
"""

import re
from collections.abc import Sequence
from typing import Final

from gtp.syntax import Failure, colour, move, point, whole
from phantomgo.messages import Accepted, Ended, Message, Moved, Note, Passed, Placed, Refused
from phantomgo.points import Colour, PointSet, vertex, vertices
from phantomgo.rules import Reason

ACCEPT: Final = "phantom-accept"
ILLEGAL: Final = "phantom-illegal"
OPPONENT: Final = "phantom-opponent"
PLACED: Final = "phantom-placed"
NOTE: Final = "phantom-note"
GAME_OVER: Final = "phantom-game_over"

_RESULT = re.compile(r"0|Void|Draw|[BW]\+(?:[0-9]+(?:\.[0-9]+)?|[A-Za-z]+)?")


def write(message: Message, seat: Colour, size: int) -> str:
    """The command line that tells this message to the player of colour `seat`."""
    match message:
        case Accepted(played, captured, taken):
            return f"{ACCEPT} {seat.letter} {vertex(played, size)}" + _captured(
                captured, taken, size
            )
        case Refused(tried, reason):
            line = f"{ILLEGAL} {seat.letter} {vertex(tried, size)}"
            return line if reason is None else f"{line} {reason}"
        case Moved(lost):
            line = f"{OPPONENT} {seat.other.letter} move"
            return line + _captured(lost.bit_count(), lost, size)
        case Passed():
            return f"{OPPONENT} {seat.other.letter} pass captured 0"
        case Placed(side, points):
            return f"{PLACED} {side.letter} {vertices(points, size)}".rstrip()
        case Note("tries", side, count):
            return f"{NOTE} tries {side.letter} {count}"
        case Note(key, side):
            return f"{NOTE} {key} {side.letter}"
        case Ended(result):
            return f"{GAME_OVER} {result}"


def _captured(count: int | None, points: PointSet | None, size: int) -> str:
    if count is None:
        return ""
    return f" captured {count} {vertices(points or 0, size)}".rstrip()


def read(name: str, arguments: Sequence[str], seat: Colour, size: int) -> Message | None:
    """The message that a command tells the player of colour `seat`.

    None for a note of a key not known here: such notes are to be accepted silently.

    Raises:
        Failure: `syntax error`, or `not your seat` where the colour is the wrong one.
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
        return Refused(move(words[1], size), _reason(tail))
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
    """`captured N [VERTEX...]`: how many stones, and which; None where it is not told."""
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


def points(words: Sequence[str], size: int) -> PointSet:
    """The set of these vertices, none of them twice."""
    found = 0
    for word in words:
        stone = 1 << point(word, size)
        if found & stone:
            raise Failure("syntax error")
        found |= stone
    return found
