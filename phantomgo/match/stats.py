"""What results show: rates, Elo, superiority, and the sequential test.

Scores are those of one player against another, a win 1, a draw 1/2. The two games of a pair are
played on the same seeds, so pairs, not games, are independent: their five results (0, 1/2, 1, 3/2
or 2 points) are the pentanomial counts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from phantomgo.errors import BadText

Z: Final = 1.959963984540054
"""The normal deviate of a two-sided 95 % interval."""

Counts = Sequence[int]
"""How many pairs brought 0, 1/2, 1, 3/2 and 2 points."""

_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_ALMOST_NONE: Final = 1e-3


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """A rate with Wilson's score interval (1927); no trials say nothing."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate, z2 = successes / trials, Z * Z
    middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = Z / (1 + z2 / trials) * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials**2))
    return Interval(rate, max(0.0, middle - spread), min(1.0, middle + spread))


def expected(elo: float) -> float:
    """The score that a difference in Elo makes expect."""
    return 1 / (1 + math.pow(10, -elo / 400))


def elo(score: float) -> float:
    """The difference in Elo that makes this score expected; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400.0 * math.log10(1 / score - 1)


def moments(counts: Counts) -> tuple[float, float]:
    """Mean and variance of a pair's score, from 0 to 1."""
    pairs = sum(counts)
    mean = sum(n * s for n, s in zip(counts, _SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, _SCORES, strict=True)) / pairs
    return mean, variance


def elo_interval(counts: Counts) -> Interval:
    """The difference in Elo, its error from how the pairs differ.

    Where all pairs ended alike they do not say how far the score is off; Wilson's interval over the
    games does.
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
    """How likely the player is the stronger one (LOS), by the normal distribution of the score."""
    pairs = sum(counts)
    if pairs == 0:
        return 0.5
    mean, variance = moments(counts)
    # Pairs that all ended alike: every game is taken to vary as a decided one does.
    variance = variance or (0.0 if mean == 0.5 else 1 / 8)
    if variance == 0:
        return 0.5
    return 0.5 * math.erfc(-(mean - 0.5) / math.sqrt(2 * variance / pairs))


def log_likelihood_ratio(counts: Counts, elo0: float, elo1: float) -> float:
    """How much better the pairs fit a difference of elo1 than one of elo0.

    Van den Bergh's generalized test (A practical introduction to the GSPRT, 2017) as fishtest and
    fastchess run it: each hypothesis gets the distribution on the five results that has the score
    it expects and is likeliest given the counts. Counts of 0 become 0.001, so that any results,
    all losses among them, have a ratio.
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
    """The likeliest distribution with this mean: share / (1 + x (result - mean)) for one x."""

    def excess(x: float) -> float:
        return sum(
            p * (s - score) / (1 + x * (s - score)) for p, s in zip(shares, _SCORES, strict=True)
        )

    low, high = -1 / (1 - score), 1 / score
    for _ in range(200):  # falls from infinity to minus infinity between these
        x = (low + high) / 2
        if not low < x < high:
            break
        low, high = (x, high) if excess(x) > 0 else (low, x)
    x = (low + high) / 2
    return [p / (1 + x * (s - score)) for p, s in zip(shares, _SCORES, strict=True)]


class Verdict(Enum):
    """What a sequential test says."""

    H0 = "H0"
    H1 = "H1"
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of Elo >= elo1 (H1) against Elo <= elo0 (H0).

    Attributes:
        elo0: the difference that H0 says.
        elo1: the difference that H1 says, above elo0.
        alpha: how often H1 may be accepted where H0 holds.
        beta: how often H0 may be accepted where H1 holds.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise BadText(
                f"SPRT of Elo {self.elo0:g} and {self.elo1:g}: the first has to be below the"
                " second, both from -2000 to 2000"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, counts: Counts) -> Verdict:
        ratio = log_likelihood_ratio(counts, self.elo0, self.elo1)
        low, high = self.bounds
        return Verdict.H1 if ratio >= high else Verdict.H0 if ratio <= low else Verdict.OPEN

    def sentence(self, counts: Counts) -> str:
        """What it says, and why."""
        ratio, (low, high) = log_likelihood_ratio(counts, self.elo0, self.elo1), self.bounds
        after = f"after {sum(counts)} pairs"
        match self.verdict(counts):
            case Verdict.H1:
                return (
                    f"H1 accepted (Elo {self.elo1:g} rather than {self.elo0:g}):"
                    f" the ratio {ratio:.2f} reached {high:.2f} {after}"
                )
            case Verdict.H0:
                return (
                    f"H0 accepted (Elo {self.elo0:g} rather than {self.elo1:g}):"
                    f" the ratio {ratio:.2f} reached {low:.2f} {after}"
                )
        return f"undecided: the ratio {ratio:.2f} is between {low:.2f} and {high:.2f} {after}"
