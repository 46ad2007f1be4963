"""An equilibrium from a part of the matrix: whole rows and columns of the seeds that are drawn.

    draw i with weight exp(eps/2 U_i) and j with weight exp(-eps/2 V_j),
    U <- U + column j,    V <- V + row i

where a won game is 1 and a lost one -1. How often each seed was drawn in 4 ln(2 K) / eps^2 steps
is an equilibrium to within eps, with a probability of a half. A seed that is drawn again costs
nothing.

Source: Grigoriadis and Khachiyan, A sublinear-time randomized approximation algorithm for matrix
games (Operations Research Letters 18, 1995), for both players at once; Learning opening books,
section III-B, names it.
"""

from math import ceil, log

import numpy as np

from phantomgo.lab.learners.learner import Rounds, SeedTerms
from phantomgo.lab.learners.lines import KnownGames
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.nash import FloatArray


class Sublinear:
    """The learner.

    Attributes:
        drawn: how often each seed was drawn, shape (2, K): Black's, then White's.
    """

    def __init__(self, terms: SeedTerms, *, precision: float) -> None:
        """Begin; `precision` is eps, in units of a game won rather than lost."""
        self._precision = precision
        self._steps = ceil(4 * log(2 * terms.own) / precision**2)
        self._random = np.random.default_rng(terms.seed)
        self._lines = KnownGames(terms.own)
        self.drawn = np.zeros((2, terms.own), dtype=np.int64)

    def rounds(self) -> Rounds:
        own, lines = self.drawn.shape[1], self._lines
        gains, losses = np.zeros(own), np.zeros(own)
        for _ in range(self._steps):
            i, j = self._draw(gains), self._draw(-losses)
            if games := lines.missing([i], [j]):
                lines.learn(games, (yield games))
            gains += lines.won[:, j]
            losses += lines.won[i]
            self.drawn[0, i] += 1
            self.drawn[1, j] += 1

    def portfolio(self) -> Portfolio:
        drawn = self.drawn if self.drawn.any() else np.ones_like(self.drawn)
        black, white = drawn / drawn.sum(1, keepdims=True)
        return Portfolio(black, white)

    def _draw(self, gains: FloatArray) -> int:
        weights = np.exp(self._precision / 2 * (gains - gains.max()))
        reached = weights.cumsum()
        return int(np.searchsorted(reached, self._random.random() * reached[-1], side="right"))
