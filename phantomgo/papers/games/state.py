"""Games and their positions.

Black is the player who begins, whatever their pieces are called.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, Self

from phantomgo.game.points import BLACK, WHITE, Colour, Move

WON = {BLACK: "B+", WHITE: "W+"}
"""Results, as stores keep them."""
DRAWN = "0"


class GameState(Protocol):
    """A position of a game and its history, as an immutable value."""

    @property
    def mover(self) -> Colour:
        """The player to move."""

    @property
    def turn(self) -> int:
        """A number that is another one at each decision of a player and tells nothing hidden."""

    @property
    def known(self) -> Hashable:
        """Everything that decides the mover's move."""

    @property
    def moves(self) -> Sequence[Move]:
        """The moves that are worth considering; at least one, unless the game is over."""

    @property
    def result(self) -> str | None:
        """The result, as stores keep it; None during the game."""

    @property
    def blind(self) -> bool:
        """True if any player draws evenly among the moves, whoever they are; False by default."""
        return False

    def allows(self, move: Move) -> bool:
        """True if a move is legal."""

    def after(self, move: Move) -> Self:
        """The position after a legal move."""


class Searchable(GameState, Protocol):
    """A position from which random playouts can be played."""

    def points(self, each: int, key: int) -> Sequence[int]:
        """Random playouts: two points for each that the mover wins, one for a draw.

        Args:
            each: playouts of each of the `moves`.
            key: the random stream.

        Returns:
            A number for each of the `moves`.
        """


class InTurn(GameState, Protocol):
    """A position of a game whose players move in turn."""

    @property
    def mover(self) -> Colour:
        return WHITE if self.turn % 2 else BLACK


class OtherGame(Protocol):
    """A game and its parameters. Hashable and picklable."""

    @property
    def name(self) -> str:
        """The spec that makes it."""

    @property
    def data(self) -> Mapping[str, str]:
        """The libraries that decide its games, with versions; none by default."""
        return {}

    @property
    def playouts(self) -> bool:
        """True, the default, if its positions are Searchable wherever nothing is drawn blindly."""
        return True

    def start(self, luck: int) -> GameState:
        """The first position; `luck` is the random stream of dice and cards, of both seeds."""
