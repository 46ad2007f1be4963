"""The planes of the candidate evaluator's input that a search adds, in integers."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, entry
from bots.kernels.net import ONE

ODDS, CANDIDATE, VISITS, SHARE, AMAF, AMAF_VISITS, MEAN, ADDED = range(8)
"""The channels that are written, in this order, and how many there are."""
FEW = 32
"""The playouts of a candidate at which its plane of visits is one half."""
WEIGHT = 1024
"""The playouts that an estimate counts as, in addition to those that the candidate has had."""
ALL = 1 << 16
"""The share of a candidate that won all its playouts."""
SCALE = 32
"""The net's output is this many times the amount by which a candidate is better than the mean."""


@entry
def add_results(planes, opened, odds, points, counts, amaf_counts):
    """Write the last `ADDED` channels, all zeros before, in units of 1 / ONE.

    Args:
        planes: the input of the net.
        opened: its channel that marks the points open to hidden stones.
        odds: the log odds of a hidden stone by point in units of 1 / ONE, int64; none of them
            if no stones are hidden.
        points: the candidates, int64.
        counts: of each playouts, those won, and the sum of margins; int64.
        amaf_counts: by point, those of all moves as first, and the won ones; int64.
    """
    first = len(planes) - ADDED
    playouts = wins = np.int64(0)  # not a literal, for which `better_by` would be compiled anew
    for i in range(len(points)):
        playouts += counts[0, i]
        wins += counts[1, i]
    for p in range(planes.shape[1]):
        if len(odds) and planes[opened, p]:
            planes[first + ODDS, p] = bounded(odds[p] + 8 * ONE, 16 * ONE) // 8
        planes[first + MEAN, p] = ONE * wins // playouts
        also = amaf_counts[0, p]
        planes[first + AMAF_VISITS, p] = ONE * also // playouts
        if also:
            planes[first + AMAF, p] = better_by(amaf_counts[1, p], also, wins, playouts, 16 * ONE)
    for i in range(len(points)):
        p, visits = points[i], counts[0, i]
        planes[first + CANDIDATE, p] = ONE
        planes[first + VISITS, p] = ONE * visits // (visits + FEW)
        planes[first + SHARE, p] = better_by(counts[1, i], visits, wins, playouts, 8 * ONE)


@njit(**INLINE)
def better_by(won, of, wins, playouts, scale):
    """By how much one share is greater than another, times `scale`; 2 * ONE if they are equal."""
    difference = scale * won // of - scale * wins // playouts
    return bounded(difference + 2 * ONE, 4 * ONE)


@njit(**INLINE)
def bounded(value, top):
    """The value, or 0 or `top` if it is beyond."""
    return min(max(value, 0), top)
