"""Morra, an old game: both players show one or two fingers at once and guess the other's number.

If exactly one of them guesses right, they win as many points as fingers are shown. The player with
more points after the last round wins. Half of all choices are random and do not depend on the
players' seeds: in Fast seeds the player of Morra is stochastic even with a fixed seed.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from phantomgo.game.points import BLACK, WHITE, Colour, Move
from phantomgo.papers.games.state import DRAWN, WON, GameState, OtherGame
from phantomgo.rng import Stream, mix

CHOICES: Final = range(4)
"""A choice: 2 (fingers - 1) + guess - 1."""


@dataclass(frozen=True)
class Morra(OtherGame):
    """The game, with a number of rounds."""

    rounds: int = 10

    @property
    def name(self) -> str:
        return f"morra:rounds={self.rounds}"

    @property
    def playouts(self) -> bool:
        return False

    def start(self, luck: int) -> "Hands":
        return Hands(self.rounds, luck, ())


@dataclass(frozen=True)
class Hands(GameState):
    """A position of Morra.

    Attributes:
        rounds: rounds of the game.
        luck: the random stream that makes half of the choices.
        shown: all choices so far, Black's and White's in turn.
    """

    rounds: int
    luck: int
    shown: tuple[Move, ...]

    @property
    def mover(self) -> Colour:
        return WHITE if len(self.shown) % 2 else BLACK

    @property
    def turn(self) -> int:
        return len(self.shown) // 2

    @property
    def known(self) -> Hashable:
        """The choices of the completed rounds; a choice of the current round is hidden."""
        return self.shown[: 2 * self.turn]

    @property
    def moves(self) -> Sequence[Move]:
        return CHOICES

    @property
    def result(self) -> str | None:
        if len(self.shown) < 2 * self.rounds:
            return None
        points = 0
        for black, white in zip(self.shown[::2], self.shown[1::2], strict=True):
            (own, guess), (other, reply) = divmod(black, 2), divmod(white, 2)
            points += ((guess == other) - (reply == own)) * (own + other + 2)
        return DRAWN if points == 0 else WON[BLACK if points > 0 else WHITE]

    def allows(self, move: Move) -> bool:
        return move in CHOICES

    def after(self, move: Move) -> Self:
        stream = Stream(mix(self.luck + len(self.shown)))
        lucky = stream.below(2) == 0
        shown = CHOICES[stream.below(len(CHOICES))] if lucky else move
        return type(self)(self.rounds, self.luck, (*self.shown, shown))
