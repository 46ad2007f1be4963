"""Worlds by odds: all hidden stones of a world drawn in one go, by the chances of chances.py.

A world in which a chain has no liberty, or with a stone where the playout's candidate is, is drawn
again. Where so many draws are in vain, it is dealt stone by stone (deal.py).
"""

import numpy as np
from numba import njit

from bots.kernels.breath import STONE
from bots.kernels.chances import BITS, SURE
from bots.kernels.jit import INLINE
from bots.kernels.positions import CELLS, HIDDEN, OPEN, TABLE
from bots.kernels.rows import FIELDS
from bots.kernels.stream import GAMMA, mix
from bots.kernels.vectors import lane_count, lowest_bit

DRAWS = 6


@njit(**INLINE)
def draw_by_odds(rows, random, position, tables, who, left, numbers, drawing):
    """Draw a world of one position in every lane of the mask `drawing`, into STONE.

    `who`, `left` and `numbers` are work space for a number of each lane.
    """
    lanes = lane_count(rows)
    hidden = position[HIDDEN]
    count = 0
    while drawing:
        who[count], left[count], numbers[count] = lowest_bit(drawing), hidden, 0
        drawing &= drawing - 1
        count += 1
    at = position[TABLE]
    for i in range(position[OPEN]):
        cell = position[CELLS + i]
        to = ((cell >> 5) + 1) * FIELDS * lanes + STONE * lanes
        column = cell & 31
        for j in range(count):
            if i & 3 == 0:  # a number lasts for four cells
                random[lanes + who[j]] += GAMMA
                numbers[j] = mix(random[lanes + who[j]])
            stone = np.int64((numbers[j] & (SURE - 1)) < tables[at + left[j]])
            numbers[j] >>= BITS
            left[j] -= stone
            rows[to + who[j]] |= stone << column
        at += hidden + 1
