"""The best candidates after their playouts."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, entry
from bots.kernels.stream import GAMMA, below, mix


@entry
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


@entry
def best_of(left, points, counts, amaf_counts, amaf, kept, key):
    """Some candidates, the best one first, int64.

    The value of a candidate is its share of wins, corrected by all moves as first; ties go to the
    greater mean margin, then to the random stream.

    Args:
        left: the candidates in question, as indices into `points`, int64.
        points: all candidates, int64.
        counts: for each the playouts, those won, and the sum of margins, as `play_out` counts them.
        amaf_counts: by point, as `play_out` counts them; of shape (2, 0) where they are not.
        amaf: how many of a candidate's own playouts all moves as first count for.
        kept: how many to return.
        key: the random stream.
    """
    ranks = np.empty((len(left), 3))
    for i in range(len(left)):
        visits = counts[0, left[i]]
        value = counts[1, left[i]] / visits
        if amaf_counts.shape[1]:
            also, won = amaf_counts[0, points[left[i]]], amaf_counts[1, points[left[i]]]
            extra = amaf if also else 0
            value = (visits * value + extra * (won / max(also, 1))) / (visits + extra)
        ranks[i, 0], ranks[i, 1] = value, counts[2, left[i]] / visits
        ranks[i, 2] = below(mix(key + (i + 1) * GAMMA), 1 << 32)
    best = np.empty(kept, np.int64)
    for k in range(kept):
        top = 0
        for i in range(1, len(left)):
            if ahead(ranks, i, top):
                top = i
        best[k] = left[top]
        ranks[top, 0] = -np.inf
    return best


@njit(**INLINE)
def ahead(ranks, i, j):
    """True if row i is greater than row j in lexicographic order, of three numbers each."""
    for k in range(3):
        if ranks[i, k] != ranks[j, k]:
            return ranks[i, k] > ranks[j, k]
    return False


@njit(**INLINE)
def compare(a, m, b, n):
    """1, 0 or -1 as a / m is greater than, equal to or less than b / n; m and n below 2**31.

    Integers decide, so that rounding can't. Cross products of the remainders fit in 64 bits; those
    of margins might not.
    """
    left, right = a // m, b // n
    if left == right:
        left, right = a % m * n, b % n * m
    return np.int64(left > right) - np.int64(left < right)
