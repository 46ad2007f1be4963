"""Folded candidates and the candidate evaluator's estimates: bots/fold.py and bots/evaluator.py."""

import numpy as np
from numba import carray, njit

from bots.kernels.evaluator import ALL, SCALE, WEIGHT, add_results
from bots.kernels.jit import INLINE, PART
from bots.kernels.net import ONE, evaluate
from bots.kernels.positions import WEIGHTED
from bots.kernels.stream import mix
from phantomgo.lab.lockstep.kernels.desk import (
    CANDIDATES_AT,
    CHANNELS,
    LOG_ODDS_AT,
    ONTO_AT,
    SHARES_AT,
    net_of,
    of_points,
    planes_of,
    position_at,
)
from phantomgo.lab.lockstep.kernels.guess import see
from phantomgo.lab.lockstep.kernels.layout import COUNT, KEEPING, KEY, TRUST, words_of
from phantomgo.lab.lockstep.kernels.turning import image

OPEN = 3
"""The plane of points that are open to hidden stones."""


@njit(**PART)
def fold_candidates(desk, g, w, side, size):
    """Write each candidate's representative; return how many candidates represent themselves."""
    view = words_of(w, side)
    candidates = of_points(desk, CANDIDATES_AT, 2 * g, size)
    onto = of_points(desk, ONTO_AT, g, size)
    index = np.full(size * size, -1)
    for i in range(w[COUNT]):
        index[candidates[i]] = i
    ones = 0
    for i in range(w[COUNT]):
        best, least = i, np.uint64(mix(w[KEY] ^ (candidates[i] + 1)))
        for symmetry in range(1, 8):
            q = image(candidates[i], symmetry, size)
            if view[KEEPING] >> symmetry & 1 and index[q] >= 0:
                drawn = np.uint64(mix(w[KEY] ^ (q + 1)))
                if drawn < least:
                    best, least = index[q], drawn
        onto[i] = best
        ones += best == i
    return ones


@njit(**PART)
def fold_counts(onto, count, candidates, counts, amaf_counts):
    """Add the results of each candidate to those of its representative."""
    for i in range(count):
        to = onto[i]
        if to != i:
            for row in range(3):
                counts[row, to] += counts[row, i]
                counts[row, i] = 0
            for row in range(2):
                if amaf_counts.shape[1]:
                    amaf_counts[row, candidates[to]] += amaf_counts[row, candidates[i]]
                    amaf_counts[row, candidates[i]] = 0


@njit(**PART)
def rate(desk, g, w, s, side, counts, amaf_counts, size):
    """Write the evaluator's estimates of the candidates, given the first round."""
    candidates = carray(of_points(desk, CANDIDATES_AT, 2 * g, size), (w[COUNT],))
    known = size * size if position_at(desk, g)[WEIGHTED] else 0
    log_odds = carray(of_points(desk, LOG_ODDS_AT, g, size), (known,))
    shares = of_points(desk, SHARES_AT, g, size)
    channels, pairs = net_of(desk, side, 1)
    planes = planes_of(desk, desk[CHANNELS])
    see(planes, w, s, side, size)
    add_results(planes, OPEN, log_odds, candidates, counts, amaf_counts)
    better = evaluate(planes, channels, pairs, size)
    playouts, wins = 0, 0
    for i in range(w[COUNT]):
        playouts += counts[0, i]
        wins += counts[1, i]
    for i in range(w[COUNT]):
        shares[i] = ALL * wins // playouts + ALL * better[candidates[i]] // (ONE * SCALE)


@njit(**PART)
def mean_of_images(onto, count, shares):
    """Give each representative the mean share of its images."""
    totals, numbers = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for i in range(count):
        totals[onto[i]] += shares[i]
        numbers[onto[i]] += 1
    for i in range(count):
        shares[i] = totals[i] // max(numbers[i], 1)


@njit(**INLINE)
def with_estimates(counts, shares, bot):
    """The results of the candidates plus the evaluator's estimates, as playouts."""
    # A part of an array, as `counts` is: `best_of` is then compiled for one type.
    also = np.zeros((3, counts.shape[1] + 1), np.int64)[:, :-1]
    for i in range(counts.shape[1]):
        weight = bot[TRUST] if bot[TRUST] else WEIGHT + counts[0, i]
        also[0, i] = counts[0, i] + weight
        also[1, i] = counts[1, i] + weight * shares[i] // ALL
        also[2, i] = counts[2, i]
    return also
