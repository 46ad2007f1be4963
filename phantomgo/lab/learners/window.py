"""Simulation-free PSRO with a window: populations without a table of their games.

PSRO plays its populations against each other to mix them, which takes most of its games. Here a
colour mixes its window of seeds by minimising regret instead: the games in which the opponent's new
seeds are tried against the mixture also show which of its seeds lose. The new seed that wins most
joins its window; once the window is full, the seed that is played least leaves.

The paper's responses are trained policies, and its window drops a member of the weakest cluster.
Here a response is the best of some seeds drawn at random, and the seed of least weight is dropped.

Sources: simulation-free PSRO with a dynamic window (arXiv 2601.05279); weights by Hedge, Freund
and Schapire, A decision-theoretic generalization of on-line learning (1997).
"""

import numpy as np

from phantomgo.lab.learners.learner import Rounds, Terms, Won
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import FloatArray


class Window:
    """The learner.

    Attributes:
        members: the seeds in the window of each colour, Black's first.
    """

    def __init__(self, terms: Terms, *, size: int, tries: int, each: int, rate: float) -> None:
        """Begin with one seed of each colour.

        Args:
            terms: the seeds.
            size: the most seeds in a window.
            tries: seeds of each colour that are tried at once; 0 for all.
            each: games that each of them plays against the opponent's mixture.
            rate: the learning rate: how much a lost game counts against a seed.
        """
        self._own, self._size, self._each, self._rate = terms.own, size, each, rate
        self._tries = min(tries or terms.own, terms.own)
        self._random = np.random.default_rng(terms.seed)
        self.members: list[Seeds] = [self._random.permutation(terms.own)[:1] for _ in range(2)]
        self._gains: list[FloatArray] = [np.zeros(1), np.zeros(1)]

    def rounds(self) -> Rounds:
        while True:
            tried = [self._random.permutation(self._own)[: self._tries] for _ in range(2)]
            fresh = [np.repeat(seeds, self._each) for seeds in tried]
            faced = [self._faced(1 - colour, len(fresh[colour])) for colour in (0, 1)]
            black = np.concatenate([fresh[0], self.members[0][faced[1]]])
            white = np.concatenate([self.members[1][faced[0]], fresh[1]])
            won = yield list(zip(black.tolist(), white.tolist(), strict=True))
            results = won[: len(fresh[0])], ~won[len(fresh[0]) :]
            for colour in (0, 1):
                self._learn(1 - colour, faced[colour], ~results[colour])
            for colour, wins in enumerate(results):
                best = wins.reshape(-1, self._each).sum(axis=1).argmax()
                self._join(colour, int(tried[colour][best]))

    def portfolio(self) -> Portfolio:
        found = np.zeros((2, self._own))
        for colour, shares in enumerate(found):
            shares[self.members[colour]] = self._chances(colour)
        return Portfolio(*found)

    def _chances(self, colour: int) -> FloatArray:
        gains = self._gains[colour]
        weights = np.exp(self._rate * (gains - gains.max()))
        chances: FloatArray = weights / weights.sum()
        return chances

    def _faced(self, colour: int, number: int) -> Seeds:
        """The indices of the seeds that a colour draws for this number of games."""
        return self._random.choice(len(self.members[colour]), number, p=self._chances(colour))

    def _learn(self, colour: int, places: Seeds, won: Won) -> None:
        """Update the weight of each seed in the window by its wins above the mean, per game."""
        number = len(self.members[colour])
        played = np.bincount(places, minlength=number)
        wins = np.bincount(places, won, minlength=number)
        met = played > 0
        self._gains[colour][met] += (wins[met] / played[met] - won.mean()) * self._each

    def _join(self, colour: int, seed: int) -> None:
        """Add a seed of average weight to the window; drop the lightest if it is full."""
        if seed in self.members[colour]:
            return
        if len(self.members[colour]) == self._size:
            weakest = int(self._gains[colour].argmin())
            self.members[colour] = np.delete(self.members[colour], weakest)
            self._gains[colour] = np.delete(self._gains[colour], weakest)
        mean = self._chances(colour) @ self._gains[colour]
        self.members[colour] = np.append(self.members[colour], seed)
        self._gains[colour] = np.append(self._gains[colour], mean)
