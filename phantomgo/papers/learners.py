"""Learners that read only part of a matrix of known scores: Exp3, and two ways to an equilibrium.

Each returns a portfolio over the seeds of both colours and the number of different games that it
used.
"""

from math import ceil, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.nash import TOLERANCE, FloatArray, solve


class Learned(NamedTuple):
    """A learner's portfolio, and the number of different games that it used."""

    portfolio: Portfolio
    games: int


class Widening(NamedTuple):
    """The number of open seeds after N games: C N^gamma, rounded up; C = 0 opens all."""

    c: float = 0.0
    gamma: float = 0.5

    def open(self, games: int, seeds: int) -> int:
        """The number of open seeds."""
        wanted = ceil(self.c * max(1, games) ** self.gamma) if self.c else seeds
        return min(seeds, max(2, wanted))


def exp3(
    scores: FloatArray,
    games: int,
    seed: int,
    *,
    exploration: float = 0.3,
    rate: float = 0.0,
    share: float = 0.99,
    widening: Widening = Widening(),  # noqa: B008  (a value)
    removal: int = 0,
) -> Learned:
    """Both colours learn at once, each a bandit against the other.

        p_i = (1 - gamma) w_i / sum(w) + gamma / K,    w_i <- w_i exp(eta r / p_i)

    for the seed i that was drawn; r is its score.

    Source: Auer, Cesa-Bianchi, Freund and Schapire, Gambling in a rigged casino (FOCS 1995), with
    eta = gamma / K there; Fast seeds, section 3.2, with the choice of the most frequent arms in
    section 5 and widening and removal under further work in section 6.

    Args:
        scores: shape (K, K): Black's scores.
        games: games to draw; a pair of seeds counts each time it is drawn.
        seed: the seed of the draws.
        exploration: gamma.
        rate: eta; 0 for 2 / K, which is the best of those tried (docs/notes/replication.md).
        share: the portfolio contains the seeds drawn at least this fraction as often as the most
            frequent one.
        widening: which seeds are open.
        removal: the open seed with the least gain is closed after each block of this many games; 0
            closes none.
    """
    k = len(scores)
    random = np.random.default_rng(seed)
    eta = rate or 2 / k
    gains = np.zeros((2, k))
    drawn = np.zeros((2, k), dtype=np.int64)
    alive = np.ones((2, k), dtype=np.bool_)
    asked = np.zeros((k, k), dtype=np.bool_)
    opened = 0
    for number in range(games):
        wanted = widening.open(number, k)
        if wanted > opened:
            if opened:  # new seeds begin with the mean gain of the others
                gains[:, opened:wanted] = gains[:, :opened].mean(1, keepdims=True)
            opened = wanted
        chances = [
            _mixed(gains[side, :opened], alive[side, :opened], eta, exploration) for side in (0, 1)
        ]
        i, j = (
            int(np.searchsorted(side.cumsum(), random.random() * side.sum())) for side in chances
        )
        asked[i, j] = True
        for side, (arm, won) in enumerate(((i, scores[i, j]), (j, 1 - scores[i, j]))):
            gains[side, arm] += won / chances[side][arm]
            drawn[side, arm] += 1
        if removal and number % removal == removal - 1:
            for side in (0, 1):
                left = np.flatnonzero(alive[side, :opened])
                if len(left) > 1:
                    alive[side, left[gains[side, left].argmin()]] = False
    kept = np.where(drawn >= share * drawn.max(1, keepdims=True), drawn, 0)
    black, white = kept / kept.sum(1, keepdims=True)
    return Learned(Portfolio(black, white), int(asked.sum()))


def _mixed(
    gains: FloatArray, alive: NDArray[np.bool_], eta: float, exploration: float
) -> FloatArray:
    """The probabilities of the open seeds of a side."""
    weights = np.where(alive, np.exp(eta * (gains - gains[alive].max())), 0.0)
    even = alive / alive.sum()
    return np.asarray((1 - exploration) * weights / weights.sum() + exploration * even)


def sublinear(scores: FloatArray, precision: float, seed: int) -> Learned:
    """An approximate equilibrium from the whole rows and columns of drawn seeds.

        draw i with weight exp(eps/2 U_i) and j with weight exp(-eps/2 V_j),
        U <- U + column j,    V <- V + row i

    where a won game is 1 and a lost one -1. How often each seed was drawn in 4 ln(2 K) / eps^2
    steps is an equilibrium to within eps, with a probability of a half.

    Source: Grigoriadis and Khachiyan, A sublinear-time randomized approximation algorithm for
    matrix games (Operations Research Letters 18, 1995), which CIG 2016 and Reinforcing name.

    Args:
        scores: shape (K, K): Black's scores.
        precision: eps; a won game counts 1 and a lost one -1.
        seed: the seed of the draws.
    """
    payoff, k = 2 * scores - 1, len(scores)
    random = np.random.default_rng(seed)
    gains, losses = np.zeros(k), np.zeros(k)
    drawn = np.zeros((2, k))
    for _ in range(ceil(4 * log(2 * k) / precision**2)):
        chosen = []
        for exponents in (gains, -losses):
            weights = np.exp(precision / 2 * (exponents - exponents.max()))
            chosen.append(int(np.searchsorted(weights.cumsum(), random.random() * weights.sum())))
        i, j = chosen
        gains += payoff[:, j]
        losses += payoff[i]
        drawn[0, i] += 1
        drawn[1, j] += 1
    black, white = drawn / drawn.sum(1, keepdims=True)
    rows, columns = (np.count_nonzero(side) for side in drawn)
    return Learned(Portfolio(black, white), int(k * (rows + columns) - rows * columns))


def double_oracle(scores: FloatArray, start: int = 20, more: int = 20) -> Learned:
    """The exact equilibrium of the whole matrix, from part of its games.

    An equilibrium of some seeds is one of all seeds if no other seed does better against it. So
    every seed plays the seeds of the portfolio, and those that do best are added.

    Source: McMahan, Gordon and Blum, Planning in the presence of cost functions controlled by an
    adversary (ICML 2003).

    Args:
        scores: shape (K, K): Black's scores.
        start: the seeds of each colour that are included at first.
        more: the largest number of seeds added at once.
    """
    k = len(scores)
    black = white = np.arange(min(start, k))
    asked = np.zeros((k, k), dtype=np.bool_)
    while True:
        asked[np.ix_(black, white)] = True
        found = solve(scores[np.ix_(black, white)])
        portfolio = Portfolio(*np.zeros((2, k)))
        portfolio.black[black], portfolio.white[white] = found.rows, found.columns
        asked[portfolio.black > 0], asked[:, portfolio.white > 0] = True, True
        against_white, against_black = scores @ portfolio.white, portfolio.black @ scores
        for_black = _better(black, -against_white, -found.value, more)
        for_white = _better(white, against_black, found.value, more)
        if not len(for_black) and not len(for_white):
            return Learned(portfolio, int(asked.sum()))
        black, white = np.append(black, for_black), np.append(white, for_white)


def _better(
    included: NDArray[np.intp], rates: FloatArray, value: float, more: int
) -> NDArray[np.intp]:
    """The best of the other seeds that are better than the value; lower is better."""
    outside = np.setdiff1d(np.arange(len(rates)), included)
    better = outside[rates[outside] < value - TOLERANCE]
    return better[np.argsort(rates[better], kind="stable")[:more]]
