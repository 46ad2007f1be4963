"""The referee's messages as text: the lines of the phantom protocol, and English sentences.

    Accepted   phantom-accept b D4 captured 2 C3 C4
    Refused    phantom-illegal b E5 occupied
    Moved      phantom-opponent w move captured 1 D4
    Passed     phantom-opponent w pass captured 0
    Placed     phantom-placed b D4 Q16
    Note       phantom-note atari w, phantom-note tries w 2
    Ended      phantom-game_over B+2.5

The colour is that of the side that moves; `captured` comes last, so that later versions can add
fields before it, and is left out where the rules do not tell. The list of these lines is all a
player knows: sent again, it restores them. gtp/messages.py reads them back.
"""

from functools import lru_cache
from typing import Final

from phantomgo.messages import Accepted, Ended, Message, Moved, Note, Passed, Placed, Refused
from phantomgo.points import PASS, Colour, PointSet, vertex, vertices

ACCEPT: Final = "phantom-accept"
ILLEGAL: Final = "phantom-illegal"
OPPONENT: Final = "phantom-opponent"
PLACED: Final = "phantom-placed"
NOTE: Final = "phantom-note"
GAME_OVER: Final = "phantom-game_over"


@lru_cache(maxsize=1 << 14)
def line(message: Message, seat: Colour, size: int) -> str:
    """The command line of this message to the player of colour `seat`."""
    match message:
        case Accepted(played, captured, taken):
            return f"{ACCEPT} {seat.letter} {vertex(played, size)}" + _captured(
                captured, taken, size
            )
        case Refused(tried, reason):
            text = f"{ILLEGAL} {seat.letter} {vertex(tried, size)}"
            return text if reason is None else f"{text} {reason}"
        case Moved(lost):
            text = f"{OPPONENT} {seat.other.letter} move"
            return text + _captured(lost.bit_count(), lost, size)
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


def sentence(message: Message, seat: Colour, size: int) -> str:
    """The message as a referee would say it to the player of colour `seat`."""
    match message:
        case Accepted(move, captured, taken):
            text = (
                f"{seat} passes." if move == PASS else f"{seat}'s move {vertex(move, size)} stands."
            )
            if not captured:
                return text
            which = f": {vertices(taken, size)}" if taken else ""
            return f"{text} Captured {counted(captured, 'stone')}{which}."
        case Refused(move, reason):
            why = "" if reason is None else f" ({reason})"
            return f"{seat}'s move {vertex(move, size)} is refused{why}."
        case Moved(lost):
            text = f"{seat.other} has moved."
            return f"{text} {seat} loses {vertices(lost, size)}." if lost else text
        case Passed():
            return f"{seat.other} has passed."
        case Placed(side, points):
            return f"{side} begins with {vertices(points, size)}."
        case Note("atari", side):
            return f"{side} has a chain newly in atari."
        case Note(_, side, count):
            return f"{side} had {count} {'try' if count == 1 else 'tries'} refused."
        case Ended(result):
            return f"The game is over: {result}."


def counted(count: int, noun: str) -> str:
    """A number of things in words: `1 game`, `2 games`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
