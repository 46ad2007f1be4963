"""Check, by one flood of life in all lanes, whether stones may be where they were drawn.

A chain without a liberty would have been captured, so a world with one is impossible.
"""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.lanesets import lanes_set
from bots.kernels.rows import (
    ACROSS,
    CANDIDATE,
    DEALT,
    EMPTY,
    FIELDS,
    KNOWN,
    UPWARD,
    linked,
    neighbours,
    run_fill,
)
from bots.kernels.vectors import everywhere, load, store

STONE, BREATH = EMPTY, CANDIDATE  # fields: stones just drawn, and the stones that have liberties


@njit(**INLINE)
def choked(rows, size):
    """The lanes in which a chain has no liberty, as a mask."""
    nothing = everywhere(rows, 0)
    full = everywhere(rows, (1 << size) - 1)
    own = enemy = empty = empty_beneath = rising = nothing
    for r in range(size + 1):  # looks one row ahead: `above` is row r, the others are row r - 1
        at = (r + 1) * FIELDS
        own_above = enemy_above = empty_above = nothing
        if r < size:
            own_above = load(rows, at + KNOWN)
            enemy_above = load(rows, at + DEALT) | load(rows, at + STONE)
            empty_above = full & ~(own_above | enemy_above)
        if r > 0:
            at -= FIELDS
            across, upward = linked(own, enemy, own_above, enemy_above)
            life = (own | enemy) & neighbours(empty, empty_above, empty_beneath)
            life = run_fill(life | rising, across)
            rising = life & upward
            store(rows, at + ACROSS, across)
            store(rows, at + UPWARD, upward)
            store(rows, at + BREATH, life)
        own, enemy, empty_beneath, empty = own_above, enemy_above, empty, empty_above
    while True:
        unsettled, dead = run_down(rows, size)
        if not lanes_set((unsettled != 0) & (dead != 0)):
            return dead != 0
        run_up(rows, size)


@njit(**INLINE)
def run_down(rows, size):
    """Let life run down the board; return the links that it has yet to cross and the stones without
    it, the union of all rows.
    """
    unsettled = dead = life_above = everywhere(rows, 0)
    for i in range(size):
        at = (size - i) * FIELDS
        across = load(rows, at + ACROSS)
        upward = load(rows, at + UPWARD)
        life = run_fill(load(rows, at + BREATH) | (life_above & upward), across)
        store(rows, at + BREATH, life)
        unsettled |= (across & (life ^ (life >> 1))) | (upward & (life ^ life_above))
        known = load(rows, at + KNOWN) | load(rows, at + DEALT)
        dead |= (known | load(rows, at + STONE)) & ~life
        life_above = life
    return unsettled, dead


@njit(**INLINE)
def run_up(rows, size):
    """Let life run up the board."""
    rising = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS
        life = load(rows, at + BREATH) | rising
        life = run_fill(life, load(rows, at + ACROSS))
        store(rows, at + BREATH, life)
        rising = life & load(rows, at + UPWARD)


@njit(**INLINE)
def keep(rows, kept, size):
    """Leave the stones just drawn on the boards, in the lanes of a mask; the others vanish."""
    nothing = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS
        stone = load(rows, at + STONE) & kept
        store(rows, at + DEALT, load(rows, at + DEALT) | stone)
        store(rows, at + STONE, nothing)
