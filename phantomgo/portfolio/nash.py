"""Nash equilibria of zero-sum matrix games, exactly, by linear programming."""

import math
import sys
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.errors import BadText

FloatArray: TypeAlias = NDArray[np.float64]

TOLERANCE: Final = 1e-7
"""The largest duality gap accepted, which bounds the error of the value.

It is relative to the range of the payoffs, rounded up to a power of two (`_scale`); so it is
absolute for win rates.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Equilibrium:
    """Optimal strategies of both players, with the proof that they are.

    Attributes:
        rows: the row player's distribution, shape (m,).
        columns: the column player's distribution, shape (n,).
        value: the row player's expected payoff, the midpoint of the two guarantees.
        gap: the most that the column player's strategy may concede minus the least that the row
            player's secures; it is 0 at an equilibrium and bounds both players' exploitability.
            Computed from the matrix and the strategies alone, whatever solver they came from.
    """

    rows: FloatArray
    columns: FloatArray
    value: float
    gap: float


def solve(payoff: NDArray[np.generic]) -> Equilibrium:
    """An equilibrium of the game in which the row player receives `payoff[i, j]`.

    Linear programming (CIG 2016, section III-B2; Gale, Kuhn & Tucker 1951): maximise v such that
    the row player's mixed strategy gets at least v against every column. The column player's
    strategy is the dual solution, so one program gives both. Where equilibria are many, this is one
    of them.

    HiGHS's dual simplex on the dense matrix was the quickest of six formulations tried (simplex or
    interior point, sparse or dense, with and without a free value).

    Args:
        payoff: shape (m, n), any finite numbers.

    Raises:
        BadText: it is not such a matrix.
        ArithmeticError: the solver found no strategies with a gap below TOLERANCE.
    """
    matrix = np.asarray(payoff, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0 or not np.isfinite(matrix).all():
        raise BadText(
            f"payoffs of shape {matrix.shape} are not a matrix of finite numbers, one at least"
        )
    offset, unit = _scale(matrix)
    scaled = (matrix - offset) / unit
    gap = float("inf")
    for algorithm in ("highs-ds", "highs-ipm"):
        found = _certified(scaled, *_linear_program(scaled, algorithm))
        if found.gap < TOLERANCE:
            return replace(found, value=found.value * unit + offset, gap=found.gap * unit)
        gap = min(gap, found.gap)
    raise ArithmeticError(
        f"no equilibrium found: the smallest duality gap is {gap * unit:g}, with payoffs from"
        f" {payoff.min():g} to {payoff.max():g}"
    )


def _scale(matrix: FloatArray) -> tuple[float, float]:
    """The number to subtract from the payoffs, and the divisor to apply then, for the solver.

    Its tolerances are absolute. Win rates are not changed unless they span half of their range or
    less. The divisor is a power of two, so that scaling does not round.
    """
    lowest, highest = float(matrix.min()), float(matrix.max())
    quarter = highest / 4 - lowest / 4  # of the range, which itself may be infinite
    exponent = math.ceil(math.log2(quarter)) + 2 if quarter > 0 else 0
    unit = math.ldexp(1.0, min(exponent, sys.float_info.max_exp - 1))
    far = max(abs(lowest), abs(highest)) / 2 > unit
    return lowest if far else 0.0, unit


def _linear_program(matrix: FloatArray, algorithm: str) -> tuple[FloatArray, FloatArray]:
    """Both players' strategies as the solver leaves them, unnormalised."""
    from scipy.optimize import linprog  # noqa: PLC0415  (half a second, and only learning needs it)

    m, n = matrix.shape
    answer = linprog(
        c=np.append(np.zeros(m), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(m), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
        method=algorithm,
    )
    if answer.x is None:
        return np.ones(m), np.ones(n)
    return answer.x[:-1], -answer.ineqlin.marginals


def _certified(matrix: FloatArray, rows: FloatArray, columns: FloatArray) -> Equilibrium:
    """The payoffs that both players' strategies, given as weights, secure and concede."""
    rows, columns = (_distribution(weights) for weights in (rows, columns))
    secured, conceded = float((rows @ matrix).min()), float((matrix @ columns).max())
    return Equilibrium(rows, columns, (secured + conceded) / 2, conceded - secured)


def _distribution(weights: FloatArray) -> FloatArray:
    """The weights without the solver's dust, summing to one."""
    clean = np.where(weights > 1e-9, weights, 0.0)
    total = clean.sum()
    return clean / total if total > 0 else np.full(len(weights), 1 / len(weights))
