"""Boards as rows, many side by side: their layout in memory, and operations that all kernels share.

A board is an array of rows; a row is a bit mask (bit c for column c), and the same row of many
games lies side by side in one vector: rows of 8 bits up to 8x8, of 16 up to 15x15, of 32 beyond
(vectors.py tells how many). So "all neighbours of these points" is two shifts and
the rows above and below, the same code serves every size, and it reads like code for a single
game.

Memory is rows of fields of lanes: field F of row r of lane l is element
((r + 1) * FIELDS + F) * lanes + l. Rows -1 and `size` close the board in.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels.jit import INLINE
from bots.kernels.vectors import lane_count, shift_leaking, vector_bytes

# Fields of a row. Those of the playouts last from one iteration to the next.
OWN = 0  # the stones of the side to move
OPP = 1  # the stones of the other side
BAN = 2  # where the side to move may not play now, for ko or suicide
MOVE = 3  # its move
LIFE = 4  # the stones that are known to have a liberty
OURS = 5  # where the searching side played first
THEIRS = 6  # where the other side played first
# Those of the world that is dealt in a lane:
KNOWN = 7  # the own stones
LOCATED = 8  # the enemy's stones that are known or presumed
DEALT = 9  # all of the enemy's stones
# Work space:
EMPTY = 10  # the empty points
CANDIDATE = 11  # the points that may be played
COUNT = 12  # how many these are
ACROSS = 13  # links between stones in this row
UPWARD = 14  # links between stones in this row and the next
FIELDS = 15  # how many fields a row has

# Registers, one value per lane; a flag is a mask of all bits. Of the playout in the lane:
BUSY = 0  # flag: the last move has not been decided yet
FORCED = 1  # flag: the move is the candidate, after which the turn passes even if it is illegal
TURN = 2  # flag: the other side is to move, not the searching one
PASSES = 3  # how many passes have just been made
MOVES = 4  # how many moves have been made, passes included
OVER = 5  # flag: the playout is over
MARGIN = 6  # its result (score.py)
# Of the world that is dealt in the lane, for a playout to come:
AT_WORK = 7  # flag: a world is being dealt
NEED = 8  # how many stones it still needs
LEFT = 9  # how many points of its pool are left, or how many draws in one go
POOL = 10  # flag: its stones are drawn one by one from a pool
UNEVEN = 11  # flag: the points of the pool have weights
FRESH = 12  # flag: only the known stones are there yet
REGISTERS = 13  # how many registers there are

# Numbers of 64 bits, one per lane. Of the playout:
STATE = 0  # the state of its random numbers
PLAYOUT_TASK = 1  # its task
PLAYOUT_CANDIDATE = 2  # its candidate; -1 before the first playout
# Of the world:
WORLD_STATE = 3  # the state of its random numbers, which the playout continues
WORLD_TASK = 4  # its task
WORLD_CANDIDATE = 5  # its candidate
WORLD_CELL = 6  # the cell of the candidate, which stays empty; -1 for a pass
WORLD_POSITION = 7  # where the position begins whose known stones are laid out in the lane
WEIGHT = 8  # what the points in its pool weigh together
DRAWN = 9  # a number below that
# Of a line of the page (playouts.py):
LINE_TASK = 10  # its task
WIDE = 11  # how many numbers a lane has
# After them, of all lanes together: the playout for which a world is dealt next.
NEXT_TASK = 0  # its task
NEXT_JOB = 1  # its number among the playouts of the task
NEXT_CHOICE = 2  # the place of that job among the jobs of the task
SHARED = 3  # how many numbers these are

LINE = 64
"""Bytes of a cache line."""


def workspace(
    size: int, wide: bool = False
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Memory for `play_out` on boards of a size, for one thread at a time.

    Rows have the fewest bits that will do, twice as many if `wide`; that sets the number of lanes.
    """
    bits = (8 if size <= 8 else 16 if size <= 15 else 32) * (2 if wide and size <= 15 else 1)
    row = np.dtype(f"uint{bits}")
    lanes = vector_bytes(bits) // row.itemsize
    return (
        aligned((size + 2) * FIELDS * lanes + (size + 1) * lanes, row),  # boards, then the page
        aligned(REGISTERS * lanes, row),
        aligned(WIDE * lanes + SHARED, np.dtype(np.int64)),
        aligned(size * size * lanes, np.dtype(np.int16)),  # of each world the cells not drawn yet
    )


def aligned(count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """Zeros aligned to a cache line; unaligned vectors cost 5 % of the time."""
    memory = np.zeros(count * kind.itemsize + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + count * kind.itemsize].view(kind)


@njit(**INLINE)
def neighbours(row, above, beneath):
    """Points next to the points of a row, in that row."""
    return (row << 1) | (row >> 1) | above | beneath


@njit(**INLINE)
def linked(own, enemy, own_above, enemy_above):
    """Links between stones of one colour: bit c where columns c and c + 1 of a row are linked,
    and where the row and the next one are.
    """
    across = (own & (own >> 1)) | (enemy & (enemy >> 1))
    return across, (own & own_above) | (enemy & enemy_above)


@njit(**INLINE)
def run_fill(row, across):
    """Life runs along the links of a row: to the end towards high columns, one step back.

    No link leaves a row, so the top bit of `across` is never set.
    """
    row |= shift_leaking(row) & across
    return row | (across ^ (across + (row & across)))  # the carry of the sum runs along the links


@njit(**INLINE)
def clear(rows, registers, wide, size):
    """Empty boards in every lane, closed in by rows that are not empty; no job begun."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    for i in range((size + 2) * stride):
        rows[i] = 0
    for i in range(REGISTERS * lanes):
        registers[i] = 0
    for lane in range(lanes):
        for field in (OWN, KNOWN):
            rows[field * lanes + lane] = -1
            rows[(size + 1) * stride + field * lanes + lane] = -1
        for number in (WORLD_POSITION, PLAYOUT_CANDIDATE):
            wide[number * lanes + lane] = -1
    for i in range(SHARED):
        wide[WIDE * lanes + i] = 0
