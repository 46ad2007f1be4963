"""Ending games early when both players agree on the winner."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from phantomgo.checks import number, whole
from phantomgo.outcome import Ending, Outcome
from phantomgo.points import Colour
from phantomgo.wording import counted

MOST_MOVES = 1000


@runtime_checkable
class Confident(Protocol):
    """A player who estimates their chance to win."""

    @property
    def chance(self) -> float | None:
        """Their chance to win, estimated at their last attempt; None without an estimate."""


@dataclass(frozen=True)
class Adjudication:
    """A game ends when both players have expected the same winner for some moves in a row.

    Each of them judges by their own view. With 50 percent it is enough that they name the same
    winner.

    Attributes:
        moves: of each player in a row.
        chance: of the player who wins, in percent, by the judgement of either.
    """

    moves: int
    chance: float = 90.0

    def __post_init__(self) -> None:
        whole("moves", self.moves, 1, MOST_MOVES)
        number("chance", self.chance, 50, 100)

    def __str__(self) -> str:
        return f"adjudicated after {counted(self.moves, 'move')} at {self.chance:g} %"


class Streak(NamedTuple):
    """The player whom both expect to win, and for how many moves in a row."""

    winner: Colour | None = None
    moves: int = 0

    def after(self, colour: Colour, chance: float | None, terms: Adjudication) -> "Streak":
        """The streak after a move of a player who gave themselves this chance."""
        if chance is None or chance == 0.5:
            return Streak()
        winner, sure = (colour, chance) if chance > 0.5 else (colour.other, 1 - chance)
        if 100 * sure < terms.chance:
            return Streak()
        return Streak(winner, self.moves + 1 if winner is self.winner else 1)

    def outcome(self, terms: Adjudication) -> Outcome | None:
        """The outcome of the game; None if it continues."""
        if self.moves < 2 * terms.moves:
            return None
        sentence = (
            f"both players gave {self.winner} at least {terms.chance:g} % for"
            f" {counted(terms.moves, 'move')} in a row"
        )
        return Outcome(self.winner, None, Ending.ADJUDICATION, sentence)
