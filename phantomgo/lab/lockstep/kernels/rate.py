"""Candidates that count as one, and a judge's word on each: bots/fold.py and bots/judge.py."""

import numpy as np
from numba import njit

from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.judge import ALL, SCALE, WEIGHT, show
from bots.kernels.net import VALUE, evaluate
from bots.kernels.positions import WEIGHTED
from bots.kernels.stream import mix
from phantomgo.lab.lockstep.kernels.guess import see
from phantomgo.lab.lockstep.kernels.layout import COUNT, KEEPING, KEY, TRUST, words_of
from phantomgo.lab.lockstep.kernels.turning import image

OPEN = 3
"""The plane of points that are open to hidden stones."""


@njit(**ENTRY)
def fold_candidates(desk, g, w, side, size):
    """Write for each candidate the one that stands for it; return how many stand for themselves."""
    points, view = size * size, words_of(w, side)
    candidates = desk.candidates[2 * g * points : (2 * g + 1) * points]
    onto = desk.onto[g * points : (g + 1) * points]
    index = np.full(points, -1)
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


@njit(**ENTRY)
def fold_counts(onto, candidates, counts, amaf_counts):
    """Add the results of each candidate to those of the one that stands for it."""
    for i in range(len(onto)):
        to = onto[i]
        if to != i:
            for row in range(3):
                counts[row, to] += counts[row, i]
                counts[row, i] = 0
            for row in range(2):
                if amaf_counts.shape[1]:
                    amaf_counts[row, candidates[to]] += amaf_counts[row, candidates[i]]
                    amaf_counts[row, candidates[i]] = 0


@njit(**ENTRY)
def rate(desk, g, w, s, side, counts, amaf_counts, size):
    """Write the judge's shares of the candidates, given the first round."""
    points = size * size
    candidates = desk.candidates[2 * g * points : 2 * g * points + w[COUNT]]
    channels = desk.white_judge_channels if side else desk.black_judge_channels
    pairs = desk.white_judge_pairs if side else desk.black_judge_pairs
    known = g * points + (points if desk.positions[g, WEIGHTED] else 0)
    see(desk.planes, w, s, side, size)
    show(desk.planes, OPEN, desk.said[g * points : known], candidates, counts, amaf_counts, size)
    said = evaluate(desk.planes, channels, pairs, size)
    playouts, wins = 0, 0
    for i in range(w[COUNT]):
        playouts += counts[0, i]
        wins += counts[1, i]
    for i in range(w[COUNT]):
        better = ALL * said[candidates[i]] // (VALUE * SCALE)
        desk.shares[g * points + i] = ALL * wins // playouts + better


@njit(**ENTRY)
def mean_of_images(onto, shares):
    """Let those that stand for others have the mean of the shares."""
    totals, numbers = np.zeros(len(onto), np.int64), np.zeros(len(onto), np.int64)
    for i in range(len(onto)):
        totals[onto[i]] += shares[i]
        numbers[onto[i]] += 1
    for i in range(len(onto)):
        shares[i] = totals[i] // max(numbers[i], 1)


@njit(**INLINE)
def with_word(counts, shares, bot):
    """The results of the candidates and the judge's word on them, as playouts."""
    also = np.zeros((3, len(shares) + 1), np.int64)[:, :-1]
    for i in range(len(shares)):
        weight = bot[TRUST] if bot[TRUST] else WEIGHT + counts[0, i]
        also[0, i] = counts[0, i] + weight
        also[1, i] = counts[1, i] + weight * shares[i] // ALL
        also[2, i] = counts[2, i]
    return also
