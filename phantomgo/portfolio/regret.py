"""Equilibria of large matrices: regret matching, then linear programs over the rows and columns it
plays.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.portfolio.nash import (
    TOLERANCE,
    Equilibrium,
    FloatArray,
    Scale,
    certified,
    solve,
)

Singles: TypeAlias = NDArray[np.float32]

STEPS: Final = 1000
"""Steps of regret matching, enough for a gap below 1e-4."""
SHARE: Final = 0.01
"""Rows that regret matching plays less often than this part of an even share are left out at
first."""
MORE: Final = 20
"""Rows or columns taken into the linear program at once."""


def approximate(payoff: NDArray[np.generic], steps: int = STEPS) -> Equilibrium:
    """Strategies near an equilibrium, by predictive regret matching+.

    Each player's regrets R are what each row would have won more than their mixture, cut off at 0;
    they play in proportion to R plus the last instant's regret, which predicts the next one. Both
    move at once: with alternation the prediction is a step behind, and the gap stays at 0.05.
    Step t counts t^2 in the average.

    Source: Farina, Kroer and Sandholm, Faster game solving via predictive Blackwell approachability
    (AAAI 2021), algorithm 2; the average is Brown and Sandholm's (2019).

    Args:
        payoff: shape (m, n), what the row player receives.
        steps: two products with the matrix each.
    """
    won = np.asarray(payoff, dtype=np.float32)
    lost = -won.T.copy()
    regrets: list[Singles] = [np.zeros(side, dtype=np.float32) for side in won.shape]
    latest = [np.zeros_like(side) for side in regrets]
    sums = [np.zeros(side) for side in won.shape]
    for step in range(1, steps + 1):
        rows, columns = (_positive(*pair) for pair in zip(regrets, latest, strict=True))
        for side, (mixture, gains) in enumerate(((rows, won @ columns), (columns, lost @ rows))):
            latest[side] = gains - mixture @ gains
            regrets[side] = np.maximum(regrets[side] + latest[side], 0)
            sums[side] += step**2 * mixture.astype(np.float64)
    return certified(np.asarray(payoff, dtype=np.float64), *sums)


def solve_large(payoff: NDArray[np.generic]) -> Equilibrium:
    """An equilibrium, to the same certainty as `nash.solve`, many times as fast from 3000 rows on.

    Regret matching plays nearly the rows and columns of an equilibrium. The linear program is
    solved over those alone, and rows or columns that do better against its solution are added until
    there are none (double oracle: McMahan, Gordon and Blum 2003). If the gap is still too wide
    then, because the solution itself has a gap, all rows and columns are added.

    Args:
        payoff: shape (m, n), any finite numbers.

    Raises:
        ArithmeticError: the solver found no strategies with a gap below TOLERANCE.
    """
    scale = Scale.of(payoff)
    matrix = scale.applied(payoff)
    near = approximate(matrix)
    rows, columns = (np.flatnonzero(side > SHARE / len(side)) for side in (near.rows, near.columns))
    while True:
        inner = solve(matrix[np.ix_(rows, columns)])
        mixtures = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
        mixtures[0][rows], mixtures[1][columns] = inner.rows, inner.columns
        found = certified(matrix, *mixtures)
        if found.gap < TOLERANCE:
            return scale.undone(found)
        better = matrix @ found.columns - inner.value, inner.value - found.rows @ matrix
        more = [best(gains, inner.gap) for gains in better]
        before = len(rows) + len(columns)
        rows, columns = np.union1d(rows, more[0]), np.union1d(columns, more[1])
        if len(rows) + len(columns) == before:
            return scale.undone(solve(matrix))


def best(gains: FloatArray, noise: float) -> NDArray[np.intp]:
    """The MORE with the highest gains, of those above the noise."""
    order = np.argsort(-gains, kind="stable")[:MORE]
    return order[gains[order] > noise]


def _positive(regrets: Singles, latest: Singles) -> Singles:
    """A strategy in proportion to the positive regrets; uniform if there are none."""
    weights: Singles = np.maximum(regrets + latest, 0)
    total = weights.sum()
    return weights / total if total > 0 else np.full_like(weights, 1 / len(weights))
