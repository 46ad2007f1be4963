"""Domineering (Göran Andersson; Gardner 1974): the first player who cannot place a domino loses.

Black begins and places dominoes vertically, White horizontally. A move is the lower or left cell.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from bots.worlds import as_flags, signed
from phantomgo.game.points import BLACK, Move, PointSet, grid, members
from phantomgo.papers.games.state import WON, InTurn, OtherGame, Searchable
from phantomgo.papers.kernels.domineering import play_out


@dataclass(frozen=True)
class Domineering(OtherGame):
    """The game on a square board."""

    size: int = 8

    @property
    def name(self) -> str:
        return f"domineering:size={self.size}"

    def start(self, _luck: int) -> "Tiling":
        return Tiling(self.size, grid(self.size).full, 0)


@dataclass(frozen=True)
class Tiling(InTurn, Searchable):
    """A board with dominoes.

    Attributes:
        size: cells per side.
        free: the cells that are not covered.
        covered: how many dominoes lie there.
    """

    size: int
    free: PointSet
    covered: int

    @property
    def turn(self) -> int:
        return self.covered

    @property
    def known(self) -> Hashable:
        return self.free, self.turn

    @cached_property
    def moves(self) -> Sequence[Move]:
        return list(members(self._room))

    @property
    def _room(self) -> PointSet:
        """The lower or left cells of all places where the player to move can place a domino."""
        if self.mover is BLACK:
            return self.free & self.free >> self.size
        last_column = sum(1 << (row + 1) * self.size - 1 for row in range(self.size))
        return self.free & self.free >> 1 & ~last_column

    @property
    def result(self) -> str | None:
        return None if self._room else WON[self.mover.other]

    def allows(self, move: Move) -> bool:
        return move in self.moves

    def after(self, move: Move) -> Self:
        step = self.size if self.mover is BLACK else 1
        domino = (1 | 1 << step) << move
        return type(self)(self.size, self.free & ~domino, self.turn + 1)

    def points(self, each: int, key: int) -> Sequence[int]:
        free, upright = as_flags(self.free, self.size), self.mover is BLACK
        won: list[int] = play_out(
            free, self.size, upright, np.array(self.moves), each, signed(key)
        ).tolist()
        return [2 * wins for wins in won]
