"""The net of a policy (bots/policy.py) in integers, so that every processor gives the same result.

Values are in units of 1 / POLICY_ONE, weights of 1 / WEIGHT, biases of both multiplied. Sums have
64 bits, which no numbers of 32 bits and values up to TOP exceed.
"""

from typing import Final

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, PART, entry
from bots.kernels.net import ONE

POLICY_ONE: Final = 256
BITS: Final = 10
WEIGHT: Final = 1 << BITS
TOP: Final = 128 * POLICY_ONE - 1
"""The greatest value between layers."""


@entry
def log_odds(planes, first, first_bias, others, biases, pool, point, hidden, outcome, pooled, size):
    """The log odds of an attempt at each point, and of a pass, in units of 1 / POLICY_ONE; int64.

    The layers are 3x3 convolutions followed by ReLU, all but the first of them residual; layer
    `pooled` also gets the mean over the board. The log odds of a point are a weighted sum of its
    values; those of a pass come from the means over the board by a hidden layer.

    Args:
        planes: the input, (inputs, points), in units of 1 / ONE; int64.
        first: weights (1, 9, inputs, channels) by neighbour, row by row; int32, as all below.
        first_bias: (1, channels).
        others: weights (layers, 9, channels, channels) of the others.
        biases: (layers, channels).
        pool: weights (channels, channels) of the means, by mean.
        point: weights (channels,).
        hidden: weights (units, channels + 1), the bias last.
        outcome: weights (units + 1,), the bias last.
        pooled: the layer that gets the means, counted from the first.
        size: points per side.
    """
    channels, points = len(point), size * size
    values, before = np.zeros((points, channels), np.int32), np.zeros((points, channels), np.int32)
    more, means = np.zeros(channels, np.int64), np.zeros(channels, np.int64)
    seen = np.zeros((points, len(planes)), np.int32)
    for p in range(points):
        for i in range(len(planes)):
            seen[p, i] = planes[i, p] * (POLICY_ONE // ONE)
    convolve(seen, before, first, first_bias, 0, more, values, size)
    for layer in range(len(others)):
        for o in range(channels):
            more[o] = 0
        for i in range(channels if layer + 1 == pooled else 0):
            mean = mean_of(values, i)
            for o in range(channels):
                more[o] += mean * pool[i, o]
        before, values = values, before
        convolve(before, before, others, biases, layer, more, values, size)
    found = np.zeros(points + 1, np.int64)
    for i in range(channels):
        means[i] = mean_of(values, i)
        for p in range(points):
            found[p] += values[p, i] * point[i]
    found[points] = outcome[-1]
    for unit in range(len(hidden)):
        inner = np.int64(hidden[unit, channels])
        for i in range(channels):
            inner += means[i] * hidden[unit, i]
        found[points] += min(max(inner >> BITS, 0), TOP) * outcome[unit]
    for p in range(points + 1):
        found[p] >>= BITS
    return found


@njit(**INLINE)
def mean_of(values, channel):
    """The mean of a channel over the board, rounded down."""
    total = np.int64(0)
    for p in range(len(values)):
        total += values[p, channel]
    return total // len(values)


@njit(**PART)
def convolve(seen, before, weights, biases, layer, more, values, size):
    """Write `before` plus a layer's output for `seen`, at most TOP, at all points."""
    channels = len(more)
    sums = np.zeros(channels, np.int64)
    for p in range(size * size):
        for o in range(channels):
            sums[o] = biases[layer, o] + more[o]
        for neighbour in range(9):
            row, column = p // size + neighbour // 3 - 1, p % size + neighbour % 3 - 1
            if 0 <= row < size and 0 <= column < size:
                at = row * size + column
                for i in range(seen.shape[1]):
                    value = seen[at, i]
                    if value:
                        for o in range(channels):
                            sums[o] += value * weights[layer, neighbour, i, o]
        for o in range(channels):
            values[p, o] = min(before[p, o] + max(sums[o] >> BITS, 0), TOP)
