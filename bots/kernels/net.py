"""A small convolutional net over a board, in whole numbers: every processor gives the same.

Values are in units of 1 / VALUE and weights in units of 1 / WEIGHT. No sum may leave 32 bits; that
is a property of the weights, which `bounded` checks.

A channel is a board with an edge of zeros around it, row by row, and so many zeros before and
after that a vector of 16 points may begin anywhere next to a point of the board.
"""

import itertools

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.playouts import holds
from bots.kernels.vectors import everywhere, lane_count, load, pointer, select, store

VALUE = 64
WEIGHT_BITS = 10
WEIGHT = 1 << WEIGHT_BITS
TOP = 16 * VALUE - 1
"""The greatest value between layers."""


def blank(channels: int, size: int) -> NDArray[np.uint32]:
    """The channels of a board of zeros; `inside` has its points."""
    width = size + 2
    lanes = 16
    room = -(-width * width // lanes) * lanes + 2 * (width + 1)
    return np.zeros((channels, room), np.uint32)


def inside(board: NDArray[np.uint32], size: int) -> NDArray[np.uint32]:
    """The points of every channel, a view of shape (channels, size, size)."""
    width = size + 2
    start = width + 1
    return board[:, start : start + width * width].reshape(-1, width, width)[:, 1:-1, 1:-1]


@njit(**ENTRY)
def mark(board, channel, points, value, size):
    """Set a channel to a value at the points of a set, given as bytes (`playouts.holds`)."""
    width = size + 2
    for p in range(size * size):
        if holds(points, p):
            board[channel, (p // size + 2) * width + p % size + 2] = value


@njit(**ENTRY)
def evaluate(planes, channels, numbers, size):
    """The net's output at every point, in units of 1 / VALUE; int64.

    Each layer is a 3x3 convolution and keeps what is above zero; the last is a weighted sum.

    Args:
        planes: what the net sees, from `blank`; the first is VALUE at every point of the board.
        channels: of the planes, then of each layer, int64.
        numbers: int32; for each output of each layer its weights, by input and neighbour (row by
            row), and its bias in the unit of a product; of the last sum, by input, and its bias.
        size: points per side.
    """
    values, at = planes, 0
    for layer in range(1, len(channels)):
        values, at = convolve(values, planes, numbers, at, channels[layer], size)
    width, last = size + 2, len(values)
    outputs = np.zeros(size * size, np.int64)
    for p in range(size * size):
        q = (p // size + 2) * width + p % size + 2
        total = np.int64(numbers[at + last]) + WEIGHT // 2
        for i in range(last):
            total += np.int64(values[i, q]) * numbers[at + i]
        outputs[p] = total >> WEIGHT_BITS
    return outputs


@njit(**INLINE)
def convolve(values, planes, numbers, at, outputs, size):
    """One layer, its numbers from `at` on; return its values and where the next one's begin."""
    inputs, room = values.shape
    width = size + 2
    result = np.zeros((outputs, room), np.uint32)
    board, source, target = pointer(planes), pointer(values), pointer(result)
    lanes = lane_count(source)
    nothing, top = everywhere(source, 0), everywhere(source, TOP)
    for k in range(outputs):
        first = at + k * (9 * inputs + 1)
        for q in range(width + 1, room - width - 1, lanes):
            total = everywhere(source, numbers[first + 9 * inputs] + WEIGHT // 2)
            number = first
            for i in range(inputs):
                for row in (-width, 0, width):
                    for column in (-1, 0, 1):
                        seen = load(source, i * room + q + row + column)
                        total += seen * np.int64(numbers[number])
                        number += 1
            total = select(total < 1 << 31, total >> WEIGHT_BITS, nothing)
            total = select(load(board, q) != 0, select(total < TOP, total, top), nothing)
            store(target, k * room + q, total)
    return result, at + outputs * (9 * inputs + 1)


@njit(**ENTRY)
def scaled(opinion, table, points, top):
    """The weight of each point, in proportion to its odds: 1 to `top`, which the likeliest of a set
    of points gets.

    `table` has the odds of every opinion, the one of 0 in its middle; int64 all of them.
    """
    likeliest = np.int64(1)
    for p in range(len(opinion)):
        if holds(points, p):
            likeliest = max(likeliest, table[opinion[p] + len(table) // 2])
    weights = np.empty(len(opinion), np.int64)
    for p in range(len(opinion)):
        weight = table[opinion[p] + len(table) // 2] * top // likeliest
        weights[p] = min(max(weight, 1), top)
    return weights


def bounded(channels: list[int], numbers: NDArray[np.int32]) -> bool:
    """Whether no sum can leave 32 bits, whatever the board."""
    at, worst = 0, 0
    for inputs, outputs in itertools.pairwise(channels):
        count = outputs * (9 * inputs + 1)
        layer = np.abs(numbers[at : at + count].astype(np.int64)).reshape(outputs, -1)
        worst = max(worst, int((layer[:, :-1].sum(axis=1) * TOP + layer[:, -1]).max()))
        at += count
    return worst + WEIGHT < 1 << 31 and len(numbers) == at + channels[-1] + 1
