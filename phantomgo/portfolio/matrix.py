"""The seed matrix: who wins when Black plays one seed and White another.

`M[i, j]` is 1 if Black with seed i beats White with seed j, and 0 if not (CIG 2016, section III-A);
a draw, which the papers do not have, is 1/2. Seeds are numbered from 0, so row i is seed i.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.portfolio.nash import Equilibrium, FloatArray, solve
from phantomgo.values import checked_int, checked_number

Cell: TypeAlias = tuple[int, int]
"""Black's seed and White's."""
Wins: TypeAlias = NDArray[np.uint8]
Cells: TypeAlias = Wins | FloatArray
"""Results of single games, or means over several."""
Seeds: TypeAlias = NDArray[np.intp]


def play_matrix(
    play: Callable[[int, int], float], own: int, opponents: int | None = None
) -> "SeedMatrix":
    """Play the seed matrix of any game, in this process.

    Args:
        play: plays the game of Black's seed and White's, which always ends the same way; returns
            Black's score: 1 for a win, 1/2 for a draw, 0 for a loss.
        own: seeds of each colour, K.
        opponents: seeds of each colour that they play against, Kt (default: as many).

    Raises:
        BadText: a number of seeds or a score is invalid.
    """
    kt = checked_int(
        "opponent seeds", own if opponents is None else opponents, 1, checked_int("seeds", own, 1)
    )
    scores = {cell: checked_number("score", play(*cell), 0, 1) for cell in cells(own, kt)}
    black = np.array([[scores[i, j] for j in range(kt)] for i in range(own)])
    if kt == own:
        return SeedMatrix(black, black)
    return SeedMatrix(black, np.array([[scores[j, i] for i in range(own)] for j in range(kt)]))


def cells(own: int, opponents: int) -> Iterator[Cell]:
    """The games that learning over `own` seeds against `opponents` seeds needs.

    Fast seeds, algorithm 1: own Black seeds against the opponent's White ones and own White seeds
    against the opponent's Black ones. The two sets share `opponents * opponents` games, which
    leaves `2 * own * opponents - opponents * opponents`, or `own * own` for a square matrix.

    They are ordered in shells, smaller seeds first, so that an interrupted run has complete
    matrices.
    """
    for seed in range(own):
        yield from shell(seed, opponents)


def shell(seed: int, opponents: int) -> Iterator[Cell]:
    """The games that a seed adds to the matrix of the seeds below it."""
    for other in range(min(seed + 1, opponents)):
        yield seed, other
        if other != seed:
            yield other, seed


@dataclass(frozen=True, eq=False)
class SeedMatrix:
    """Results of K own seeds per colour against Kt opponent seeds per colour, Kt <= K.

    Attributes:
        black: shape (K, Kt): Black's score with own seed i against White's opponent seed j.
        white: shape (Kt, K): Black's score with opponent seed i against White's own seed j.
            The same array as `black` where the opponent seeds are the own ones.
    """

    black: Cells
    white: Cells

    @property
    def own(self) -> int:
        return len(self.black)

    @property
    def opponents(self) -> int:
        return len(self.white)

    @cached_property
    def equilibria(self) -> tuple[Equilibrium, Equilibrium]:
        """The equilibria from which Black's and White's own seeds are taken.

        The same one twice for a square matrix, two programs for a rectangular one (Fast seeds,
        algorithm 1). Cached, as the sparse methods start from them too.
        """
        black = solve(self.black)
        return black, black if self.white is self.black else solve(self.white)

    def select(self, own: Seeds, opponents: Seeds) -> "SeedMatrix":
        """The matrix of these own seeds against these opponent seeds."""
        black = self.black[np.ix_(own, opponents)]
        if self.white is self.black and np.array_equal(own, opponents):
            return SeedMatrix(black, black)
        return SeedMatrix(black, self.white[np.ix_(opponents, own)])

    def first(self, own: int, opponents: int) -> "SeedMatrix":
        """The matrix of the first `own` seeds against the first `opponents`, of those there are."""
        black = self.black[:own, :opponents]
        square = self.white is self.black and own == opponents
        return SeedMatrix(black, black if square else self.white[:opponents, :own])

    def digest(self) -> str:
        """A SHA-256 of the results, packed eight to a byte, for a book's provenance."""
        hashed = hashlib.sha256(f"{self.own}x{self.opponents}".encode())
        for score in (1, 1 / 2):
            sides = [np.packbits(side == score) for side in (self.black, self.white)]
            if score == 1 or any(side.any() for side in sides):  # most matrices have no draws
                for side in sides:
                    hashed.update(side.tobytes())
        return hashed.hexdigest()
