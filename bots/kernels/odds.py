"""Worlds by odds: all hidden stones of a world drawn in one go.

Each open point i holds a stone or not, with odds w_i, given how many stones there are: a world is
as likely as the product of its stones' odds (conditional Bernoulli sampling: Chen, Dempster & Liu,
Weighted finite population sampling to maximize entropy, 1994). Point after point, with k stones
left for the points from i on, point i gets one with a chance of w_i / (w_i + r(i + 1, k)); r(i, k)
is the ratio of the elementary symmetric sums e_k and e_{k-1} of the odds from i on.

A world in which a chain has no liberty, or with a stone where the playout's candidate is, is drawn
again. Where so many draws in a row are in vain, it is dealt stone by stone (deal.py).
"""

import numpy as np
from numba import njit

from bots.kernels.breath import STONE, choked, keep
from bots.kernels.jit import INLINE
from bots.kernels.rows import FIELDS, LEFT, NEED
from bots.kernels.stream import GAMMA, mix
from bots.kernels.vectors import lane_count, lanes_set, load, lowest_bit, store

DRAWS = 6
BITS = 16
SURE = 1 << BITS  # a chance of 1


@njit(**INLINE)
def chances(weights, cells, hidden):
    """For each cell and number of stones left for it and those after it, the chance of one there.

    In units of 1 / SURE; of shape (0, 0) where all weights are alike, which `weights` of length 0
    says. Only sums, products and quotients of doubles, which every processor rounds alike.
    """
    count = len(cells) if len(weights) else 0
    table = np.zeros((count, hidden + 1 if count else 0), np.int32)
    ratios = np.zeros(hidden + 2)  # r(i + 1, k)
    for i in range(count - 1, -1, -1):
        odds = np.float64(weights[cells[i]])
        before = 0.0  # r(i + 1, k - 1)
        for k in range(1, min(hidden, count - i) + 1):
            ratio = ratios[k]
            table[i, k] = np.int32(SURE * (odds / (odds + ratio)))
            ratios[k] = (ratio + odds) / (1.0 + odds / before) if k > 1 else ratio + odds
            before = ratio
    return table


@njit(**INLINE)
def draw_worlds(
    rows, registers, random, cells, table, hidden, excluded, jobs, start, size
):  # fmt: skip
    """Draw worlds in the lanes that NEED any; those that got one need none afterwards.

    The arguments are those of `deal`, and `table` is of `chances`; the stones are added to DEALT.
    """
    lanes = lane_count(rows)
    who, left, numbers = (
        np.empty(lanes, np.int64),
        np.empty(lanes, np.int64),
        np.zeros(lanes, np.int64),
    )
    for _ in range(DRAWS):
        wanting = lanes_set(load(registers, NEED * lanes) != 0)
        count = 0
        while wanting:
            who[count], left[count] = lowest_bit(wanting), hidden
            wanting &= wanting - 1
            count += 1
        if not count:
            break
        for i in range(len(cells)):
            column = cells[i] & 31
            at = (((cells[i] >> 5) + 1) * FIELDS + STONE) * lanes
            for j in range(count):
                if i & 3 == 0:  # a number lasts for four cells
                    random[lanes + who[j]] += GAMMA
                    numbers[j] = mix(random[lanes + who[j]])
                stone = np.int64((numbers[j] & (SURE - 1)) < table[i, left[j]])
                numbers[j] >>= BITS
                left[j] -= stone
                rows[at + who[j]] |= stone << column
        for j in range(count):  # LEFT is a mask here: where the candidate is taken
            out = excluded[jobs[start + who[j]]]
            taken = np.int64(0)
            if out >= 0:
                row = np.int64(rows[(((cells[out] >> 5) + 1) * FIELDS + STONE) * lanes + who[j]])
                taken = row >> (cells[out] & 31) & 1
            registers[LEFT * lanes + who[j]] = -taken
        kept = ~(choked(rows, size) | (load(registers, LEFT * lanes) != 0))
        keep(rows, kept, size)
        store(registers, NEED * lanes, load(registers, NEED * lanes) & ~kept)
