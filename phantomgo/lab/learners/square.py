"""All seeds against all others, in growing squares, as the papers' methods need."""

import numpy as np

from phantomgo.lab.learners.learner import Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import SeedMatrix, Wins, shell
from phantomgo.portfolio.methods import Learn


class Square:
    """The learner: a method on the largest square that is known."""

    def __init__(self, terms: SeedTerms, *, method: Learn) -> None:
        self._terms, self._method = terms, method
        self._won: Wins = np.zeros((terms.own, terms.own), dtype=np.uint8)
        self._side = 0

    def rounds(self) -> Rounds:
        for number in range(self._terms.own):
            games = list(shell(number, self._terms.own))
            self._won[tuple(np.array(games).T)] = yield games
            self._side += 1

    def portfolio(self) -> Portfolio:
        sides = Portfolio(*np.zeros((2, self._terms.own)))
        if self._side == 0:
            return Portfolio(*(sides + np.array(1 / self._terms.own)))
        won = self._won[: self._side, : self._side]
        learned = self._method(SeedMatrix(won, won), self._terms.seed)
        for shares, side in zip(sides, learned, strict=True):
            shares[: self._side] = side
        return sides
