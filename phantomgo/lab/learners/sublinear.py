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

from dataclasses import dataclass
from math import ceil, log

import numpy as np

from phantomgo.lab.learners.learner import KnownGames, Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.nash import FloatArray


@dataclass
class Sublinear:
    """The learner.

    Attributes:
        terms: the seeds.
        precision: eps, in units of a game won rather than lost.
        drawn: how often each seed was drawn, shape (2, K): Black's, then White's.
    """

    terms: SeedTerms
    precision: float

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(self.terms.seed)
        self._lines = KnownGames(self.terms.own)
        self.drawn = np.zeros((2, self.terms.own), dtype=np.int64)

    def rounds(self) -> Rounds:
        own, lines = self.terms.own, self._lines
        gains, losses = np.zeros(own), np.zeros(own)
        for _ in range(ceil(4 * log(2 * own) / self.precision**2)):
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
        weights = np.exp(self.precision / 2 * (gains - gains.max()))
        reached = weights.cumsum()
        return int(np.searchsorted(reached, self._random.random() * reached[-1], side="right"))
