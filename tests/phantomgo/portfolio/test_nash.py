"""Equilibria against closed forms and against another formulation of the linear program."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from phantomgo.errors import BadText
from phantomgo.portfolio.nash import solve
from phantomgo.portfolio.packed import read_matrix

TOLERANCE = 1e-7  # as solve promises

matrices = st.tuples(st.integers(1, 8), st.integers(1, 8)).flatmap(
    lambda shape: arrays(np.uint8, shape, elements=st.integers(0, 1))
)


def classic(payoff, method="highs"):
    """Von Neumann's other program: with payoffs made positive, minimise sum(u), payoff^T u >= 1.

    The value is 1 / sum(u), and the strategy is u times it.
    """
    shifted = payoff.astype(float) + 1
    answer = linprog(
        np.ones(len(payoff)), A_ub=-shifted.T, b_ub=-np.ones(payoff.shape[1]), method=method
    )
    return 1 / answer.fun - 1


@pytest.mark.parametrize(
    ("payoff", "value", "rows", "columns"),
    [
        ([[1, 0], [0, 1]], 1 / 2, [1 / 2, 1 / 2], [1 / 2, 1 / 2]),
        # Without a saddle point: p = (d - c) / (a + d - b - c), v = (ad - bc) / (a + d - b - c).
        ([[3, 1], [0, 2]], 6 / 4, [2 / 4, 2 / 4], [1 / 4, 3 / 4]),
        ([[-3, -1], [0, -2]], -6 / 4, [2 / 4, 2 / 4], [1 / 4, 3 / 4]),
        ([[1, 1], [0, 1]], 1, [1, 0], None),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 1 / 3, [1 / 3] * 3, [1 / 3] * 3),
        # Row 1 is never worse than row 2, so only columns 2 and 3 matter.
        ([[1, 0, 1], [1, 0, 0], [0, 1, 0]], 1 / 2, None, None),
        ([[7]], 7, [1], [1]),
    ],
)
def test_closed_forms(payoff, value, rows, columns):
    found = solve(np.array(payoff))
    assert found.value == pytest.approx(value)
    if rows is not None:
        assert found.rows == pytest.approx(np.array(rows))
    if columns is not None:
        assert found.columns == pytest.approx(np.array(columns))


@given(matrices)
@settings(max_examples=60)
def test_an_equilibrium_is_one(payoff):
    found = solve(payoff)
    for side, number in zip((found.rows, found.columns), payoff.shape, strict=True):
        assert side.shape == (number,)
        assert (side >= 0).all()
        assert side.sum() == pytest.approx(1)
    assert -1e-9 <= found.gap < TOLERANCE
    assert (found.rows @ payoff).min() >= found.value - TOLERANCE
    assert (payoff @ found.columns).max() <= found.value + TOLERANCE
    assert found.value == pytest.approx(classic(payoff), abs=1e-6)
    # The same game seen by the other player.
    assert solve(1 - payoff.T.astype(int)).value == pytest.approx(1 - found.value, abs=1e-6)


def test_a_large_matrix_agrees_with_the_other_program():
    payoff = np.random.default_rng(1).integers(0, 2, (120, 80))
    found = solve(payoff)
    assert found.gap < TOLERANCE
    assert found.value == pytest.approx(classic(payoff), abs=1e-7)


@pytest.mark.parametrize("name", ["flat5", "flat7", "flat9"])
def test_the_shipped_matrices_have_the_value_of_the_other_program(name):
    """To nine digits, by another formulation and another algorithm."""
    payoff = read_matrix(name).scores.black
    assert solve(payoff).value == pytest.approx(classic(payoff, "highs-ipm"), abs=1e-9)


def test_no_solution_is_an_error(monkeypatch):
    monkeypatch.setattr("phantomgo.portfolio.nash.TOLERANCE", -1.0)
    with pytest.raises(ArithmeticError, match=r"the smallest duality gap is \d"):
        solve(np.eye(2))


def solver(monkeypatch, *answers):
    """Let the solver give these answers in turn, (x, marginals); then its own."""
    left = list(answers)

    def double(*arguments, **options):
        if not left:
            return linprog(*arguments, **options)
        x, marginals = left.pop(0)
        return SimpleNamespace(x=x, ineqlin=SimpleNamespace(marginals=marginals))

    monkeypatch.setattr("scipy.optimize.linprog", double)


# The third row and column of this game are never worth playing.
PENNIES = np.array([[1, 0, 1], [0, 1, 1], [0, 0, 0]])


def test_what_a_solver_leaves_is_made_a_distribution(monkeypatch):
    solver(monkeypatch, (np.array([2, 2, 1e-12, 0.5]), -np.array([3, 3, 1e-12])))
    found = solve(PENNIES)
    assert found.rows.tolist() == found.columns.tolist() == [0.5, 0.5, 0]
    assert (found.value, found.gap) == (0.5, 0)


@pytest.mark.parametrize("x", [None, np.zeros(4)])
def test_where_one_algorithm_fails_the_other_is_asked(monkeypatch, x):
    failed = (x, np.zeros(3))
    solver(monkeypatch, failed)
    assert solve(PENNIES).value == pytest.approx(0.5)
    solver(monkeypatch, failed, failed)
    with pytest.raises(ArithmeticError, match=r"the smallest duality gap is 0\.333333"):
        solve(PENNIES)


@pytest.mark.parametrize("payoff", [np.zeros((0, 3)), np.zeros(3), [[1, np.nan]], [[np.inf, 1]]])
def test_what_is_no_matrix(payoff):
    with pytest.raises(BadText, match=r"^payoffs of shape \(.*\) are not a matrix of finite"):
        solve(np.array(payoff))
