"""The known part of a square matrix, for learners that ask for whole rows and columns."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from phantomgo.lab.learners.learner import Won
from phantomgo.portfolio.matrix import Cell


class KnownGames:
    """The known games, each asked for once.

    Attributes:
        won: shape (K, K): 1 where Black won, -1 where Black didn't, 0 where unknown.
    """

    def __init__(self, own: int) -> None:
        self.won: NDArray[np.int8] = np.zeros((own, own), dtype=np.int8)

    def missing(self, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
        """The unknown games of these rows and of these columns."""
        whole = set(rows)
        along = [(i, j) for i in rows for j in np.flatnonzero(self.won[i] == 0).tolist()]
        down = [(i, j) for j in columns for i in np.flatnonzero(self.won[:, j] == 0).tolist()]
        return along + [game for game in down if game[0] not in whole]

    def learn(self, games: Sequence[Cell], won: Won) -> None:
        """Store the results of these games."""
        self.won[tuple(np.array(games).T)] = np.where(won, 1, -1)
