"""Games and their positions.

Black is the player who begins, whatever the game calls their pieces.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, Self

from phantomgo.game.points import BLACK, WHITE, Colour, Move

WON = {BLACK: "B+", WHITE: "W+"}
"""The results as stores write them."""
DRAWN = "0"


class GameState(Protocol):
    """A position of a game with its history; immutable."""

    @property
    def mover(self) -> Colour:
        """The player to move."""

    @property
    def turn(self) -> int:
        """A number that differs at each decision of a player and reveals nothing hidden."""

    @property
    def known(self) -> Hashable:
        """Everything that the move of the player to move may depend on."""

    @property
    def moves(self) -> Sequence[Move]:
        """The moves worth considering; at least one, unless the game is over."""

    @property
    def result(self) -> str | None:
        """The result as stores write it; None during the game."""

    @property
    def blind(self) -> bool:
        """True if every player draws uniformly among the moves here; False by default."""
        return False

    def allows(self, move: Move) -> bool:
        """True if a move is legal."""

    def after(self, move: Move) -> Self:
        """The position after a legal move."""


class Searchable(GameState, Protocol):
    """A position from which random playouts are possible."""

    def points(self, each: int, key: int) -> Sequence[int]:
        """Play random playouts: two points for each win of the player to move, one for a draw.

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
        """The game's spec."""

    @property
    def data(self) -> Mapping[str, str]:
        """The libraries that results depend on, with versions; none by default."""
        return {}

    @property
    def playouts(self) -> bool:
        """True, the default, if its positions are Searchable, unless they are `blind`."""
        return True

    def start(self, luck: int) -> GameState:
        """The first position; `luck` is the random stream of chance events, derived from both
        seeds.
        """
