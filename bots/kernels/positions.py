"""Positions to play out, in the kernels' form: each is made once for all its playouts.

A position is int64 numbers: the rows of the stones the searching side knows, the open points where
the hidden ones may stand, and their weights. With it goes the table of probabilities that worlds
are drawn by (chances.py), empty if all open points are equally likely. A cell is 32 * row + column.
"""

from collections.abc import Iterable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.chances import fill_chances, row_length
from bots.kernels.jit import INLINE, entry
from bots.kernels.vectors import pointer

MOST = 19
OWN = 0  # the rows of the searching side's stones
ENEMY = MOST  # the rows of the enemy's stones that it knows or presumes
HIDDEN = 2 * MOST  # how many stones are hidden
OPEN = HIDDEN + 1  # how many points are open
WEIGHTED = HIDDEN + 2  # whether the open points have weights
TABLE = HIDDEN + 3  # where in the tables its chances begin
WHICH = HIDDEN + 4  # of every cell which of the open points it is, or -1
WEIGHTS = WHICH + 32 * MOST  # of every cell its weight
CELLS = WEIGHTS + 32 * MOST  # the cells of the open points
POSITION = CELLS + MOST * MOST  # how many numbers a position has


@njit(**INLINE)
def holds(points, p):
    """True if a point is in a set of points (bytes; bit p % 8 of byte p // 8)."""
    return points[p >> 3] >> (p & 7) & 1


def position_of(
    sets: Iterable[bytes], weights: NDArray[np.int64], hidden: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """A position and its table of chances.

    Args:
        sets: the searching side's stones, the enemy's that it knows or presumes, and the points
            where the hidden ones may stand; bit p % 8 of byte p // 8 is point p.
        weights: the odds of each point, from 1 to 2**22 in any unit; of length 0 where all are
            alike.
        hidden: how many there are.
        size: points per side.

    Returns:
        Of shape (1, POSITION), and as long as need be.
    """
    own, enemy, open_points = sets
    count = int.from_bytes(open_points, "little").bit_count()
    length = count * row_length.py_func(min(hidden, count)) if len(weights) else 0
    positions, table = np.empty((1, POSITION), np.int64), np.empty(length, np.uint16)
    write_position(own, enemy, open_points, weights, hidden, size, positions, table)
    return positions, table


@entry
def write_position(own, enemy, open_points, weights, hidden, size, positions, table):
    """Write what `position_of` returns."""
    position = pointer(positions)
    for r in range(size):
        own_row, enemy_row = 0, 0
        for c in range(size):
            p = r * size + c
            own_row |= holds(own, p) << c
            enemy_row |= holds(enemy, p) << c
            if len(weights):
                position[WEIGHTS + (r << 5 | c)] = weights[p]
        position[OWN + r], position[ENEMY + r] = own_row, enemy_row
    position[WEIGHTED], position[TABLE] = len(weights) > 0, 0
    write_open_cells(position, open_points, hidden, size)
    write_chances(position, table)


@njit(**INLINE)
def write_open_cells(position, open_points, hidden, size):
    """Write down the open points (bytes), and how many stones stand there."""
    count = 0
    for r in range(size):
        for c in range(size):
            cell = r << 5 | c
            position[WHICH + cell] = -1
            if holds(open_points, r * size + c):
                position[WHICH + cell], position[CELLS + count] = count, cell
                count += 1
    position[OPEN], position[HIDDEN] = count, min(hidden, count)


@njit(**INLINE)
def write_chances(position, table):
    """Write the table of chances of a position, if it has weights."""
    if position[WEIGHTED]:
        fill_chances(table, position, WEIGHTS, CELLS, position[OPEN], position[HIDDEN])
