"""Worlds drawn by odds: all hidden stones in one go, with the probabilities of chances.py.

A world is rejected and drawn again if a chain has no liberty or a stone occupies the playout's
candidate. After too many rejections it is dealt stone by stone (deal.py).
"""

from numba import njit

from bots.kernels.breath import STONE
from bots.kernels.chances import BITS, chances_of, row_length
from bots.kernels.jit import INLINE
from bots.kernels.positions import CELLS, HIDDEN, OPEN, TABLE
from bots.kernels.rows import FIELDS, WORLD_STATE
from bots.kernels.stream import GAMMA, mix
from bots.kernels.vectors import (
    as_wide_as,
    load,
    load_wide,
    narrow,
    select,
    shorts,
    store,
    widen_mask,
)

DRAWS = 6


@njit(**INLINE)
def draw_by_odds(rows, wide, position, tables, excluded, drawing):
    """Draw a world of one position in every lane of a mask, into STONE; return in which of them
    a stone is drawn on the lane's excluded cell (int64), as a mask.
    """
    hidden, cells = position[HIDDEN], position[OPEN]
    nothing = shorts(rows, 0)
    out = narrow(excluded, nothing)
    left, taken = nothing + hidden, nothing
    before = load_wide(wide, WORLD_STATE, drawing)
    state = numbers = before
    at = position[TABLE]
    for i in range(cells):
        if i & 3 == 0:  # a number lasts for four cells
            state += GAMMA
            numbers = mix(state)
        chance = chances_of(tables, at, left, hidden)
        stone = (narrow(numbers, nothing) < chance) | (left == cells - i)
        numbers >>= BITS
        left += stone
        cell = position[CELLS + i]
        taken |= stone & (out == cell)
        to = ((cell >> 5) + 1) * FIELDS + STONE
        drawn = as_wide_as(stone, drawing) & drawing & (1 << (cell & 31))
        store(rows, to, load(rows, to) | drawn)
        at += row_length(hidden)
    store(wide, WORLD_STATE, select(widen_mask(drawing), state, before))
    return as_wide_as(taken, drawing) & drawing
