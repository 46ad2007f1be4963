"""Self-play PSRO: populations that whole mixtures join, so that few members are hard to exploit.

As in anytime PSRO (psro.py), each colour mixes its population to be least exploitable by all that
the opponent has tried, and the seed that the opponent answers with most joins theirs. The
opponent's whole mixed answer joins too, as one more member: if an equilibrium has many seeds, no
single seed brings a population near it, but a mixture does at once.

In the paper the mixture is the average of a policy that learns by reinforcement against the
population; here the equilibrium of the seeds that are known takes its place.

Source: McAleer, Lanier, Wang, Baldi, Sandholm and Fox, Toward optimal policy population growth in
two-player zero-sum games (ICLR 2024).
"""

import numpy as np

from phantomgo.lab.learners.learner import Terms
from phantomgo.lab.learners.psro import Populations
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import TOLERANCE, FloatArray, solve


class SelfPlay(Populations):
    """The learner.

    Attributes:
        members: the population of each colour, Black's first: a mixture of seeds a row.
    """

    def __init__(self, terms: Terms, *, tries: int) -> None:
        """Begin with one seed of each colour; `tries` are tried at once, all for 0."""
        super().__init__(terms, tries)
        self.members: list[FloatArray] = [np.eye(terms.own)[queue[:1]] for queue in self._queues]
        self._portfolio = Portfolio(*(members[0] for members in self.members))

    def portfolio(self) -> Portfolio:
        return self._portfolio

    def _seeds(self) -> list[Seeds]:
        return [np.flatnonzero(rows.any(axis=0)) for rows in self.members]

    def _grow(self, black: Seeds, white: Seeds) -> bool:
        won, (rows, columns) = self._lines.won, self.members
        value = solve(rows @ won @ columns.T).value
        as_black = solve(rows @ won[:, white])
        as_white = solve(won[black] @ columns.T)
        self._portfolio = Portfolio(as_black.rows @ rows, as_white.columns @ columns)
        gains = as_white.value - value, value - as_black.value
        answers = (as_white.rows, black), (as_black.columns, white)
        for colour, (gain, (shares, seeds)) in enumerate(zip(gains, answers, strict=True)):
            if gain > TOLERANCE:
                self.members[colour] = _joined(self.members[colour], shares, seeds)
        return max(gains) > TOLERANCE


def _joined(members: FloatArray, shares: FloatArray, seeds: Seeds) -> FloatArray:
    """A population with a mixed answer, and with the seed of it that is played most and is new."""
    answer, alone = np.zeros(members.shape[1]), np.zeros(members.shape[1])
    answer[seeds] = shares
    there = members.max(axis=0) == 1
    alone[int(np.where(there, -1.0, answer).argmax())] = 1
    return np.unique(np.vstack([members, answer, alone]), axis=0)
