"""The statistics of a match: Wilson intervals, Elo and LOS.

Scores are those of one player against another: a win scores 1, a draw 1/2. The two games of a pair
share their seeds, so pairs are independent, games are not. The statistics therefore use the
pentanomial counts: the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""The normal quantile of a two-sided 95 % confidence interval."""

Counts = Sequence[int]
"""Pentanomial counts: the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points."""

_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


class Interval(NamedTuple):
    """An estimate and its 95 % confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """A proportion with Wilson's score interval (1927); NaN and 0 to 1 if there are no trials."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate, z2 = successes / trials, Z * Z
    middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = Z / (1 + z2 / trials) * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2))
    low = middle - spread if successes > 0 else 0.0  # exactly, whatever the rounding
    high = middle + spread if successes < trials else 1.0
    return Interval(rate, low, high)


def elo(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for scores 0 and 1."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400.0 * math.log10(1 / score - 1)


def moments(counts: Counts) -> tuple[float, float]:
    """Mean and variance of a pair's score, scaled to 0..1."""
    pairs = sum(counts)
    mean = sum(n * s for n, s in zip(counts, _SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, _SCORES, strict=True)) / pairs
    return mean, variance


def elo_interval(counts: Counts) -> Interval:
    """The Elo difference with a 95 % confidence interval from the variance of the pairs' scores.

    If all pairs scored the same, that variance is 0, and Wilson's interval over the games is used.
    """
    pairs = sum(counts)
    if pairs == 0:
        return Interval(math.nan, -math.inf, math.inf)
    mean, variance = moments(counts)
    if variance == 0:
        low, high = wilson(mean * 2 * pairs, 2 * pairs)[1:]
    else:
        spread = Z * math.sqrt(variance / pairs)
        low, high = mean - spread, mean + spread
    return Interval(elo(mean), elo(low), elo(high))


def superiority(counts: Counts) -> float:
    """The likelihood of superiority (LOS), by the normal approximation of the mean score.

    If all pairs scored the same, the variance is taken to be that of decided games.
    """
    pairs = sum(counts)
    if pairs == 0:
        return 0.5
    mean, variance = moments(counts)
    variance = variance or (0.0 if mean == 0.5 else 1 / 8)
    if variance == 0:
        return 0.5
    return 0.5 * math.erfc(-(mean - 0.5) / math.sqrt(2 * variance / pairs))
