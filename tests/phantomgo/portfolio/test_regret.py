"""Regret matching and the equilibria of large matrices, against the linear program of all of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from phantomgo.portfolio import regret
from phantomgo.portfolio.nash import Equilibrium, solve
from phantomgo.portfolio.regret import approximate, solve_large

matrices = st.tuples(st.integers(1, 8), st.integers(1, 8)).flatmap(
    lambda shape: arrays(np.uint8, shape, elements=st.integers(0, 1))
)


@given(matrices)
@settings(max_examples=25)
def test_small_matrices(payoff):
    near, exact, found = approximate(payoff, 300), solve(payoff), solve_large(payoff)
    assert -1e-6 <= near.gap < 0.02
    assert near.value == pytest.approx(exact.value, abs=0.02)
    assert found.gap < 1e-7
    assert found.value == pytest.approx(exact.value, abs=1e-6)


def test_regret_matching_by_hand():
    """Two steps of matching pennies with a better side, as the paper's algorithm says."""
    payoff = np.array([[2.0, 0.0], [0.0, 1.0]])
    # Step 1: both even; regrets 0.25, -0.25 for rows, and the columns' losses the other way round.
    # Step 2: the prediction doubles what is left of them: rows (1, 0), columns (0, 1).
    found = approximate(payoff, 2)
    assert found.rows == pytest.approx([(0.5 + 4) / 5, 0.5 / 5])
    assert found.columns == pytest.approx([0.5 / 5, (0.5 + 4) / 5])


@pytest.mark.parametrize("shape", [(300, 40), (60, 250)])
def test_large_matrices(shape):
    random = np.random.default_rng(5)
    ahead = random.normal(0, 0.3, shape[0])[:, None] - random.normal(0, 0.3, shape[1])
    payoff = (random.random(shape) < 1 / (1 + np.exp(-ahead))).astype(np.uint8)
    found, near = solve_large(payoff), approximate(payoff)
    assert found.gap < 1e-7
    assert found.value == pytest.approx(solve(payoff).value, abs=1e-7)
    assert near.gap < 1e-3


def test_a_gap_that_no_row_explains_ends_the_search(monkeypatch):
    """The inner gap is just below the tolerance: what is worth that much is noise, not taken in."""
    calls = []

    def loose(payoff):
        """The equilibrium, off by 9e-8 on both sides where some rows are missing."""
        calls.append(payoff.shape)
        assert len(calls) < 10
        found = solve(payoff)
        return found if payoff.shape == (3, 3) else replace(found, gap=9e-8)

    monkeypatch.setattr(regret, "solve", loose)
    # The second row is worth 8e-8 more than the first, and so is the second column; regret matching
    # has played neither.
    payoff = np.array([[0.5, 0.5 - 8e-8, 1.0], [0.5 + 8e-8, 0.5, 1.0], [0.0, 0.0, 0.5]])
    only_first = Equilibrium(np.eye(3)[0], np.eye(3)[0], 0.5, 0.0)
    monkeypatch.setattr(regret, "approximate", lambda _: only_first)
    found = solve_large(payoff)
    assert found.gap < 1e-7
    assert found.value == pytest.approx(0.5, abs=1e-7)
    assert calls == [(1, 1), (3, 3)]


SCALES = [(1e9, 0), (1e-9, 0), (1e9, -5e8), (1, 1e9), (1e300, 0), (1e308, -0.78e308)]


@pytest.mark.parametrize(("unit", "offset"), SCALES)
@pytest.mark.parametrize("solver", [solve, solve_large])
def test_payoffs_of_any_size(solver, unit, offset):
    """The same game in other units has the same solution, to a certainty relative to its range."""
    ours = np.random.default_rng(3).integers(0, 100, (30, 20)) / 64
    expected, found = solve(ours), solver(ours * unit + offset)
    assert found.gap <= 4e-7 * unit
    assert (found.value - offset) / unit == pytest.approx(expected.value, abs=1e-6)


@pytest.mark.parametrize("solver", [solve, solve_large])
@pytest.mark.parametrize("payoff", [0.0, 1.0, -7.0, 1e12, 1e-12])
def test_payoffs_that_are_all_equal(solver, payoff):
    found = solver(np.full((3, 4), payoff))
    assert (found.value, found.gap) == (pytest.approx(payoff), 0)
