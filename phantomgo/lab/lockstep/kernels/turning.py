"""The symmetries of the board, as phantomgo/game/symmetry.py has them.

The board of a game is the referee's. A player may see it turned: then their whole view is turned,
and so are the moves they mean.
"""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, PART
from phantomgo.lab.lockstep.kernels.layout import KEEPING, SCRATCH, TURNED, words_of
from phantomgo.lab.lockstep.kernels.sets import ROWS, get, nothing, put


@njit(**INLINE)
def image(p, symmetry, size):
    """The point that a point is mapped to; a pass stays what it is."""
    if p < 0:
        return p
    row, column = p // size, p % size
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 1:
        column = size - 1 - column
    return row * size + column


@njit(**INLINE)
def seen_at(w, v, p, size):
    """The point that a player sees for a point of the board."""
    return image(p, words_of(w, v)[TURNED], size)


@njit(**INLINE)
def meant(w, v, p, size):
    """The point of the board that a player means; the quarter turns 5 and 6 undo each other."""
    symmetry = words_of(w, v)[TURNED]
    return image(p, 11 - symmetry if symmetry in (5, 6) else symmetry, size)


@njit(**INLINE)
def keep_point(view, p, size):
    """Forget the symmetries that move a point."""
    if view[KEEPING] != 1:
        for symmetry in range(1, 8):
            if image(p, symmetry, size) != p:
                view[KEEPING] &= ~(1 << symmetry)


@njit(**PART)
def keep_set(view, s, index, size):
    """Forget the symmetries that move a set of the game."""
    for symmetry in range(1, 8):
        for p in range(size * size):
            if view[KEEPING] >> symmetry & 1 and is_in(s, index, p, size):
                q = image(p, symmetry, size)
                if not is_in(s, index, q, size):
                    view[KEEPING] &= ~(1 << symmetry)


@njit(**INLINE)
def is_in(s, index, p, size):
    """True if a point is in a set of the game."""
    return s[index * ROWS + p // size] >> p % size & 1


@njit(**PART)
def turn_set(w, s, v, index, size):
    """Turn a set of the game as a player sees it."""
    if not words_of(w, v)[TURNED]:
        return
    put(s, SCRATCH, nothing())
    for p in range(size * size):
        if s[index * ROWS + p // size] >> p % size & 1:
            q = seen_at(w, v, p, size)
            s[SCRATCH * ROWS + q // size] |= np.uint32(1 << q % size)
    put(s, index, get(s, SCRATCH))
