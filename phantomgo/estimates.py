"""Estimates and their errors: of a rate, a mean, a difference, and of several colours together.

Intervals are of 95 %; a standard error is that of one standard deviation. Whoever publishes a rate
takes its error from here, so that two figures of the project can be compared.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Z: Final = 1.959963984540054
"""The normal quantile of a two-sided 95 % confidence interval."""


class Interval(NamedTuple):
    """An estimate and its 95 % confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """A proportion with Wilson's score interval (1927); NaN and 0 to 1 if there are no trials."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = successes / trials
    middle = (rate + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    spread = Z * rate_error(rate, trials, Z)
    low = middle - spread if successes > 0 else 0.0  # exactly, whatever the rounding
    high = middle + spread if successes < trials else 1.0
    return Interval(rate, low, high)


def rate_error(rate: Any, trials: Any, deviations: float = 1.0) -> Any:
    """The standard error of a rate: half of Wilson's score interval by the number of deviations.

    Unlike the root of the variance it is not 0 where all trials agree.

    Args:
        rate: the share of trials that succeeded, from 0 to 1; a number or an array.
        trials: how many there were, at least 1.
        deviations: the standard deviations on either side of the interval.
    """
    z2 = deviations**2
    variance = rate * (1 - rate) / trials + z2 / (4 * trials**2)
    return variance**0.5 / (1 + z2 / trials)


def least_error(trials: Any) -> Any:
    """The standard error of a rate when this many trials agree."""
    return rate_error(0.0, trials)


def mean_error(values: ArrayLike) -> NDArray[np.float64]:
    """The standard errors of means over the first axis; NaN for a single value."""
    array = np.asarray(values, np.float64)
    if len(array) < 2:
        return np.full(array.shape[1:], np.nan)
    return np.asarray(array.std(axis=0, ddof=1) / len(array) ** 0.5)


def difference(one: Interval, other: Interval) -> Interval:
    """The difference of two independent estimates.

    Newcombe, Interval estimation for the difference between independent proportions (1998), method
    10: each end is as far from the estimate as chance takes both that way.
    """
    value = one.value - other.value
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - down, value + up)
