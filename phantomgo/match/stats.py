"""The statistics of a match: Elo, LOS and the SPRT.

Scores are those of one player against another: a win scores 1, a draw 1/2. The two games of a pair
share their seeds, so pairs are independent, games are not. The statistics therefore use the
pentanomial counts: the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from phantomgo.errors import BadText
from phantomgo.estimates import Interval, Z, wilson
from phantomgo.values import checked_number

Counts = Sequence[int]
"""Pentanomial counts: the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points."""

_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_ALMOST_NONE: Final = 1e-3


def expected(elo: float) -> float:
    """The expected score at this Elo difference."""
    return 1 / (1 + math.pow(10, -elo / 400))


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


def log_likelihood_ratio(counts: Counts, elo0: float, elo1: float) -> float:
    """The log-likelihood ratio (LLR) of an Elo difference of elo1 against one of elo0.

    This is Van den Bergh's generalized SPRT (A practical introduction to the GSPRT, 2017), as in
    fishtest and fastchess: each hypothesis is represented by the maximum-likelihood distribution of
    the five results among those with its expected score. Counts of 0 are replaced by 0.001, so that
    the ratio is always defined.
    """
    if sum(counts) == 0:
        return 0.0
    regular = [n or _ALMOST_NONE for n in counts]
    total = sum(regular)
    shares = [n / total for n in regular]
    fit0, fit1 = (_likeliest(shares, expected(value)) for value in (elo0, elo1))
    return total * sum(
        share * math.log(p1 / p0) for share, p0, p1 in zip(shares, fit0, fit1, strict=True)
    )


def _likeliest(shares: Sequence[float], score: float) -> list[float]:
    """The maximum-likelihood distribution with this mean: share / (1 + x (result - mean)), where x
    solves for the mean.
    """

    def excess(x: float) -> float:
        return sum(
            p * (s - score) / (1 + x * (s - score)) for p, s in zip(shares, _SCORES, strict=True)
        )

    low, high = -1 / (1 - score), 1 / score
    for _ in range(200):  # bisection: `excess` falls from infinity to minus infinity
        x = (low + high) / 2
        if not low < x < high:
            break
        low, high = (x, high) if excess(x) > 0 else (low, x)
    x = (low + high) / 2
    return [p / (1 + x * (s - score)) for p, s in zip(shares, _SCORES, strict=True)]


class Verdict(Enum):
    """The state of a sequential test: a hypothesis that was accepted, or OPEN."""

    H0 = "H0"
    H1 = "H1"
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential probability ratio test of H1: Elo >= elo1 against H0: Elo <= elo0.

    Attributes:
        elo0: the Elo difference under H0.
        elo1: the Elo difference under H1, greater than elo0.
        alpha: the probability of a type I error, accepting H1 although H0 holds.
        beta: the probability of a type II error, accepting H0 although H1 holds.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        elos = [checked_number("Elo", elo, -2000, 2000) for elo in (self.elo0, self.elo1)]
        if elos[0] >= elos[1]:
            raise BadText(f"SPRT: Elo {elos[0]:g} is not below {elos[1]:g}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise BadText(
                f"SPRT with errors of {self.alpha:g} and {self.beta:g}: both have to be above 0,"
                " their sum below 1"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLRs at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, counts: Counts) -> Verdict:
        ratio = log_likelihood_ratio(counts, self.elo0, self.elo1)
        low, high = self.bounds
        return Verdict.H1 if ratio >= high else Verdict.H0 if ratio <= low else Verdict.OPEN

    def sentence(self, counts: Counts) -> str:
        """The verdict, with the LLR and its bounds."""
        ratio, (low, high) = log_likelihood_ratio(counts, self.elo0, self.elo1), self.bounds
        after = f"after {sum(counts)} pairs"
        verdict, elos = self.verdict(counts), (self.elo0, self.elo1)
        if verdict is Verdict.OPEN:
            return f"undecided: LLR {ratio:.2f} is between {low:.2f} and {high:.2f} {after}"
        (elo, other), bound = (elos[::-1], high) if verdict is Verdict.H1 else (elos, low)
        return (
            f"{verdict.value} accepted (Elo {elo:g} rather than {other:g}):"
            f" LLR {ratio:.2f} reached {bound:.2f} {after}"
        )
