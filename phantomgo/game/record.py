"""A recorded game: every attempt, and each player's messages about it.

Messages are lines of the phantom protocol (phantomgo/game/wording.py): a player's lines, in order,
are all that they know. They follow from the rules and the attempts (`verify` of
phantomgo/game/recording.py). phantomgo/records/ writes and reads records.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from phantomgo.game.messages import Reason
from phantomgo.game.outcome import Outcome
from phantomgo.game.points import RESIGN, Colour, Move, PointSet
from phantomgo.game.rules import Rules


class Attempt(NamedTuple):
    """One line of the referee's log; `reason` is the true one, None if the move was accepted."""

    colour: Colour
    move: Move
    reason: Reason | None


class RecordedAttempt(NamedTuple):
    """One attempt, the seconds it took to find, and the message lines to each player.

    `reason` is the true one, None if the move was accepted.
    """

    colour: Colour
    move: Move
    reason: Reason | None
    seconds: float
    black: tuple[str, ...]
    white: tuple[str, ...]

    def lines(self, colour: Colour) -> tuple[str, ...]:
        return self.black if colour is Colour.BLACK else self.white


class PlayerInfo(NamedTuple):
    """The player of a colour.

    Attributes:
        name: what they are called; of a bot, its spec.
        seed: None for a player that has none.
        data: the learned data they used, such as a net or a book, each with its digest.
    """

    name: str
    seed: int | None = None
    data: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is stored.

    Attributes:
        handicap: Black's stones on the board before the first move.
        time: seconds of each side for the game; None without a clock.
        takebacks: how often a player took a move back. Moves taken back are not in the steps, but
            the players had been told about them.
    """

    rules: Rules
    black: PlayerInfo
    white: PlayerInfo
    steps: tuple[RecordedAttempt, ...]
    outcome: Outcome
    handicap: PointSet
    time: int | None = None
    takebacks: int = 0

    def side(self, colour: Colour) -> PlayerInfo:
        return self.black if colour is Colour.BLACK else self.white

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The attempts, without messages."""
        return tuple(Attempt(step.colour, step.move, step.reason) for step in self.steps)

    @property
    def moves(self) -> list[tuple[Colour, Move]]:
        """The accepted moves, in the form of the attempts."""
        return [(s.colour, s.move) for s in self.steps if s.reason is None and s.move != RESIGN]

    def refused(self, colour: Colour) -> int:
        """The number of a side's refused attempts."""
        return sum(s.reason is not None and s.colour is colour for s in self.steps)

    def seconds(self, colour: Colour) -> float:
        """The seconds that a side thought."""
        return math.fsum(s.seconds for s in self.steps if s.colour is colour)
