"""The chance of a stone on each point, given the stones left for it and those after it.

Each open point i holds a stone or not, with odds w_i, given how many stones there are: a world is
as likely as the product of its stones' odds (conditional Bernoulli sampling: Chen, Dempster & Liu,
Weighted finite population sampling to maximize entropy, 1994). Point after point, with k stones
left for the points from i on, point i gets one with a chance of w_i / (w_i + r(i + 1, k)); r(i, k)
is the ratio of the elementary symmetric sums e_k and e_{k-1} of the odds from i on.
"""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.vectors import PERMUTED, look_up, select

BITS = 16
SURE = 1 << BITS  # a chance of 1, stored as 0: every remaining cell gets a stone


@njit(**INLINE)
def row_length(hidden):
    """Numbers in a row of the table, which registers take whole: for 0 to `hidden` stones left."""
    return (hidden // PERMUTED + 1) * PERMUTED


@njit(**INLINE)
def fill_chances(table, position, weights, cells, count, hidden):
    """Write the chances by cell and number of stones left, in units of 1 / SURE.

    Only sums, products and quotients of doubles, which every processor rounds alike.

    Args:
        table: uint16, `row_length` for each cell; where more stones are left than cells nothing
            is written, as nobody looks there.
        position: int64 numbers.
        weights: where the odds of every cell begin among them.
        cells: where the cells in question begin, in order.
        count: how many these are.
        hidden: stones for all of them.
    """
    ratios = np.empty(hidden + 1)  # r(i + 1, k)
    for k in range(hidden + 1):
        ratios[k] = 0.0
    for i in range(count - 1, -1, -1):
        odds = np.float64(position[weights + position[cells + i]])
        before = 0.0  # r(i + 1, k - 1)
        at = i * row_length(hidden)
        table[at] = 0
        for k in range(1, min(hidden, count - i) + 1):
            ratio = ratios[k]
            table[at + k] = np.int64(SURE * (odds / (odds + ratio)))
            ratios[k] = (ratio + odds) / (1.0 + odds / before) if k > 1 else ratio + odds
            before = ratio


@njit(**INLINE)
def chances_of(table, at, left, hidden):
    """The chances in the row that begins `at`, for as many stones left as each lane says."""
    found = left
    for first in range(0, hidden + 1, PERMUTED):
        found = select(left >= first, look_up(table, at + first, left - first), found)
    return found
