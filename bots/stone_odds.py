"""Where hidden enemy stones probably stand, by a net learned from games of our own players.

A small convolutional net (bots/kernels/net.py) reads the board as one player knows it and says of
every open point how likely a stone is there. It has learned what an opponent's play looks like
around the stones that are known: the middle comes before the edge, stones answer no stone they
cannot see, nobody plays inside a shape that has just refused them. Worlds then draw hidden stones
by the odds. Given what the net says, whether two points are taken is as good as independent
(measured), so stones drawn one by one make likely worlds.

That knowing where the stones are is worth more than anything else is Buron's finding (A Study of
Monte Carlo Methods for Phantom Go, 2013). `phantomgo train stones` trains a net on the games of
matches. All is whole numbers: an attempt is the same on every machine.
"""

from functools import cache
from typing import Final

import numpy as np

from bots.features import planes
from bots.kernels.net import VALUE, evaluate, scaled
from bots.nets import Net
from bots.worlds import UNIFORM, Ints, as_bytes
from phantomgo.view import View

FULL_ODDS: Final = 1 << 22
"""The kernels' odds of the likeliest point: a stone there may be a million times as likely as on
another. With a narrow range, one refused point lifts all that are unlikely, such as the edge."""

_LIMIT: Final = 8 * VALUE  # log odds beyond count as that
_STEP: Final = 1_090_650_797  # exp(1 / VALUE) in units of 2**-30, rounded


def stone_odds(view: View, net: Net) -> Ints:
    """The kernels' odds of a hidden stone on every point, the likeliest one's being `FULL_ODDS`."""
    if not view.hidden or not view.unknown:
        return UNIFORM
    unknown = as_bytes(view.unknown, view.rules.size**2)
    odds: Ints = scaled(log_odds(view, net), odds_table(), unknown, FULL_ODDS)
    return odds


def log_odds(view: View, net: Net) -> Ints:
    """What the net says of every point, in units of 1 / VALUE."""
    said: Ints = evaluate(planes(view, len(net.planes)), net.channels, net.pairs, view.rules.size)
    return said


@cache
def odds_table() -> Ints:
    """exp(x / VALUE) for x from -_LIMIT to _LIMIT in units of 2**-28; by whole numbers alone."""
    up = [1 << 48]
    for _ in range(_LIMIT):
        up.append(up[-1] * _STEP >> 30)
    down = [(1 << 96) // value for value in up[:0:-1]]
    return np.array([value >> 20 for value in (*down, *up)], np.int64)
