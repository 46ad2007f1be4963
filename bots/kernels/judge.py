"""The candidate evaluator's input, integer planes from a search's first round (bots/judge.py)."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, entry
from bots.kernels.net import ONE

ODDS, CANDIDATE, VISITS, SHARE, AMAF, AMAF_VISITS, MEAN, ADDED = range(8)
"""The channels that are written, in this order, and how many there are."""
FEW = 32
"""So many playouts of a candidate fill half of what its plane can tell."""
WEIGHT = 1024
"""Playouts of its own that a candidate is given by what the net says of it, besides those it has
had."""
ALL = 1 << 16
"""The share of those who win always."""
SCALE = 32
"""The net says by how much a candidate is better than the mean, times this."""


@entry
def show(planes, opened, odds, points, counts, amaf_counts):
    """Write the last `ADDED` channels, all zeros before, in units of 1 / ONE.

    Args:
        planes: what the net sees.
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
    """By how much one share is greater than another, times `scale`; 2 * ONE is not at all."""
    difference = scale * won // of - scale * wins // playouts
    return bounded(difference + 2 * ONE, 4 * ONE)


@njit(**INLINE)
def bounded(value, top):
    """The value, or 0 or `top` if it is beyond."""
    return min(max(value, 0), top)
