"""UCB over a growing number of seeds, separately for each colour, against random opponents.

After N games the first C N^(1 / root) seeds of each colour are open, and those with the best scores

    won / n + c sqrt(ln N / n)

play one more game, several seeds of each colour at once; a seed that has not played scores
infinity. The result is the seed of each colour that played most.

Source: Wang, Audibert and Munos, Algorithms for infinitely many-armed bandits (NIPS 2008); Fast
seeds, section 5: C = 100, the third root, 40 at once.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from phantomgo.lab.learners.learner import Learner, Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import FloatArray


@dataclass
class Ucb(Learner):
    """The learner.

    All seeds play opponents 0, 1, 2 and so on. A seed that has met them all plays no more, as its
    rate is known.

    Attributes:
        exploration: c.
        together: seeds of a colour that play at once.
        widening: C; 0 opens all seeds.
        root: the root of N, 3 for N^(1/3).
        k: the number of seeds per colour, those that played most, in the uniform portfolio.
        pulls: the games each seed has played, shape (2, K): Black's, then White's.
        wins: how many of them it won.
    """

    terms: SeedTerms
    exploration: float
    together: int
    widening: float
    root: int
    k: int

    def __post_init__(self) -> None:
        self.pulls = np.zeros((2, self.terms.own), dtype=np.int64)
        self.wins = np.zeros((2, self.terms.own))

    def rounds(self) -> Rounds:
        while True:
            seeds = [self._best(colour) for colour in (0, 1)]
            black, white = (
                zip(side.tolist(), self.pulls[colour, side].tolist(), strict=True)
                for colour, side in enumerate(seeds)
            )
            games = [*black, *((opponent, seed) for seed, opponent in white)]
            if not games:
                return
            won = yield games
            as_black, as_white = won[: len(seeds[0])], 1 - won[len(seeds[0]) :]
            for colour, results in enumerate((as_black, as_white)):
                self.pulls[colour, seeds[colour]] += 1
                self.wins[colour, seeds[colour]] += results

    def portfolio(self) -> Portfolio:
        shares, k = np.zeros(self.pulls.shape), min(self.k, self.terms.own)
        for colour, share in enumerate(shares):
            order = np.lexsort((-self.wins[colour], -self.pulls[colour]))
            share[order[:k]] = 1 / k
        return Portfolio(*shares)

    def _best(self, colour: int) -> Seeds:
        """The open seeds with the best scores, of those that have opponents left."""
        asked = int(self.pulls.sum())
        wanted = ceil(self.widening * max(1, asked) ** (1 / self.root))
        opened = min(self.terms.own, wanted) if self.widening else self.terms.own
        left = np.flatnonzero(self.pulls[colour, :opened] < self.terms.opponents)
        scores = self._scores(colour, asked)[left]
        return left[np.argsort(-scores, kind="stable")[: self.together]]

    def _scores(self, colour: int, asked: int) -> FloatArray:
        pulls = np.maximum(self.pulls[colour], 1)
        bonus = self.exploration * np.sqrt(np.log(max(2, asked)) / pulls)
        scores: FloatArray = np.where(
            self.pulls[colour] > 0, self.wins[colour] / pulls + bonus, np.inf
        )
        return scores
