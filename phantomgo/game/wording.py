"""The referee's messages as text: the lines of the phantom protocol, and English sentences.

    Accepted   phantom-accept b D4 captured 2 C3 C4
    Refused    phantom-illegal b E5 occupied
    Moved      phantom-opponent w move captured 1 D4
    Passed     phantom-opponent w pass captured 0
    Placed     phantom-placed b D4 Q16
    Note       phantom-note atari w, phantom-note tries w 2
    Ended      phantom-game_over B+2.5

The colour is that of the side that moves; `captured` comes last, so that later versions can add
fields before it, and is omitted where the rules do not tell. The list of these lines is all a
player knows: sent again, it restores them. gtp/messages.py reads them back.
"""

from functools import lru_cache
from typing import Final

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
from phantomgo.game.points import PASS, Colour, PointSet, vertex, vertices
from phantomgo.phrase import Phrase, sentences

ACCEPT: Final = "phantom-accept"
ILLEGAL: Final = "phantom-illegal"
OPPONENT: Final = "phantom-opponent"
PLACED: Final = "phantom-placed"
NOTE: Final = "phantom-note"
GAME_OVER: Final = "phantom-game_over"

REASONS: Final = {
    Reason.OCCUPIED: Phrase("occupied"),
    Reason.OWN: Phrase("own"),
    Reason.SUICIDE: Phrase("suicide"),
    Reason.KO: Phrase("ko"),
    Reason.OFF_BOARD: Phrase("off-board"),
}
"""Why an attempt is illegal, in a word."""


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


@lru_cache(maxsize=1 << 14)
def sentence(message: Message, seat: Colour, size: int) -> str:
    """The message as a referee would say it to the player of colour `seat`."""
    match message:
        case Accepted(move, captured, taken):
            accepted = Phrase(
                "{player}'s move {point} is accepted.", player=seat, point=vertex(move, size)
            )
            said = Phrase("{player} passes.", player=seat) if move == PASS else accepted
            return sentences((said, _taken(captured, vertices(taken or 0, size))))
        case Refused(move, reason):
            values = {"player": seat, "point": vertex(move, size)}
            if reason is None:
                return Phrase("{player}'s move {point} is refused.", **values)
            why = REASONS[reason]
            return Phrase("{player}'s move {point} is refused ({reason}).", reason=why, **values)
        case Moved(lost):
            moved = Phrase("{player} has moved.", player=seat.other)
            loses = Phrase("{player} loses {points}.", player=seat, points=vertices(lost, size))
            return sentences((moved, loses)) if lost else moved
        case Passed():
            return Phrase("{player} has passed.", player=seat.other)
        case Placed(side, points):
            return Phrase(
                "{player} begins with {points}.", player=side, points=vertices(points, size)
            )
        case Note("atari", side):
            return Phrase("{player} has a chain newly in atari.", player=side)
        case Note(_, side, 1):
            return Phrase("{player} had 1 attempt refused.", player=side)
        case Note(_, side, count):
            return Phrase("{player} had {count} attempts refused.", player=side, count=count)
        case Ended(result):
            return Phrase("The game is over: {result}.", result=result)


def _taken(count: int | None, points: str) -> str:
    """The stones that a move captured, as far as they are told."""
    if not count:
        return ""
    if not points:
        one = Phrase("Captured 1 stone.")
        return one if count == 1 else Phrase("Captured {count} stones.", count=count)
    if count == 1:
        return Phrase("Captured 1 stone: {points}.", points=points)
    return Phrase("Captured {count} stones: {points}.", count=count, points=points)


def counted(count: int, noun: str) -> str:
    """A number of things in words: `1 game`, `2 games`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
