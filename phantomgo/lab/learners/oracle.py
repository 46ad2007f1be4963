"""Double oracle: the equilibrium of the whole matrix from a part of its games.

An equilibrium of some seeds is one of all seeds if no other seed does better against it. To find
out, every seed plays the seeds of the mixture, and those that do best are added. It ends with the
value of the matrix and a proof of it.

Source: McMahan, Gordon and Blum, Planning in the presence of cost functions controlled by an
adversary (ICML 2003).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, product

import numpy as np
from numpy.typing import NDArray

from phantomgo.lab.learners.learner import Learner, Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import TOLERANCE, FloatArray, solve


@dataclass
class DoubleOracle(Learner):
    """The learner.

    Attributes:
        start: the seeds of each colour that are included at first.
        more: the most seeds that are added at once.
        value: what Black's mixture wins on average, in the game of the included seeds.
        gap: the most that White's mixture concedes to any seed minus the least that Black's secures
            against any; infinite until all seeds have played the mixtures.
    """

    terms: SeedTerms
    start: int
    more: int

    def __post_init__(self) -> None:
        own = self.terms.own
        self._black = self._white = np.arange(min(self.start, own))
        # 1 where Black won, -1 where Black didn't, 0 where unknown.
        self._won: NDArray[np.int8] = np.zeros((own, own), dtype=np.int8)
        self._portfolio = Portfolio(*np.full((2, own), 1 / own))
        self.value, self.gap = 0.5, float("inf")

    def rounds(self) -> Rounds:
        every = np.arange(self.terms.own)
        while True:
            yield from self._play(product(self._black, self._white))
            black, white = self._solve()
            rows, columns = np.flatnonzero(black), np.flatnonzero(white)
            crossed = product(np.setdiff1d(every, rows), columns)
            yield from self._play(chain(product(rows, every), crossed))
            # All seeds in the mixtures are known, and the others have no weight.
            against_white, against_black = self._won @ white, black @ self._won
            self.gap = float(against_white.max() - against_black.min()) / 2
            if self.gap < TOLERANCE:
                return
            self._black = self._taken_in(self._black, -against_white, -self._mean)
            self._white = self._taken_in(self._white, against_black, self._mean)

    def portfolio(self) -> Portfolio:
        return self._portfolio

    def _play(self, games: Iterable[tuple[np.intp, np.intp]]) -> Rounds:
        """Play those of these games that are unknown."""
        if missing := [(int(i), int(j)) for i, j in games if self._won[i, j] == 0]:
            self._won[tuple(np.array(missing).T)] = np.where((yield missing), 1, -1)

    def _solve(self) -> Portfolio:
        """The equilibrium of the included seeds."""
        equilibrium = solve(self._won[np.ix_(self._black, self._white)])
        self._portfolio = Portfolio(*np.zeros((2, self.terms.own)))
        self._portfolio.black[self._black] = equilibrium.rows
        self._portfolio.white[self._white] = equilibrium.columns
        self._mean, self.value = equilibrium.value, (equilibrium.value + 1) / 2
        return self._portfolio

    def _taken_in(self, included: Seeds, rates: FloatArray, mean: float) -> Seeds:
        """The included seeds and the best of those better than the mean; lower is better."""
        outside = np.setdiff1d(np.arange(self.terms.own), included)
        better = outside[rates[outside] < mean - TOLERANCE]
        return np.append(included, better[np.argsort(rates[better], kind="stable")[: self.more]])
