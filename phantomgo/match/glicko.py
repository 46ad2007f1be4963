"""Ratings that follow results, with their uncertainty: Glicko-2.

After Mark Glickman, "Example of the Glicko-2 system" (2013), whose steps the comments number.
Fitting all games of a match at once (rating.py) is a better estimate for players who don't change;
Glicko-2 tracks people who do.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

SCALE: Final = 173.7178
"""Rating points in a unit of the system's own scale."""
MIDDLE: Final = 1500.0
"""The rating of a new player."""
UNKNOWN: Final = 350.0
"""The deviation of a new player, which is the maximum."""
CHANGE: Final = 0.5
"""The system constant tau, which limits how fast a volatility changes."""
EXACT: Final = 1e-6


class Rating(NamedTuple):
    """An estimate of a player's strength.

    Attributes:
        value: the rating.
        deviation: its standard deviation.
        volatility: how much the strength is expected to change in a period.
    """

    value: float = MIDDLE
    deviation: float = UNKNOWN
    volatility: float = 0.06

    def after(self, games: Sequence[tuple["Rating", float]]) -> "Rating":
        """Return the rating after a period, given each opponent's rating and one's own score."""
        phi, mu = self.deviation / SCALE, (self.value - MIDDLE) / SCALE  # step 2
        if not games:
            return self._replace(deviation=min(SCALE * math.hypot(phi, self.volatility), UNKNOWN))
        information = gain = 0.0  # steps 3 and 4
        for opponent, score in games:
            weight = _weight(opponent.deviation / SCALE)
            expected = 1 / (1 + math.exp(weight * ((opponent.value - MIDDLE) / SCALE - mu)))
            information += weight**2 * expected * (1 - expected)
            gain += weight * (score - expected)
        variance = 1 / information
        volatility = _volatility(phi, self.volatility, variance, variance * gain)
        before = math.hypot(phi, volatility)  # step 6
        new = 1 / math.sqrt(1 / before**2 + information)  # step 7
        value = MIDDLE + SCALE * (mu + new**2 * gain)
        return Rating(value, min(SCALE * new, UNKNOWN), volatility)


def _weight(phi: float) -> float:
    """Glickman's g: the weight of a result against an opponent of this deviation."""
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Step 5: the new volatility, by the Illinois algorithm."""
    start = math.log(sigma**2)

    def slope(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / CHANGE**2

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high = start - CHANGE
        while slope(high) < 0:
            high -= CHANGE
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > EXACT:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
