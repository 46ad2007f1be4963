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

# Fields of a row that last from one iteration to the next. OWN and OPP are the stones of the side
# to move and of the other; OURS and THEIRS where the searching side and the other played first.
# KNOWN, LOCATED and DEALT belong to the worlds: own stones, known ones of the enemy, all of his.
OWN, OPP, BAN, MOVE, LIFE, OURS, THEIRS, KNOWN, LOCATED, DEALT = range(10)
# Fields that are work space, and how many there are in all.
EMPTY, CANDIDATE, COUNT, ACROSS, UPWARD, FIELDS = range(10, 16)

# Registers: one value per lane. The first seven belong to the playouts in the lanes, the others to
# the worlds that are dealt for playouts to come; and how many there are in all.
BUSY, FORCED, TURN, PASSES, MOVES, OVER, MARGIN = range(7)
AT_WORK, NEED, LEFT, POOL, UNEVEN, FRESH, REGISTERS = range(7, 14)

# Numbers of 64 bits, also one per lane. Random states: of the playout, and of the world. What the
# points in a world's pool weigh together, and a number below that. Of the world: its task, its
# candidate and the cell of that, and where the position begins whose known stones are laid out
# there. Of the playout: its task and its candidate. The task of a line of the page. And how many.
STATE, WORLD_STATE, WEIGHT, DRAWN = range(4)
OF_TASK, CANDIDATE_OF, CELL_OF, FROM = range(4, 8)
TASK_OF, PLAYING, TASK_OF_LINE, WIDE = range(8, 12)
# After them, of all lanes together: the next task that worlds are dealt for, its next job, and
# which of its candidates that is for; and how many there are of these.
NEXT_TASK, NEXT_JOB, NEXT_CHOICE, SHARED = range(4)

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
        for number in (FROM, PLAYING):
            wide[number * lanes + lane] = -1
    for i in range(SHARED):
        wide[WIDE * lanes + i] = 0
