"""Exp3: both colours learn at once, each a bandit against the other.

    p_i = (1 - gamma) w_i / sum(w) + gamma / K,    w_i <- w_i exp(eta r / p_i)

for the seed i that was drawn; r is 1 if it won, else 0. Only the games that are drawn are played,
and the result is the seeds that were drawn most.

Source: Auer, Cesa-Bianchi, Freund and Schapire, Gambling in a rigged casino (FOCS 1995), with eta =
gamma / K there; Fast seeds, section 3.2, with the choice of the most frequent arms in section 5.
"""

from dataclasses import dataclass

import numpy as np

from phantomgo.lab.learners.learner import Learner, Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import FloatArray


@dataclass
class Exp3(Learner):
    """The learner.

    Attributes:
        exploration: gamma.
        rate: eta; 0 for gamma / K.
        together: games drawn before any of their results are known.
        share: the mixture has the seeds drawn at least this fraction as often as the top one.
        drawn: how often each seed was drawn, shape (2, K): Black's, then White's.
    """

    terms: SeedTerms
    exploration: float
    rate: float
    together: int
    share: float

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(self.terms.seed)
        self._gains = np.zeros((2, self.terms.own))
        self.drawn = np.zeros((2, self.terms.own), dtype=np.int64)

    def rounds(self) -> Rounds:
        while True:
            chances = [self._chances(gains) for gains in self._gains]
            seeds = [self._draw(side) for side in chances]
            won = yield list(zip(*map(np.ndarray.tolist, seeds), strict=True))
            for colour, rewards in enumerate((won, ~won)):
                drawn = seeds[colour]
                np.add.at(self._gains[colour], drawn, rewards / chances[colour][drawn])
                np.add.at(self.drawn[colour], drawn, 1)

    def portfolio(self) -> Portfolio:
        kept = np.where(self.drawn >= self.share * self.drawn.max(1, keepdims=True), self.drawn, 0)
        kept = kept if kept.any() else np.ones_like(kept)
        black, white = kept / kept.sum(1, keepdims=True)
        return Portfolio(black, white)

    def _chances(self, gains: FloatArray) -> FloatArray:
        rate = self.rate or self.exploration / self.terms.own
        weights = np.exp(rate * (gains - gains.max()))
        chances: FloatArray = weights / weights.sum()
        return (1 - self.exploration) * chances + self.exploration / len(weights)

    def _draw(self, chances: FloatArray) -> Seeds:
        reached = chances.cumsum()
        points = self._random.random(self.together) * reached[-1]
        return np.asarray(np.searchsorted(reached, points, side="right"))
