"""Positions of a game.

Black is the player who begins, whatever their pieces are called.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, Self

from phantomgo.points import BLACK, WHITE, Colour, Move

WON = {BLACK: "B+", WHITE: "W+"}
"""Results, as stores keep them."""
DRAWN = "0"


class Position(Protocol):
    """A position and its history, as an immutable value."""

    @property
    def mover(self) -> Colour:
        """The player to move."""

    @property
    def known(self) -> Hashable:
        """Everything that the mover knows; it decides their move."""

    @property
    def future(self) -> Hashable:
        """Everything that the rest of the game depends on, apart from the mover's moves.

        After the same moves, positions with the same future have the same results, because the
        other player decides by what they know.
        """

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


class State(Position, Protocol):
    """A position that our players for all games can play."""

    @property
    def turn(self) -> int:
        """A number that identifies a decision, together with the mover and what they know."""

    def points(self, each: int, key: int) -> Sequence[int]:
        """Random playouts: two points for each that the mover wins, one for a draw.

        Args:
            each: playouts of each of the `moves`.
            key: the random stream.

        Returns:
            A number for each of the `moves`.
        """


class Open:
    """A state in which nothing is hidden, of a game whose players move in turn."""

    @property
    def mover(self: State) -> Colour:
        return WHITE if self.turn % 2 else BLACK

    @property
    def future(self: State) -> Hashable:
        return self.known


class Game(Protocol):
    """A game and its parameters. Hashable and picklable."""

    @property
    def name(self) -> str:
        """The spec that makes it."""

    @property
    def data(self) -> Mapping[str, str]:
        """Versions of whatever else decides a result; none by default."""
        return {}

    @property
    def chance(self) -> bool:
        """True if dice or cards take part."""
        return False

    def start(self, luck: int) -> State:
        """The first state; the random stream of `luck` throws the dice."""
