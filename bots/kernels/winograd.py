"""A layer of a net by Winograd's convolution: 16 products for four points in place of 36.

Winograd, Arithmetic complexity of computations (1980); Lavin & Gray, Fast algorithms for
convolutional neural networks (2016), whose F(2x2, 3x3) this is. A board is divided into tiles of
2x2 points. Sums and differences of the 4x4 values in and around a tile are multiplied by those of a
kernel's weights, and sums and differences of the products are the results. All of it is exact, as
the transformed weights are doubled along both axes and so have no fractions: the results are four
times the sums.

Channels come in pairs, one in the low half of each number and the next in the high half. A pair is
stored as four boards of tiles, one for each place in a tile (`PLACES`), row by row with a zero
after each row and a row of zeros above and below.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import INLINE, PART, register_bytes
from bots.kernels.vectors import add_products, beyond, halves, load_register, pointer, select, store

LANES = register_bytes() // 4
"""Tiles in a vector."""
BLOCK = 8
"""Outputs computed together; the channels of a layer are padded with zeros to a multiple of it."""
PLACES = 4
"""The points of a tile: above left, above right, below left, below right."""
PARTS = 16
"""Products for a tile."""
FOURFOLD = 2
"""Results are shifted left by this many bits."""


@njit(**INLINE)
def across(size):
    """Tiles in a row."""
    return (size + 1) // 2


@njit(**INLINE)
def tile_at(row, column, size):
    """The index of a tile in a board of tiles."""
    return (row + 1) * (across(size) + 1) + column + 1


@njit(**INLINE)
def board_length(size):
    """Numbers in a board of tiles, including those that a vector may reach."""
    return tile_at(across(size) + 1, across(size), size) + LANES


@njit(**INLINE)
def index_of(p, size):
    """The index of a point in a pair of channels."""
    row, column = p // size, p % size
    board = row % 2 * 2 + column % 2
    return board * board_length(size) + tile_at(row // 2, column // 2, size)


@njit(**INLINE)
def spectrum_length(size):
    """Numbers of one part of a pair of channels: one for each tile, and what a vector may reach."""
    tiles = across(size) * across(size)
    return tiles + LANES + -tiles % LANES


@njit(**PART)
def convolve(values, spectra, products, points, numbers, at, layer, units, size):
    """Replace the values of a layer by those of the next one; return where the layer after it
    begins in the numbers.

    Args:
        values: pairs of channels, uint32.
        spectra: room for `PARTS` parts of all pairs, uint32.
        products: room for `PARTS` parts of `BLOCK` channels, uint32.
        points: a pair of channels in which the points of the board have all bits set, uint32.
        numbers: the net's numbers, int32.
        at: where those of this layer begin: of each `BLOCK` outputs the biases, and the transformed
            weights by part and pair.
        layer: the number of pairs that come in, and of blocks that go out.
        units: the bits by which sums are shifted right, and the greatest value that is kept.
        size: points per side.
    """
    inputs, outputs = layer
    for pair in range(inputs):
        transform(values, spectra, pair, inputs, size)
    for block in range(outputs):
        multiply(spectra, products, numbers, at + BLOCK, inputs, size)
        for output in range(0, BLOCK, 2):
            pair = (block * BLOCK + output) // 2
            finish(values, products, points, numbers, at + output, pair, output, units, size)
        at += BLOCK * (1 + PARTS * inputs)
    return at


@njit(**INLINE)
def transform(values, spectra, pair, inputs, size):
    """Write the parts of a pair of channels at every tile."""
    source, target = halves(pointer(values)), halves(pointer(spectra))
    tiles, length, stride = across(size), board_length(size), spectrum_length(size)
    below = 4 * length  # from a place to the one below it
    for row in range(tiles):
        for column in range(0, tiles, LANES):
            at = 2 * (PLACES * length * pair + tile_at(row, column, size))
            a, b, c, d = row_parts(source, at + below - 2 * (tiles + 1), length)
            e, f, g, h = row_parts(source, at, length)
            i, j, k, m = row_parts(source, at + below, length)
            n, o, p, q = row_parts(source, at + 2 * (tiles + 1), length)
            to, step = 2 * (pair * stride + row * tiles + column), 2 * inputs * stride
            put(target, to, step, combined(a, e, i, n))
            put(target, to + step, step, combined(b, f, j, o))
            put(target, to + 2 * step, step, combined(c, g, k, p))
            put(target, to + 3 * step, step, combined(d, h, m, q))


@njit(**INLINE)
def row_parts(source, at, length):
    """`combined` of four values in a row, of which the second is the tile's left one at `at`."""
    left, right = load_register(source, at + 2 * length - 2), load_register(source, at + 2)
    return combined(left, load_register(source, at), load_register(source, at + 2 * length), right)


@njit(**INLINE)
def combined(a, b, c, d):
    """The transform of four values."""
    return a - c, b + c, c - b, b - d


@njit(**INLINE)
def put(target, to, step, parts):
    """Write the parts of a column, which are four steps apart."""
    a, b, c, d = parts
    store(beyond(target, to), 0, a)
    store(beyond(target, to + 4 * step), 0, b)
    store(beyond(target, to + 8 * step), 0, c)
    store(beyond(target, to + 12 * step), 0, d)


@njit(**INLINE)
def multiply(spectra, products, numbers, first, inputs, size):
    """Write the parts of `BLOCK` outputs at every tile, summed over the inputs.

    `first` is where their weights begin.
    """
    source, target, weights = pointer(spectra), pointer(products), pointer(numbers)
    stride = spectrum_length(size)
    for part in range(PARTS):
        for tile in range(0, stride - LANES, LANES):
            seen = load_register(source, tile)
            zero = seen ^ seen
            a, b, c, d, e, f, g, h = zero, zero, zero, zero, zero, zero, zero, zero
            w = first + BLOCK * part * inputs
            for pair in range(inputs):
                seen = load_register(source, (part * inputs + pair) * stride + tile)
                a = add_products(a, seen, weights[w])
                b = add_products(b, seen, weights[w + 1])
                c = add_products(c, seen, weights[w + 2])
                d = add_products(d, seen, weights[w + 3])
                e = add_products(e, seen, weights[w + 4])
                f = add_products(f, seen, weights[w + 5])
                g = add_products(g, seen, weights[w + 6])
                h = add_products(h, seen, weights[w + 7])
                w += BLOCK
            to = BLOCK * part * stride + tile
            store(beyond(target, to), 0, a)
            store(beyond(target, to + stride), 0, b)
            store(beyond(target, to + 2 * stride), 0, c)
            store(beyond(target, to + 3 * stride), 0, d)
            store(beyond(target, to + 4 * stride), 0, e)
            store(beyond(target, to + 5 * stride), 0, f)
            store(beyond(target, to + 6 * stride), 0, g)
            store(beyond(target, to + 7 * stride), 0, h)


@njit(**INLINE)
def finish(values, products, points, numbers, bias, pair, output, units, size):
    """Write a pair of channels from the parts of two outputs; `bias` is where their biases are."""
    target, there, source = pointer(values), pointer(points), pointer(products)
    tiles, length, stride = across(size), board_length(size), spectrum_length(size)
    for row in range(tiles):
        for column in range(0, tiles, LANES):
            begin = output * stride + row * tiles + column
            a, b, c, d = sums(source, begin, BLOCK * stride, numbers[bias])
            e, f, g, h = sums(source, begin + stride, BLOCK * stride, numbers[bias + 1])
            tile = tile_at(row, column, size)
            to = PLACES * length * pair + tile
            keep(target, to, there, tile, a, e, units)
            keep(target, to + length, there, tile + length, b, f, units)
            keep(target, to + 2 * length, there, tile + 2 * length, c, g, units)
            keep(target, to + 3 * length, there, tile + 3 * length, d, h, units)


@njit(**INLINE)
def sums(source, begin, step, bias):
    """The results of an output at the four places of tiles, from its parts, fourfold."""
    a, b = pair_of(source, begin, step)
    c, d = pair_of(source, begin + 4 * step, step)
    e, f = pair_of(source, begin + 8 * step, step)
    g, h = pair_of(source, begin + 12 * step, step)
    more = bias << FOURFOLD
    return a + c + e + more, b + d + f + more, c - e - g + more, d - f - h + more


@njit(**INLINE)
def pair_of(source, at, step):
    """Of four parts in a row the two results."""
    a, b = load_register(source, at), load_register(source, at + step)
    c, d = load_register(source, at + 2 * step), load_register(source, at + 3 * step)
    return a + b + c, b - c - d


@njit(**INLINE)
def keep(target, to, there, at, low, high, units):
    """Write two outputs at a place of tiles, zero where the board has no point."""
    pairs = cut(low, units) | cut(high, units) << 16
    store(beyond(target, to), 0, pairs & load_register(there, at))


@njit(**INLINE)
def cut(total, units):
    """Sums as values: nothing below zero, and the greatest value at the most."""
    bits, top = units
    value = select(total < 1 << 31, total >> (bits + FOURFOLD), total ^ total)
    return select(value < top, value, (total ^ total) + top)


def transformed(kernels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Kernels of 3x3 weights, shape (..., 9), as the weights of the parts, shape (..., 16)."""
    along = np.array([[2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]])
    weights: NDArray[np.int64] = along @ kernels.reshape(*kernels.shape[:-1], 3, 3) @ along.T
    return weights.reshape(*kernels.shape[:-1], PARTS)
