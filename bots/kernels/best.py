"""The best candidate of those played out."""

import numpy as np
from numba import njit

from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.stream import GAMMA, below, mix


@njit(**ENTRY)
def best_candidate(counts, key):
    """The candidate with the greatest share of wins; ties go to the greater mean margin, then to
    the random stream of `key`.

    `counts` is of shape (3, candidates), int64: playouts, those won, and the sums of margins.
    """
    visits, wins, margins = counts[0], counts[1], counts[2]
    tied = np.zeros(len(visits), np.int64)
    count = 1
    for i in range(1, len(visits)):
        j = tied[0]
        order = compare(wins[i], max(visits[i], 1), wins[j], max(visits[j], 1))
        if order == 0 and visits[i] and visits[j]:
            order = compare(margins[i], visits[i], margins[j], visits[j])
        if order > 0:
            count = 0
        if order >= 0:
            tied[count] = i
            count += 1
    return tied[below(mix(key + GAMMA), count)]


@njit(**INLINE)
def compare(a, m, b, n):
    """1, 0 or -1 as a / m is greater than, equal to or less than b / n; m and n below 2**31.

    Whole numbers tell it, so that no rounding decides; the cross products of what the divisions
    leave fit in 64 bits, those of margins might not.
    """
    left, right = a // m, b // n
    if left == right:
        left, right = a % m * n, b % n * m
    return np.int64(left > right) - np.int64(left < right)
