"""The full board: play, capture, ko, area score.

A `Board` is an immutable value, so a referee can keep earlier ones. Only the referee side of the
project imports this module; players see a `View` (phantomgo/game/view.py).
"""

from typing import NamedTuple

from phantomgo.game.messages import Reason
from phantomgo.game.points import BLACK, Colour, Point, PointSet, grid


class Played(NamedTuple):
    """The result of a legal move: the new board and the captured stones."""

    board: "Board"
    captured: PointSet


class Board(NamedTuple):
    """Stones on a board of `size` x `size` points.

    Attributes:
        size: points per side, 2 to 19.
        black: Black's stones.
        white: White's stones.
        ko: the point that `ko_colour` may not retake at their next move; None if there is none.
    """

    size: int
    black: PointSet = 0
    white: PointSet = 0
    ko: Point | None = None
    ko_colour: Colour | None = None

    def stones(self, colour: Colour) -> PointSet:
        return self.black if colour is BLACK else self.white

    def play(self, colour: Colour, point: Point) -> Played | Reason:
        """Carry out a move, or say why it is illegal: no suicide, simple ko."""
        geometry = grid(self.size)
        own, enemy = self.stones(colour), self.stones(colour.other)
        stone = 1 << point
        if enemy & stone:
            return Reason.OCCUPIED
        if own & stone:
            return Reason.OWN
        if point == self.ko and colour is self.ko_colour:
            return Reason.KO
        own |= stone
        beside = geometry.neighbours[point]
        empty = geometry.full & ~(own | enemy)
        captured = self._without_liberty(enemy & beside, enemy, empty)
        enemy &= ~captured
        empty |= captured
        if not beside & empty and not geometry.grow(geometry.flood(stone, own)) & empty:
            return Reason.SUICIDE
        ko = None
        if captured == beside & empty and captured.bit_count() == 1 and not beside & own:
            ko = captured.bit_length() - 1
        black, white = (own, enemy) if colour is BLACK else (enemy, own)
        ko_colour = None if ko is None else colour.other
        return Played(Board(self.size, black, white, ko, ko_colour), captured)

    def passed(self) -> "Board":
        """The board after a pass: the same stones, no ko."""
        return self if self.ko is None else Board(self.size, self.black, self.white)

    def area_score(self) -> int:
        """Black's stones and surrounded empty points minus White's, without komi.

        An empty region counts for a colour when it touches stones of that colour only.
        """
        black, white = self.areas()
        return black.bit_count() - white.bit_count()

    def areas(self) -> tuple[PointSet, PointSet]:
        """The areas of Black and White: their stones and the empty points they surround."""
        geometry = grid(self.size)
        empty = geometry.full & ~(self.black | self.white)
        near_black = geometry.flood(geometry.grow(self.black) & empty, empty)
        near_white = geometry.flood(geometry.grow(self.white) & empty, empty)
        return self.black | near_black & ~near_white, self.white | near_white & ~near_black

    def in_atari(self, colour: Colour) -> list[PointSet]:
        """The chains of `colour` that have exactly one liberty."""
        geometry = grid(self.size)
        empty = geometry.full & ~(self.black | self.white)
        return [
            chain
            for chain in self.chains(colour)
            if (geometry.grow(chain) & empty).bit_count() == 1
        ]

    def chains(self, colour: Colour) -> list[PointSet]:
        """The chains of `colour`, in board order of their lowest points."""
        geometry = grid(self.size)
        stones, found = self.stones(colour), []
        while stones:
            chain = geometry.flood(stones & -stones, stones)
            found.append(chain)
            stones ^= chain
        return found

    def _without_liberty(self, start: PointSet, stones: PointSet, empty: PointSet) -> PointSet:
        """The stones of the chains through `start` that touch no empty point."""
        geometry = grid(self.size)
        dead = 0
        start &= ~geometry.beside(empty)  # these live
        while start:
            chain = geometry.flood(start & -start, stones)
            if not geometry.grow(chain) & empty:
                dead |= chain
            start &= ~chain
        return dead

    def diagram(self) -> str:
        """The board as text, one line a row, top row first: `X` Black, `O` White, `.` empty."""
        rows = []
        for row in reversed(range(self.size)):
            bits = range(row * self.size, (row + 1) * self.size)
            rows.append(
                " ".join(
                    "X" if self.black >> p & 1 else "O" if self.white >> p & 1 else "."
                    for p in bits
                )
            )
        return "\n".join(rows)
