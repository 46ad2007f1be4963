"""A small convolutional net over a board, in integers, so that every processor gives the same
result.

Values are in units of 1 / ONE and weights in units of 1 / WEIGHT. No sum may leave 32 bits; that
is a property of the weights, which `bounded` checks.

What a net sees is an array of shape (channels, points).
"""

import itertools
from functools import cache
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import INLINE, entry
from bots.kernels.positions import holds
from bots.kernels.winograd import (
    BLOCK,
    FOURFOLD,
    PARTS,
    PLACES,
    board_length,
    convolve,
    index_of,
    spectrum_length,
    transformed,
)

ONE = 64
WEIGHT_BITS = 10
WEIGHT = 1 << WEIGHT_BITS
TOP = 16 * ONE - 1
"""The greatest value between layers."""
FULL_ODDS = 1 << 22
"""The weight of the likeliest point, so a stone there may be a million times as likely as
elsewhere. With a narrower range, one refused point would raise all unlikely ones, such as the edge.
"""

_LIMIT: Final = 8 * ONE  # log odds beyond count as that
_STEP: Final = 1_090_650_797  # exp(1 / ONE) in units of 2**-30, rounded


@entry
def mark(planes, channels, values, sets):
    """Set channels to values, each at the points of a set; later ones overwrite earlier ones.

    `channels` and `values` are bytes, and `sets` is the bytes (`positions.holds`) of all sets.
    """
    points = planes.shape[1]
    length = (points + 7) // 8
    for i in range(len(channels)):
        for p in range(points):
            if holds(sets, 8 * i * length + p):
                planes[channels[i], p] = values[i]


@entry
def evaluate(planes, channels, pairs, size):
    """The net's output at every point, in units of 1 / ONE; int64.

    Each layer is a 3x3 convolution and keeps what is above zero; the last is a weighted sum.

    Args:
        planes: what the net sees; uint32.
        channels: of each layer, the first being the inputs; int64.
        pairs: the net's numbers as `paired` gives them.
        size: points per side.
    """
    widest = channels[0]
    for layer in range(1, len(channels)):
        widest = max(widest, channels[layer])
    length, most = PLACES * board_length(size), blocks_of(widest) * BLOCK // 2
    values = np.zeros(most * length, np.uint32)
    points = np.zeros(length, np.uint32)
    for p in range(size * size):
        to = index_of(p, size)
        points[to] = 0xFFFFFFFF
        for i in range(channels[0]):
            values[(i >> 1) * length + to] |= planes[i, p] << 16 * (i & 1)
    spectra = np.empty(PARTS * most * spectrum_length(size), np.uint32)
    products = np.empty(PARTS * BLOCK * spectrum_length(size), np.uint32)
    at = np.int64(0)
    for layer in range(1, len(channels)):
        inputs, outputs = (channels[layer - 1] + 1) // 2, blocks_of(channels[layer])
        at = convolve(
            values, spectra, products, points, pairs, at, (inputs, outputs), (WEIGHT_BITS, TOP),
            size,
        )  # fmt: skip
    outputs = np.empty(size * size, np.int64)
    for p in range(size * size):
        total, to = pairs[at], index_of(p, size)
        for i in range((channels[-1] + 1) // 2):
            pair, weights = values[i * length + to], pairs[at + 1 + i]
            total += np.int32(pair & 0xFFFF) * np.int32(np.int16(weights))
            total += np.int32(pair >> 16) * (weights >> 16)
        outputs[p] = total >> WEIGHT_BITS
    return outputs


@njit(**INLINE)
def blocks_of(channels):
    """The number of blocks that this many channels take."""
    return (channels + BLOCK - 1) // BLOCK


def paired(channels: list[int], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """The numbers of a net as the kernel takes them, two inputs' weights in each.

    Args:
        channels: of each layer, the first being the inputs.
        numbers: for each output of each layer its weights, by input and neighbour (row by row),
            and its bias in the unit of a product; of the last sum, by input, and its bias.

    Returns:
        For every `BLOCK` outputs their biases, and by part (`winograd.transformed`) and two inputs
        the weights of the outputs; of the last sum its bias, and its weights by two inputs.
    """
    parts, at = [], 0
    for inputs, outputs in itertools.pairwise(channels):
        count = outputs * (9 * inputs + 1)
        layer = numbers[at : at + count].reshape(outputs, -1)
        padded = np.zeros((-(-outputs // BLOCK) * BLOCK, layer.shape[1]), np.int64)
        padded[:outputs] = layer
        for block in padded.reshape(-1, BLOCK, layer.shape[1]):
            weights = two_by_two(transformed(block[:, :-1].reshape(BLOCK, inputs, 9)))
            parts += [block[:, -1] + WEIGHT // 2, weights.transpose(2, 1, 0).ravel()]
        at += count
    last = numbers[at:].astype(np.int64)
    parts += [last[-1:] + WEIGHT // 2, two_by_two(last[None, :-1, None]).ravel()]
    return np.concatenate(parts).astype(np.int32)


def two_by_two(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Weights (outputs, inputs, parts) with two inputs in each number, filled up by zeros."""
    even = np.pad(weights, ((0, 0), (0, weights.shape[1] % 2), (0, 0)))
    return (even[:, ::2] & 0xFFFF) | even[:, 1::2] << 16


@cache
def odds_table() -> NDArray[np.int64]:
    """exp(x / ONE) for x from -_LIMIT to _LIMIT in units of 2**-28; by integer arithmetic only."""
    up = [1 << 48]
    for _ in range(_LIMIT):
        up.append(up[-1] * _STEP >> 30)
    down = [(1 << 96) // value for value in up[:0:-1]]
    return np.array([value >> 20 for value in (*down, *up)], np.int64)


@entry
def scaled(log_odds, table, points):
    """The weight of each point, in proportion to its odds: 1 to `FULL_ODDS`, which the likeliest of
    a set of points gets.

    `table` has the odds by log odds, those of 0 in its middle, and its ends count for what is
    beyond; int64 all of them.
    """
    middle, likeliest = len(table) // 2, np.int64(1)
    weights = np.empty(len(log_odds), np.int64)
    for p in range(len(log_odds)):
        weights[p] = table[min(max(log_odds[p], -middle), middle) + middle]
        if holds(points, p):
            likeliest = max(likeliest, weights[p])
    for p in range(len(log_odds)):
        weights[p] = in_proportion(weights[p], likeliest)
    return weights


@njit(**INLINE)
def in_proportion(odds, likeliest):
    """A weight in proportion to the odds, `FULL_ODDS` for the likeliest."""
    return min(max(odds * FULL_ODDS // likeliest, 1), FULL_ODDS)


def bounded(channels: list[int], numbers: NDArray[np.int32]) -> bool:
    """True if no sum can exceed 32 bits on any board, and no weight 16, as Winograd has them."""
    at, worst, widest = 0, 0, 0
    for inputs, outputs in itertools.pairwise(channels):
        count = outputs * (9 * inputs + 1)
        layer = numbers[at : at + count].astype(np.int64).reshape(outputs, -1)
        sums = np.abs(layer[:, :-1]).sum(axis=1) * TOP + np.abs(layer[:, -1])
        weights = transformed(layer[:, :-1].reshape(outputs, inputs, 9))
        worst = max(worst, int(sums.max()) + WEIGHT << FOURFOLD)
        widest = max(widest, int(np.abs(weights).max()))
        at += count
    last = np.abs(numbers[at:].astype(np.int64))
    if len(last) != channels[-1] + 1:
        return False
    worst = max(worst, int(last[:-1].sum() * TOP + last[-1]) + WEIGHT)
    return worst < 1 << 31 and max(widest, int(last[:-1].max())) < 1 << 15
