"""A small convolutional net over a board, in integers, so that every processor gives the same
result.

Values are in units of 1 / VALUE and weights in units of 1 / WEIGHT. No sum may leave 32 bits; that
is a property of the weights, which `bounded` checks.

A channel is a board row by row with a zero after each row, padded with zeros so that a vector may
begin anywhere next to a point of the board.
"""

import itertools
from functools import cache
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.positions import holds
from bots.kernels.vectors import (
    VECTOR_BYTES,
    add_products,
    everywhere,
    lane_count,
    load,
    pointer,
    select,
    store,
)

VALUE = 64
WEIGHT_BITS = 10
WEIGHT = 1 << WEIGHT_BITS
TOP = 16 * VALUE - 1
"""The greatest value between layers."""
BLOCK = 4
"""Outputs made side by side; there are so many channels, or zeros fill them up."""
FULL_ODDS = 1 << 22
"""The weight of the likeliest point, so a stone there may be a million times as likely as
elsewhere. With a narrower range, one refused point would raise all unlikely ones, such as the edge.
"""

_LIMIT: Final = 8 * VALUE  # log odds beyond count as that
_STEP: Final = 1_090_650_797  # exp(1 / VALUE) in units of 2**-30, rounded


def blank(channels: int, size: int) -> NDArray[np.uint32]:
    """The channels of a board of zeros; `inside` has its points."""
    width, step = size + 1, VECTOR_BYTES // 4
    span = (size - 1) * width + size  # from the first point to the last
    room = -(-span // step) * step + 2 * (width + 1)
    return np.zeros((channels, room), np.uint32)


def inside(board: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """The points of every channel, a view of shape (channels, size, size)."""
    width = size + 1
    start = width + 1
    return board[:, start : start + size * width].reshape(-1, size, width)[:, :, :-1]


@njit(**INLINE)
def place(p, size):
    """The index of a point in a channel."""
    return (p // size + 1) * (size + 1) + p % size + 1


@njit(**ENTRY)
def mark(board, channels, values, sets, size):
    """Set channels to values, each at the points of a set; later ones overwrite earlier ones.

    `channels` and `values` are bytes, and `sets` is the bytes (`positions.holds`) of all sets.
    """
    length = (size * size + 7) // 8
    for i in range(len(channels)):
        for p in range(size * size):
            if holds(sets, 8 * i * length + p):
                board[channels[i], place(p, size)] = values[i]


@njit(**ENTRY)
def evaluate(planes, channels, pairs, size):
    """The net's output at every point, in units of 1 / VALUE; int64.

    Each layer is a 3x3 convolution and keeps what is above zero; the last is a weighted sum.

    Args:
        planes: what the net sees, a board of `blank`; the first channel marks the points.
        channels: of each layer, the first being the inputs; int64.
        pairs: the net's numbers as `paired` gives them.
        size: points per side.
    """
    values, at = joined(planes), np.int64(0)  # a literal 0 would have `convolve` compiled twice
    for layer in range(1, len(channels)):
        values, at = convolve(values, planes, pairs, at, channels[layer], size)
    room = values.shape[1]
    source = pointer(values)
    result = np.zeros((1, room), np.uint32)
    for q in range(place(0, size), room - place(0, size), lane_count(source)):
        total = everywhere(source, pairs[at])
        for i in range(len(values)):
            total = add_products(total, load(source, i * room + q), pairs[at + 1 + i])
        store(pointer(result), q, total)
    outputs = np.empty(size * size, np.int64)
    for p in range(size * size):
        outputs[p] = np.int32(result[0, place(p, size)]) >> WEIGHT_BITS
    return outputs


@njit(**INLINE)
def joined(planes):
    """Channels two by two: one in the low half of each number, the next in the high half."""
    blocks = (len(planes) + BLOCK - 1) // BLOCK
    result = np.zeros((blocks * BLOCK // 2, planes.shape[1]), np.uint32)
    for i in range(len(planes)):
        for q in range(planes.shape[1]):
            result[i >> 1, q] |= planes[i, q] << 16 * (i & 1)
    return result


@njit(**INLINE)
def convolve(values, planes, pairs, at, outputs, size):
    """One layer, its numbers from `at` on; return its values and where the next one's begin.

    Four outputs are made at a time from a vector of values: loading takes longer than summing.
    """
    inputs, room = values.shape
    width, lanes = size + 1, lane_count(pointer(values))
    blocks = (outputs + BLOCK - 1) // BLOCK
    result = np.zeros((blocks * BLOCK // 2, room), np.uint32)
    board, source, target = pointer(planes), pointer(values), pointer(result)
    numbers = pointer(pairs)
    for k in range(blocks):
        for q in range(place(0, size), room - place(0, size), lanes):
            a, b = everywhere(source, numbers[at]), everywhere(source, numbers[at + 1])
            c, d = everywhere(source, numbers[at + 2]), everywhere(source, numbers[at + 3])
            n = at + BLOCK
            for i in range(inputs):
                for row in range(3):
                    middle = i * room + q + (row - 1) * width
                    for column in range(3):
                        seen = load(source, middle + column - 1)
                        a = add_products(a, seen, numbers[n])
                        b = add_products(b, seen, numbers[n + 1])
                        c = add_products(c, seen, numbers[n + 2])
                        d = add_products(d, seen, numbers[n + 3])
                        n += BLOCK
            there = load(board, q) != 0
            to = 2 * k * room + q
            store(target, to, (cut(a) | cut(b) << 16) & there)
            store(target, to + room, (cut(c) | cut(d) << 16) & there)
        at += BLOCK * (9 * inputs + 1)
    return result, at


@njit(**INLINE)
def cut(total):
    """Sums of products as values: nothing below zero, TOP at the most."""
    value = select(total < 1 << 31, total >> WEIGHT_BITS, total ^ total)
    return select(value < TOP, value, (total ^ total) + TOP)


def paired(channels: list[int], numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """The numbers of a net as the kernel takes them, two inputs' weights in each.

    Args:
        channels: of each layer, the first being the inputs.
        numbers: for each output of each layer its weights, by input and neighbour (row by row),
            and its bias in the unit of a product; of the last sum, by input, and its bias.

    Returns:
        For every four outputs their biases, and by two inputs and neighbour the weights of the
        four; of the last sum its bias, and its weights by two inputs.
    """
    parts, at = [], 0
    for inputs, outputs in itertools.pairwise(channels):
        count = outputs * (9 * inputs + 1)
        layer = numbers[at : at + count].reshape(outputs, -1)
        padded = np.zeros((-(-outputs // BLOCK) * BLOCK, layer.shape[1]), np.int32)
        padded[:outputs] = layer
        for block in padded.reshape(-1, BLOCK, layer.shape[1]):
            weights = two_by_two(block[:, :-1].reshape(BLOCK, inputs, 9))
            parts += [block[:, -1] + WEIGHT // 2, weights.transpose(1, 2, 0).ravel()]
        at += count
    last = numbers[at:]
    parts += [last[-1:] + WEIGHT // 2, two_by_two(last[None, :-1, None]).ravel()]
    return np.concatenate(parts).astype(np.int32)


def two_by_two(weights: NDArray[np.int32]) -> NDArray[np.int32]:
    """Weights (outputs, inputs, neighbours) with two inputs in each number, filled up by zeros."""
    even = np.pad(weights, ((0, 0), (0, -weights.shape[1] % BLOCK), (0, 0)))
    return (even[:, ::2] & 0xFFFF) | even[:, 1::2] << 16


@cache
def odds_table() -> NDArray[np.int64]:
    """exp(x / VALUE) for x from -_LIMIT to _LIMIT in units of 2**-28; by whole numbers alone."""
    up = [1 << 48]
    for _ in range(_LIMIT):
        up.append(up[-1] * _STEP >> 30)
    down = [(1 << 96) // value for value in up[:0:-1]]
    return np.array([value >> 20 for value in (*down, *up)], np.int64)


@njit(**ENTRY)
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
    """True if no sum can exceed 32 bits on any board, and no weight 16."""
    at, worst, widest = 0, 0, 0
    for inputs, outputs in itertools.pairwise(channels):
        count = outputs * (9 * inputs + 1)
        layer = np.abs(numbers[at : at + count].astype(np.int64)).reshape(outputs, -1)
        worst = max(worst, int((layer[:, :-1].sum(axis=1) * TOP + layer[:, -1]).max()))
        widest = max(widest, int(layer[:, :-1].max()))
        at += count
    last = np.abs(numbers[at:].astype(np.int64))
    if len(last) != channels[-1] + 1:
        return False
    worst = max(worst, int(last[:-1].sum() * TOP + last[-1]))
    return worst + WEIGHT < 1 << 31 and max(widest, int(last[:-1].max())) < 1 << 15
