"""The outcome of a game, and its result as text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from phantomgo.errors import PhantomGoError
from phantomgo.game.points import BLACK, WHITE, Colour


class Ending(StrEnum):
    """The kinds of ending; `Outcome.sentence` says the rest in words."""

    SCORE = "score"
    RESIGN = "resign"
    TIME = "time"
    ATTEMPTS = "attempts"
    PROTOCOL = "illegal protocol"
    CRASH = "crash"
    STALL = "stall"
    MOVE_LIMIT = "move limit"
    REPETITION = "repetition"
    ADJUDICATION = "adjudication"
    VOID = "void"


_LETTERS: Final = {Ending.RESIGN: "+R", Ending.ADJUDICATION: "+R", Ending.TIME: "+T"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    Attributes:
        winner: the side that won; None for a draw or a void game.
        margin: Black's area minus White's minus komi, where the board was scored.
        ending: the kind of ending.
        sentence: the same in words.
    """

    winner: Colour | None
    margin: float | None
    ending: Ending
    sentence: str

    @classmethod
    def scored(cls, margin: float, ending: Ending, why: str) -> Self:
        winner = BLACK if margin > 0 else WHITE if margin < 0 else None
        who = f"{winner} wins by {abs(margin):g}" if winner else "the game is drawn"
        return cls(winner, margin, ending, f"{why}; {who}")

    @property
    def result(self) -> str:
        """The result as GTP and SGF write it: `B+2.5`, `W+R`, `B+F`, `0`, `Void`."""
        if self.ending is Ending.VOID:
            return "Void"
        if self.winner is None:
            return "0"
        letter = self.winner.letter.upper()
        if self.margin is not None:
            return f"{letter}+{abs(self.margin):g}"
        return letter + _LETTERS.get(self.ending, "+F")

    def score(self, colour: Colour) -> float:
        """The points of a side: 1 for a win, 0 for a loss, 0.5 without a winner."""
        return 0.5 if self.winner is None else float(self.winner is colour)


def black_won(result: str) -> bool:
    """True if Black won a game with this result, as GTP writes it."""
    return result.startswith("B+")


def drawn(result: str) -> bool:
    """True for a draw; some referees write `Draw`."""
    return result in ("0", "Draw")


def void(result: str) -> bool:
    """True for a void game."""
    return result == "Void"


def black_score(result: str) -> float:
    """Black's score in a game with this result: 1 for a win, 1/2 for a draw, else 0."""
    return 0.5 if drawn(result) else float(black_won(result))


class Fault(PhantomGoError):
    """A player cannot continue. They lose the game, or it is void.

    Attributes:
        ending: TIME, PROTOCOL, CRASH, STALL, or VOID for a game that never really began.
    """

    def __init__(self, ending: Ending, what: str) -> None:
        """`what` completes the sentence that their colour begins: `crashed at genmove b`."""
        super().__init__(what)
        self.ending = ending

    def __reduce__(self) -> tuple[type[Self], tuple[Ending, str]]:
        return type(self), (self.ending, str(self))  # for those who raise it in a worker

    def outcome(self, colour: Colour) -> Outcome:
        """The outcome of the game if it was this side's fault."""
        winner = None if self.ending is Ending.VOID else colour.other
        return Outcome(winner, None, self.ending, f"{colour} {self}")


FAULTS: Final = (Ending.TIME, Ending.PROTOCOL, Ending.CRASH, Ending.STALL, Ending.VOID)
"""The endings that the moves do not show."""
