"""Equilibria of matrices whose entries are win rates, estimated from a few games each.

Opening lines have win rates, which are estimated with noise. The estimate of a cell with few games
is shrunk towards the mean rates of its row and its column. Posterior draws of the matrix are solved
(posterior sampling; Thompson 1933): the mean of their equilibria is the mixed strategy to play, and
a cell is sampled in proportion to the probability of its row and its column in it.
"""

from dataclasses import dataclass
from typing import Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.portfolio.evaluation import RateEquilibrium
from phantomgo.portfolio.nash import FloatArray, solve

IntArray: TypeAlias = NDArray[np.int64]

PRIOR: Final = 16
"""The number of games that a cell's expected rate counts as."""
DRAWS: Final = 64
"""Posterior draws of the matrix."""
DIGITS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class RateMatrix:
    """Results of lines against lines.

    Attributes:
        won: Black's score with line i against White's line j, shape (m, n); a draw is half a win.
        games: the games that they played, shape (m, n).
    """

    won: FloatArray
    games: IntArray

    @classmethod
    def empty(cls) -> Self:
        """The matrix without lines."""
        return cls(np.zeros((0, 0)), np.zeros((0, 0), dtype=np.int64))

    def grown(self, rows: int, columns: int) -> Self:
        """The matrix with more lines, which have played no games."""
        m, n = self.won.shape
        more = ((0, rows - m), (0, columns - n))
        return type(self)(np.pad(self.won, more), np.pad(self.games, more))

    def add(self, row: int, column: int, score: float) -> None:
        """Count a game with Black's score."""
        self.won[row, column] += score
        self.games[row, column] += 1

    def expected(self) -> FloatArray:
        """The expected rate of each cell, by the means of its row and its column, shape (m, n)."""
        total = (self.won.sum() + 1) / (self.games.sum() + 2)
        by_row, by_column = (
            (self.won.sum(axis) + PRIOR * total) / (self.games.sum(axis) + PRIOR) for axis in (1, 0)
        )
        sums: FloatArray = by_row[:, np.newaxis] + by_column - total
        return np.clip(sums, 0.02, 0.98)

    def rates(self) -> FloatArray:
        """Black's win rates, shrunk towards the expected ones, shape (m, n)."""
        return np.asarray((self.won + PRIOR * self.expected()) / (self.games + PRIOR))

    def draws(self, seed: int, number: int = DRAWS) -> FloatArray:
        """Draws of the matrix from its posterior, shape (number, m, n)."""
        prior = PRIOR * self.expected()
        wins, losses = prior + self.won, PRIOR - prior + self.games - self.won
        drawn: FloatArray = np.random.default_rng(seed).beta(
            wins, losses, size=(number, *self.won.shape)
        )
        return drawn

    def mixed_strategies(
        self, seed: int, opponents: int = 0, model: float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """The mean equilibrium of posterior draws: Black's distribution and White's.

        The last `opponents` lines are only opponents and never played. With a `model` it is a
        restricted Nash response (Johanson, Zinkevich and Bowling, Computing robust
        counter-strategies, 2007): the opponent plays the last line with this probability, and
        otherwise a best response.
        """
        strategies = [solve_rates(draw, opponents, model) for draw in self.draws(seed)]
        rows, columns = zip(*strategies, strict=True)
        return np.mean(rows, axis=0), np.mean(columns, axis=0)

    def allocate(self, games: int, seed: int, opponents: int = 0, model: float = 0.0) -> IntArray:
        """Allocate further games to the cells, `games` together; their numbers, shape (m, n).

        Each game in turn goes to the cell whose variance it reduces most, from v / n to
        v / (n + 1), weighted by the probability of its row and its column in the mixed strategy.
        """
        rates = self.rates()
        weights = np.outer(*self.mixed_strategies(seed, opponents, model)) * rates * (1 - rates)
        played, more = self.games + PRIOR, np.zeros_like(self.games)
        for _ in range(games):
            now = played + more
            more.flat[np.argmax(weights / (now * (now + 1)))] += 1
        return more

    def equilibrium(
        self, rows: FloatArray, columns: FloatArray, gains: tuple[float, float], seed: int
    ) -> RateEquilibrium:
        """The value of mixed strategies with its error, and the gains of opponents against them.

        `gains` are those of Black's and White's best fresh lines.
        """
        drawn = self.draws(seed, 4 * DRAWS)
        black, white = drawn @ columns, rows @ drawn
        values = black @ rows
        gap = float((black.max(1) - white.min(1)).mean())
        figures = (float(rows @ self.rates() @ columns), float(values.std()), gap, *gains)
        value, error, gap, black_gain, white_gain = (round(x, DIGITS) for x in figures)
        return RateEquilibrium(value, error, gap, black_gain, white_gain, int(self.games.sum()))


def solve_rates(rates: FloatArray, opponents: int, model: float) -> tuple[FloatArray, FloatArray]:
    """Black's and White's distributions for rates, as in `RateMatrix.mixed_strategies`."""
    if not opponents:
        equilibrium = solve(rates)
        return equilibrium.rows, equilibrium.columns
    black = solve((model * rates[:, -1:] + (1 - model) * rates)[:-opponents])
    white = solve((model * rates[-1:] + (1 - model) * rates)[:, :-opponents])
    none = np.zeros(opponents)
    return np.append(black.rows, none), np.append(white.columns, none)
