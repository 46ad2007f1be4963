"""Determinizations counted: how often a hidden stone is dealt to each point."""

import numpy as np
from numba import njit

from bots.kernels.deal import deal
from bots.kernels.jit import ENTRY
from bots.kernels.odds import chances
from bots.kernels.playouts import lay_out, open_cells, weights_of_cells
from bots.kernels.rows import DEALT, FIELDS, clear
from bots.kernels.vectors import lane_count, pointer


@njit(**ENTRY)
def count_stones(
    work, status, states, pools, size, own, enemy, open_points, weights, hidden, key, boards
):  # fmt: skip
    """Deal so many boards; return how many of them have a hidden stone on each point, int64.

    Board number g is the one that playout g of the same key begins with when its candidate is a
    pass (`playouts.play_out`, where the arguments are explained).
    """
    rows, registers, random = pointer(work), pointer(status), pointer(states)
    pool = pointer(pools)
    lanes = lane_count(rows)
    clear(rows, registers, size)
    enemy_rows = lay_out(rows, own, enemy, size)
    cells, _ = open_cells(open_points, size)
    cell_weights = weights_of_cells(weights, size)
    table = chances(cell_weights, cells, hidden)
    jobs, excluded = np.zeros(boards, np.int64), np.full(1, -1)
    counts = np.zeros(size * size, np.int64)
    for start in range(0, boards, lanes):
        deal(
            rows, registers, random, pool, enemy_rows, cells, cell_weights, table, hidden,
            excluded, jobs, start, key, size,
        )  # fmt: skip
        for lane in range(min(lanes, boards - start)):
            for p in range(size * size):
                r, c = p // size, p % size
                dealt = np.int64(rows[((r + 1) * FIELDS + DEALT) * lanes + lane]) & ~enemy_rows[r]
                counts[p] += dealt >> c & 1
    return counts
