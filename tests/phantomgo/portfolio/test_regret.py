"""Regret matching and the equilibria of large matrices, against the linear program of all of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from phantomgo.portfolio.nash import solve
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
