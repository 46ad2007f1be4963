"""The referee's messages to a player. Their ordered list is all that a player knows.

An *answer* (`Accepted`, `Refused`) goes to the player who attempted, an *announcement* (`Moved`,
`Passed`) to the other one. Each is one command of the phantom protocol (gtp/messages.py), so a
list of messages sent again restores a restarted player.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from phantomgo.game.points import Colour, Move, PointSet


class Reason(StrEnum):
    """Why an attempt is illegal. The values are the words of the protocol."""

    OCCUPIED = "occupied"
    OWN = "own"
    SUICIDE = "suicide"
    KO = "ko"
    OFF_BOARD = "off-board"


@dataclass(frozen=True, slots=True)
class Accepted:
    """Your attempt is accepted. `captured` and `taken` are None if the rules do not tell them."""

    move: Move
    captured: int | None = 0
    taken: PointSet | None = 0


@dataclass(frozen=True, slots=True)
class Refused:
    """Your attempt is refused: make another. `reason` is None where the rules do not tell it."""

    move: Move
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """The opponent has moved and took these stones of yours."""

    lost: PointSet = 0


@dataclass(frozen=True, slots=True)
class Passed:
    """The opponent has passed."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Stones put on the board in the open before the game (handicap)."""

    colour: Colour
    points: PointSet


@dataclass(frozen=True, slots=True)
class Note:
    """A further announcement, to both players or to the one who waits.

    `atari`: `colour` has a chain newly in atari. `tries`: `colour` had `count` attempts refused.
    """

    key: Literal["atari", "tries"]
    colour: Colour
    count: int = 1


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; the result as GTP writes it: `B+2.5`, `W+R`, `0`."""

    result: str


Answer: TypeAlias = Accepted | Refused
Announcement: TypeAlias = Moved | Passed
Message: TypeAlias = Answer | Announcement | Placed | Note | Ended
