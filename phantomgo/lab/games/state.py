"""Positions of a game.

Black is the player who begins, whatever their pieces are called.
"""

from collections.abc import Hashable, Sequence
from typing import Protocol, Self

from phantomgo.game.points import BLACK, WHITE, Colour, Move

WON = {BLACK: "B+", WHITE: "W+"}
"""Results, as stores keep them."""
DRAWN = "0"


class GameState(Protocol):
    """A position of a game without hidden information, and its history, as an immutable value."""

    @property
    def mover(self) -> Colour:
        """The player to move."""

    @property
    def turn(self) -> int:
        """The number of moves so far."""

    @property
    def known(self) -> Hashable:
        """Everything that decides a player's move."""

    @property
    def moves(self) -> Sequence[Move]:
        """The moves that are worth considering; at least one, unless the game is over."""

    @property
    def result(self) -> str | None:
        """The result, as stores keep it; None during the game."""

    def allows(self, move: Move) -> bool:
        """True if a move is legal."""

    def after(self, move: Move) -> Self:
        """The position after a legal move."""

    def points(self, each: int, key: int) -> Sequence[int]:
        """Random playouts: two points for each that the mover wins, one for a draw.

        Args:
            each: playouts of each of the `moves`.
            key: the random stream.

        Returns:
            A number for each of the `moves`.
        """


class Open:
    """A state of a game whose players move in turn."""

    @property
    def mover(self: GameState) -> Colour:
        return WHITE if self.turn % 2 else BLACK


class OtherGame(Protocol):
    """A game and its parameters. Hashable and picklable."""

    @property
    def name(self) -> str:
        """The spec that makes it."""

    def start(self) -> GameState:
        """The first state."""
