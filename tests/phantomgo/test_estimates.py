"""Estimates and their errors, against published values and each other."""

import numpy as np
import pytest

from phantomgo.estimates import Z, difference, least_error, mean_error, rate_error, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(wins, games, low, high):
    interval = wilson(wins, games)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert wilson(games - wins, games).low == pytest.approx(1 - high, abs=1e-4)


def test_certain_results_leave_no_rounding():
    for games in range(1, 100):
        assert wilson(0, games).low == 0
        assert wilson(games, games).high == 1


def test_the_interval_of_a_difference_is_that_of_newcombe():
    """His examples, table II: 56 of 70 and 48 of 80, 9 of 10 and 3 of 10."""
    found = difference(wilson(56, 70), wilson(48, 80))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert difference(wilson(9, 10), wilson(3, 10)) == pytest.approx(
        (0.6, 0.1705, 0.8090), abs=5e-5
    )
    assert difference(wilson(48, 80), wilson(56, 70)) == pytest.approx(
        (-0.2, -0.3339, -0.0524), abs=5e-5
    )


def test_the_error_of_a_rate_is_half_of_wilsons_interval():
    """At 1.96 deviations it is the interval's; at one it is never 0, nor far from the root."""
    for wins, games in ((3, 10), (81, 263), (0, 20)):
        low, high = wilson(wins, games)[1:]
        assert Z * rate_error(wins / games, games, Z) == pytest.approx((high - low) / 2)
    assert rate_error(0.3, 10_000) == pytest.approx((0.3 * 0.7 / 10_000) ** 0.5, rel=1e-3)
    assert least_error(9) == rate_error(1.0, 9) == pytest.approx(0.05)
    assert rate_error(np.array([0.0, 0.5]), 9) == pytest.approx([0.05, 0.1581], abs=1e-4)


def test_the_error_of_a_mean():
    """The textbook's: the sample's deviation by the root of its size; one value says nothing."""
    assert mean_error([1.0, 2.0, 3.0, 4.0]) == pytest.approx(1.2909944 / 2)
    assert mean_error([[0.0, 1.0], [1.0, 1.0]]) == pytest.approx([0.5, 0.0])
    assert np.isnan(mean_error([3.0]))
