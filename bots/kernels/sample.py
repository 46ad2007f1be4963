"""Determinizations counted: how often a hidden stone is dealt to each point."""

import numpy as np
from numba import njit

from bots.kernels import deal
from bots.kernels.jit import ENTRY
from bots.kernels.lanes import fill_pool, holds
from bots.kernels.stream import STREAM, mix


@njit(**ENTRY)
def count_stones(own, enemy, open_points, weights, hidden, size, key, counts):
    """Deal `counts[-1]` boards; add to `counts` how many of them have a stone on each point.

    Board number g is the one that playout g of the same key begins with when its candidate is a
    pass (`lanes.play_out`, where the arguments are explained).

    Args:
        own: the stones of who holds the belief, as bytes.
        enemy: enemy stones known or presumed, as bytes; they are not counted.
        open_points: where the hidden ones may stand, as bytes.
        weights: how likely one stands on each point, int64; of length 0 where all are alike.
        hidden: how many there are.
        size: points per side.
        key: the random stream.
        counts: int64, one for each point and at the end the number of boards.
    """
    points, width = size * size, size + 2
    base_own, base_enemy, board = np.zeros((3, size + 2), np.int64)
    cells, pool = np.zeros((2, points), np.int64)
    cell_weights = np.full(32 * size, deal.EVEN)
    base_parent, base_breath, side = np.zeros((3, width * width), np.int16)
    parent, breath = np.zeros((2, width * width), np.int16)
    count = 0
    for p in range(points):
        r, c = p // size, p % size
        base_own[r + 1] |= holds(own, p) << c
        base_enemy[r + 1] |= holds(enemy, p) << c
        if holds(open_points, p):
            cells[count] = r << 5 | c
            count += 1
        if len(weights):
            cell_weights[r << 5 | c] = weights[p]
    deal.plant(base_parent, base_breath, side, base_own, base_enemy, size)
    for g in range(counts[points]):
        board[:] = base_enemy
        parent[:] = base_parent
        breath[:] = base_breath
        n = fill_pool(pool, cells, count, -1)
        state = mix(key + g * STREAM)
        deal.deal(board, parent, breath, side, pool, n, cell_weights, hidden, state, size)
        for p in range(points):
            counts[p] += (board[p // size + 1] & ~base_enemy[p // size + 1]) >> (p % size) & 1
