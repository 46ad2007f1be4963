"""A game between seeds: a value, which a store writes as a pair of numbers.

Like books, seeds are also played under the symmetries of the board. A symmetry applied to both
players only mirrors the game, so it is enough to turn Black's board.

In the pair of numbers, a seed that plays a whole game is its own number. A line that ends, together
with the seed that continues, is a number above all seeds, and the symmetry is part of Black's
number.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from phantomgo.game.symmetry import IDENTITY, Symmetry
from phantomgo.lab.run.contest import GameNumber
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import symmetries_stream, tail_number
from phantomgo.values import checked_int

_TURN: Final = 1 << 60
"""Numbers of seeds and lines are below this; symmetry g adds g times it."""
_ENDED: Final = 1 << 59
"""Seeds that play whole games are below this."""
_TAIL: Final = 1 << 24
MAX_LINE: Final = _TAIL - 1
"""The greatest number of a line."""
MAX_TAIL: Final = (1 << 28) - 1
"""The greatest seed that continues after a line."""


class SeedSide(NamedTuple):
    """A seed that plays a colour of a game, perhaps after a line.

    Attributes:
        seed: the seed that plays, after the line if there is one.
        line: the number of a line of the contest that is played first; None if there is none.
    """

    seed: int
    line: int | None = None

    @classmethod
    def of(cls, number: int) -> Self:
        """The side with this number."""
        if number < _ENDED:
            return cls(number)
        seed, line = divmod(number - _ENDED, _TAIL)
        return cls(seed, line)

    @property
    def number(self) -> int:
        """The number of this side.

        Raises:
            BadText: no line has such a number.
        """
        if self.line is None:
            return self.seed
        return (
            _ENDED + self.seed * _TAIL + checked_int("the number of a line", self.line, 0, MAX_LINE)
        )


class SeedGame(NamedTuple):
    """A game between seeds or lines.

    Attributes:
        black: who plays Black.
        white: who plays White.
        turn: the symmetry under which Black sees the board.
    """

    black: SeedSide
    white: SeedSide
    turn: Symmetry = IDENTITY

    @classmethod
    def of(cls, game: GameNumber) -> Self:
        """The game with this pair of numbers."""
        turn, black = divmod(game[0], _TURN)
        return cls(SeedSide.of(black), SeedSide.of(game[1]), turn)

    @classmethod
    def of_lines(
        cls, black: int | None, white: int | None, number: int, turns: Sequence[Symmetry]
    ) -> Self:
        """Game `number` of two lines; successive games take the symmetries in turn.

        Fresh seeds continue. None means no line: the bot plays from the first move.
        """
        one, two = (MAX_LINE if line is None else line for line in (black, white))
        tails = tail_of(one, two, 2 * number), tail_of(two, one, 2 * number + 1)
        turn = turns[number % len(turns)]
        return cls(SeedSide(tails[0], black), SeedSide(tails[1], white), turn)

    @property
    def numbers(self) -> GameNumber:
        """The game as a pair of numbers."""
        return self.turn * _TURN + self.black.number, self.white.number


def tail_of(own: int, other: int, number: int) -> int:
    """The seed that continues in game `number` of a seed or line against another.

    It is above MAX_LINE, so it took no part in learning.
    """
    drawn = tail_number(own, other, number)
    return MAX_LINE + 1 + drawn % (MAX_TAIL - MAX_LINE)


def symmetries(black: int, white: int, among: Sequence[Symmetry], number: int) -> list[Symmetry]:
    """The symmetries under which these two play: this many, drawn for each pair of numbers."""
    if number >= len(among):
        return list(among)
    stream, left = symmetries_stream(black, white), list(among)
    return sorted(left.pop(stream.below(len(left))) for _ in range(number))


def turned_games(setup: Setup, black: SeedSide, white: SeedSide, number: int) -> list[SeedGame]:
    """The games of two sides under a number of symmetries; 0 for games without any."""
    if number == 0:
        return [SeedGame(black, white)]
    drawn = symmetries(black.number, white.number, setup.symmetries, number)
    return [SeedGame(black, white, turn) for turn in drawn]
