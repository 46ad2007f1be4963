"""Cross-validation and the exploiter, against brute force and a naive loop."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from phantomgo.errors import BadText
from phantomgo.estimates import least_error
from phantomgo.lab.run.workers import Local
from phantomgo.portfolio.cross_validation import (
    CrossValidation,
    cross_validate,
    split,
    strengths,
)
from phantomgo.portfolio.exploiter import (
    Portfolio,
    Rates,
    against,
    expected_exploited,
    hoeffding,
)
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method
from phantomgo.rng import MAX_SEED


def heterogeneous(own, opponents=None, seed=0):
    """Results between seeds of unequal strength; square unless opponents are given."""
    random = np.random.default_rng(seed)
    black, white = random.normal(0, 1, (2, own))
    chance = 1 / (1 + np.exp(white - black[:, None]))
    wins = (random.random((own, own)) < chance).astype(np.uint8)
    if opponents is None:
        return SeedMatrix(wins, wins)
    return SeedMatrix(wins[:, :opponents].copy(), wins[:opponents].copy())


rate_lists = arrays(np.float64, st.integers(1, 7), elements=st.floats(0, 1))


@given(rate_lists, rate_lists, st.data())
@settings(max_examples=60)
def test_the_exploiter_against_brute_force(black, white, data):
    tries = data.draw(st.integers(1, min(len(black), len(white))))
    # Every draw of K' seeds per colour, the worst of each kept.
    outcomes = [
        (min(b) + min(w)) / 2
        for b in combinations(black, tries)
        for w in combinations(white, tries)
    ]
    found = expected_exploited(Rates(black, white), tries)
    assert found.rate == pytest.approx(np.mean(outcomes))
    if tries < min(len(black), len(white)):
        variance = sum(left_out(side, tries) for side in (black, white)) / 4
        least = 0.5 / (len(black) + len(white) + 1)
        assert found.error == pytest.approx(max(variance**0.5, least), abs=1e-9)


def left_out(rates, tries):
    """The jackknife's variance of the mean worst rate, by its definition."""
    without = [
        np.mean([min(draw) for draw in combinations(np.delete(rates, i), tries)])
        for i in range(len(rates))
    ]
    return (len(rates) - 1) / len(rates) * sum((x - np.mean(without)) ** 2 for x in without)


def test_the_bound_holds_for_all_seeds_at_once():
    assert hoeffding(380, 380) == pytest.approx((np.log(4 * 380 / 0.05) / 760) ** 0.5)
    random = np.random.default_rng(0)
    missed = [
        np.abs(random.binomial(40, 0.5, 2 * 20) / 40 - 0.5).max() > hoeffding(20, 40)
        for _ in range(400)
    ]
    assert np.mean(missed) < 0.05


def test_rates_by_hand():
    portfolio = Portfolio(np.array([0.25, 0.75]), np.array([0.5, 0.5]))
    as_black = np.array([[1, 0, 1], [0, 0, 1]])  # our two seeds against three White ones
    as_white = np.array([[1, 1], [0, 1], [0, 0]])  # three Black seeds against our two
    rates = against(portfolio, as_black, as_white)
    assert rates.black.tolist() == [0.25, 0.0, 1.0]
    assert rates.white.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("opponents", [None, 12])
def test_cross_validation_is_the_naive_loop(opponents):
    matrix = heterogeneous(20, opponents)
    methods, exploiters, learned, seed = ("bestseed", "nash", "oneseed"), (1, 2, 4), 7, 5
    table = cross_validate(
        matrix, methods, opponents=learned, exploiters=exploiters, repeats=12, seed=seed
    )
    for number in range(12):
        random = np.random.default_rng([seed, number])
        drawn = split(matrix, learned, max(exploiters), random)
        ties = int(random.integers(MAX_SEED))
        training = matrix.select(drawn.own, drawn.opponents)
        for row, text in enumerate(methods):
            black, white = parse_method(text).learn(training, ties)
            for column, tries in enumerate(exploiters):
                as_black = min(
                    sum(p * matrix.black[i, j] for p, i in zip(black, drawn.own, strict=True))
                    for j in drawn.white_tests[:tries]
                )
                as_white = min(
                    sum(q * (1 - matrix.white[i, j]) for q, j in zip(white, drawn.own, strict=True))
                    for i in drawn.black_tests[:tries]
                )
                expected = (as_black + as_white) / 2
                assert table.rates[number, row, column] == pytest.approx(expected)


@given(st.integers(1, 9), st.integers(0, 6), st.integers(0, 5), st.integers(0, 10**6))
def test_no_seed_is_both_learned_and_tested(learned, fresh, more, seed):
    opponents = learned + fresh
    matrix = heterogeneous(opponents + more, opponents if more else None)
    drawn = split(matrix, learned, fresh, np.random.default_rng(seed))
    tested = {*drawn.black_tests.tolist(), *drawn.white_tests.tolist()}
    assert not tested & {*drawn.own.tolist(), *drawn.opponents.tolist()}
    assert set(drawn.opponents.tolist()) <= set(drawn.own.tolist())
    assert len(set(drawn.own.tolist())) == len(drawn.own) == learned + more
    assert len(drawn.white_tests) == len(set(drawn.white_tests.tolist())) == fresh


def test_the_tests_of_the_colours_are_drawn_apart():
    """Which fresh seed comes first for one colour says nothing about the other."""
    matrix, pairs = heterogeneous(6), Counter()
    for seed in range(900):
        drawn = split(matrix, 3, 1, np.random.default_rng(seed))
        fresh = sorted({*range(6)} - {*drawn.opponents.tolist()})
        pairs[fresh.index(drawn.black_tests[0]), fresh.index(drawn.white_tests[0])] += 1
    # Each of the nine pairs in a ninth of the draws, give or take three standard deviations.
    assert len(pairs) == 9
    assert all(abs(count - 100) < 3 * 9.43 for count in pairs.values())


def test_the_table_does_not_depend_on_who_computes_it():
    matrix = heterogeneous(16)
    table = partial(
        cross_validate, matrix, ["nash", "oneseed"], opponents=8, exploiters=(1, 8), repeats=23
    )
    here = table()
    counted = []
    with ThreadPoolExecutor(3) as pool:
        there = table(mapper=Local(pool, 2).map, advance=counted.append)
    assert (here.rates == there.rates).all()
    assert sum(counted) == len(here.rates) == 23


def test_every_seed_is_in_one_fold_and_learned_on_in_the_others():
    matrix, seen = heterogeneous(40, 36), []

    def mapper(function, shared, items):
        for item in items:
            if function.__name__ == "_fold":
                seen.append(item)
            yield function(shared, item)

    table = cross_validate(
        matrix, ["bestseed"], opponents=20, exploiters=(1, 4), repeats=1, mapper=mapper
    )
    assert sorted(np.concatenate(seen)) == list(range(36))
    assert min(map(len, seen)) == 4, "as many as the exploiter tries"
    for fold, rates in zip(seen, table.folds[:, 0], strict=True):
        assert 0 <= rates[1] <= rates[0] <= 1
        # One seed wins or loses against each seed of the fold.
        assert (rates[0] * 2 * len(fold)) % 1 == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_a_model_of_seeds_gives_the_papers_figures():
    """One free parameter, five published numbers: the Nash row of CIG 2016, Table I, 7x7.

    Seeds whose strength varies by 0.3 on the logistic scale, and nothing else about Go, win what
    Golois's seeds did after learning on 380 of 400. Our protocol is then the papers'.
    """
    random = np.random.default_rng(0)
    black, white = random.normal(0, 0.3, (2, 400))
    wins = (random.random((400, 400)) < 1 / (1 + np.exp(white - black[:, None]))).astype(np.uint8)
    methods = ["oneseed", "nash", "sparse:alpha=0.5"]
    table = cross_validate(SeedMatrix(wins, wins), methods, opponents=380, repeats=60)
    one, nash, sparse = 100 * table.mean
    assert nash == pytest.approx(np.array([58.3, 52.8, 48.1, 44.2, 41.1]), abs=2.5)
    assert sparse == pytest.approx(np.array([59.6, 51.1, 44.0, 38.7, 33.2]), abs=6)
    assert one == pytest.approx(np.array([50, 23, 8.5, 0.5, 0.5]), abs=12)


def test_strengths_by_hand():
    wins = np.array([[1, 1], [0, 1]], dtype=np.uint8)
    found = strengths(SeedMatrix(wins, wins))
    # Black's seeds win 1/2 and 1 of their games, White's 0 and 1/2.
    assert found.rates.tolist() == [0.25, 0.75]
    assert found.noise == pytest.approx((2 * 3 / 16 / 2) ** 0.5 / 2)


def test_an_empty_list_is_an_error():
    matrix = SeedMatrix(*[np.ones((4, 4), np.uint8)] * 2)
    with pytest.raises(BadText, match="methods is empty: name at least one"):
        cross_validate(matrix, [], opponents=2, exploiters=(1,), repeats=1)
    some = np.array([1, 2])
    found = cross_validate(matrix, ["nash"], opponents=2, exploiters=some, repeats=1)  # type: ignore[arg-type]
    assert found.exploiters == (1, 2)


def test_no_error_is_none():
    """Where all outcomes agree it is half of Wilson's interval from 0 to `high`."""
    high = 2 * least_error(9)
    assert high**2 == pytest.approx(high * (1 - high) / 9)
    rates = np.zeros((50, 1, 2))
    found = CrossValidation(10, 10, 10, ("oneseed",), (16, 1), rates, np.zeros((4, 1, 2)))
    same = expected_exploited(Rates(np.ones(10), np.zeros(10)), 4)
    assert {*found.error.flat, same.error} == {0.5 / 21}
