"""Exp3, the sublinear algorithm and double oracle on known matrices."""

from math import exp

import numpy as np
import pytest

from phantomgo.papers.learners import Widening, double_oracle, exp3, sublinear
from phantomgo.portfolio.nash import TOLERANCE, solve

OWN = 24


def a_matrix(own=OWN, seed=3, spread=0.8):
    """Seeds of different strength against each other."""
    random = np.random.default_rng(seed)
    ahead = random.normal(0, spread, own)[:, None] - random.normal(0, spread, own)
    return (random.random((own, own)) < 1 / (1 + np.exp(-ahead))).astype(np.float64)


def naive_exp3(scores, games, seed, gamma, eta):
    """Exp3 as the paper writes it, one list after another."""
    k, random = len(scores), np.random.default_rng(seed)
    gains, drawn = [[0.0] * k, [0.0] * k], [[0] * k, [0] * k]
    for _ in range(games):
        chances: list[list[float]] = []
        arms: list[int] = []
        for own in gains:
            weights = [exp(eta * gain) for gain in own]
            chances.append([(1 - gamma) * w / sum(weights) + gamma / k for w in weights])
            point, arm = random.random() * sum(chances[-1]), 0
            while point > sum(chances[-1][: arm + 1]):
                arm += 1
            arms.append(arm)
        score = scores[arms[0], arms[1]]
        for side, won in enumerate((score, 1 - score)):
            gains[side][arms[side]] += won / chances[side][arms[side]]
            drawn[side][arms[side]] += 1
    return drawn


def test_exp3_draws_as_the_paper_says():
    scores = a_matrix(5)
    found = exp3(scores, 60, 1, exploration=0.2, rate=0.1, share=0.0)
    drawn = np.array(naive_exp3(scores, 60, 1, 0.2, 0.1))
    assert np.allclose(found.portfolio.black, drawn[0] / 60)
    assert np.allclose(found.portfolio.white, drawn[1] / 60)
    assert found.games <= 25


def test_exp3_finds_one_of_the_best():
    scores = a_matrix()
    found = exp3(scores, 6000, 1).portfolio
    for side, rate in zip(found, (scores.mean(1), 1 - scores.mean(0)), strict=True):
        assert rate[side.argmax()] >= np.sort(rate)[-4]
        assert side.sum() == pytest.approx(1)


def test_a_draw_is_half_a_win_for_both():
    scores = np.full((4, 4), 0.5)
    found = exp3(scores, 4000, 0, rate=0.01, share=0.0).portfolio
    assert np.allclose(found.black, 0.25, atol=0.15)
    assert np.allclose(found.white, 0.25, atol=0.15)


def test_seeds_are_opened_and_closed():
    assert [Widening(2, 0.5).open(games, 400) for games in (0, 9, 100, 10**9)] == [2, 6, 20, 400]
    assert Widening().open(0, 400) == 400
    scores = a_matrix(60)
    few = exp3(scores, 100, 0, widening=Widening(2, 0.25)).portfolio
    assert not few.black[8:].any()
    # 50 removals of 60 seeds leave ten at most that were drawn to the end
    alone = exp3(scores, 500, 0, removal=10, share=0.5).portfolio
    assert np.count_nonzero(alone.black) <= 10


@pytest.mark.parametrize("seed", range(3))
def test_the_sublinear_algorithm_is_nearly_an_equilibrium(seed):
    scores = a_matrix(60, seed)
    (black, white), asked = sublinear(scores, 0.1, seed)
    value = solve(scores).value
    assert (black @ scores).min() > value - 0.1
    assert (scores @ white).max() < value + 0.1
    assert asked <= 3600


@pytest.mark.parametrize("seed", range(3))
def test_double_oracle_ends_with_an_equilibrium(seed):
    scores = a_matrix(60, seed, spread=1.5)
    (black, white), asked = double_oracle(scores, 4, 3)
    value = solve(scores).value
    assert (black @ scores).min() == pytest.approx(value, abs=1e-6)
    assert (scores @ white).max() == pytest.approx(value, abs=1e-6)
    assert asked < 0.8 * 3600


def test_double_oracle_ends_where_two_small_gains_exceed_the_tolerance_together():
    little = 0.6 * TOLERANCE
    scores = np.array([[0.5, 0.5 - little], [0.5 + little, 0.5]])
    assert double_oracle(scores, start=1).games == 3
