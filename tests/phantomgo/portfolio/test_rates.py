"""Matrices of win rates: shrinking, where games are needed, and how sure an equilibrium is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from phantomgo.portfolio.nash import solve
from phantomgo.portfolio.rates import PRIOR, RateMatrix, solve_rates

counts = arrays.arrays(np.int64, (3, 4), elements=st.integers(0, 30))


def played(rates, games, seed=0):
    """The matrix after this number of games in each cell."""
    won = np.random.default_rng(seed).binomial(games, rates)
    return RateMatrix(won, np.full(won.shape, games))


@given(counts, counts)
def test_rates_lie_between_what_was_won_and_what_was_expected(won, lost):
    matrix = RateMatrix(won, won + lost)
    expected, rates = matrix.expected(), matrix.rates()
    raw = np.where(matrix.games, won / np.maximum(matrix.games, 1), expected)
    assert np.allclose(rates, np.clip(rates, np.minimum(raw, expected), np.maximum(raw, expected)))
    assert ((expected > 0) & (expected < 1)).all()
    assert np.allclose(matrix.draws(1, 4000).mean(0), rates, atol=0.05)


def test_a_cell_without_games_is_expected_to_win_as_its_row_and_column_do():
    games = np.array([[1000, 1000], [1000, 0]])
    matrix = RateMatrix(np.array([[500, 300], [700, 0]]), games)
    assert matrix.rates()[1, 1] == pytest.approx(0.5 + 0.2 - 0.2, abs=0.12)
    assert matrix.rates()[0, 0] == pytest.approx(0.5, abs=0.02)


def test_expected_rates_by_hand():
    """All won 29 of 34 games, the first row 3 of 4; its 16 games more make that 16.65 of 20."""
    matrix = RateMatrix(np.array([[3, 0], [9, 16]]), np.array([[4, 0], [12, 16]]))
    assert matrix.expected() == pytest.approx(
        np.array([[0.7809, 0.9059], [0.8269, 0.9519]]), abs=1e-4
    )
    certain = RateMatrix(np.array([[900, 0]]), np.array([[900, 900]]))
    assert certain.expected().tolist() == [[0.98, 0.02]]
    assert matrix.draws(1).shape == (64, 2, 2)
    assert matrix.equilibrium(np.full(2, 0.5), np.array([0.25, 0.75]), (0, 0), 1).value == 0.9018
    assert matrix.allocate(9, 1).tolist() == [[5, 0], [4, 0]]


def test_many_games_find_the_equilibrium():
    rates = np.array([[0.7, 0.3], [0.4, 0.6]])  # rows 1/3 and 2/3, columns 1/2 each: value 1/2
    assert played(rates, 20_000).mixed_strategies(1)[0] == pytest.approx([1 / 3, 2 / 3], abs=0.03)


def test_a_mixture_concedes_less_than_the_equilibrium_of_the_shrunk_rates():
    random, conceded = np.random.default_rng(1), np.zeros(2)
    for seed in range(16):
        rates = random.uniform(0.2, 0.8, (6, 6))
        matrix = played(rates, 20, seed)
        one = solve(matrix.rates())
        for place, (rows, columns) in enumerate(
            [(one.rows, one.columns), matrix.mixed_strategies(seed)]
        ):
            conceded[place] += (rates @ columns).max() - (rows @ rates).min()
    assert conceded[1] < conceded[0]


def test_games_go_where_the_equilibrium_depends_on_them():
    rates = np.full((4, 4), 0.5)
    rates[3] = 0.1  # a row that no equilibrium plays
    matrix = played(rates, 20, seed=2)
    more = matrix.allocate(200, 1)
    assert more.sum() == 200
    assert more[3].sum() == 0
    assert np.count_nonzero(more.sum(1)) > 1


def test_more_games_make_the_value_surer_and_the_gap_smaller():
    rates = np.random.default_rng(3).uniform(0.3, 0.7, (5, 5))
    stated = [
        matrix.equilibrium(*matrix.mixed_strategies(1), (0.0, -0.1), 1)
        for matrix in (played(rates, games) for games in (10, 100, 10_000))
    ]
    assert stated[0].error > stated[1].error > stated[2].error > 0
    assert stated[0].gap > stated[1].gap > stated[2].gap > 0
    assert stated[2].value == pytest.approx(solve(rates).value, abs=0.01)
    assert (stated[0].black_gain, stated[0].white_gain, stated[0].games) == (0, -0.1, 250)


def test_lines_join_without_games():
    matrix = RateMatrix.empty().grown(1, 2)
    assert matrix.rates().tolist() == [[0.5, 0.5]]
    matrix.add(0, 1, 1.0)
    grown = matrix.grown(2, 2)
    assert grown.games.tolist() == grown.won.tolist() == [[0, 1], [0, 0]]
    assert grown.rates()[0, 0] < grown.rates()[0, 1]
    assert (PRIOR + grown.games).min() == PRIOR


def test_the_more_a_mixture_counts_on_a_model_the_more_it_wins_against_it_and_the_less_elsewhere():
    for seed in range(16):
        rates = np.random.default_rng(seed).uniform(0.1, 0.9, (4, 5))
        found = [solve_rates(rates, 1, model) for model in (0.001, 0.5, 0.999)]
        known = np.array([(rows @ rates[:, -1], -rates[-1] @ columns) for rows, columns in found])
        worst = np.array([((r @ rates).min(), -(rates @ c).max()) for r, c in found])
        assert (np.diff(known, axis=0) >= -1e-6).all()
        assert (np.diff(worst, axis=0) <= 1e-6).all()
        assert known[-1] == pytest.approx([rates[:-1, -1].max(), -rates[-1, :-1].min()])
        assert [rows[-1] for rows, _ in found] == [columns[-1] for _, columns in found] == [0] * 3
