"""The kernel that is called: playouts dealt, played and counted, one in every lane at a time.

A lane whose playout is over is scored and begins the next one, from a world dealt beforehand. The
result of playout g depends on (position, key, g) only.
"""

import numpy as np
from numba import njit

from bots.kernels.deal import deal
from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.lanes import iterate
from bots.kernels.odds import chances
from bots.kernels.rows import (
    BAN,
    BUSY,
    DEALT,
    FIELDS,
    FORCED,
    KNOWN,
    LIFE,
    MARGIN,
    MOVE,
    MOVES,
    OPP,
    OURS,
    OWN,
    PASSES,
    THEIRS,
    TURN,
    clear,
)
from bots.kernels.score import score
from bots.kernels.stream import STREAM
from bots.kernels.vectors import (
    everywhere,
    lane_bits,
    lane_count,
    lanes_set,
    lowest_bit,
    pointer,
    store,
)


@njit(**ENTRY)
def play_out(
    work, status, states, pools, size, own, enemy, open_points, weights, hidden, need,
    opponent_passed, candidates, jobs, first, key, counts, amaf_counts,
):  # fmt: skip
    """Play playouts number first ... first + len(jobs) - 1; return their moves, passes included.

    A playout deals the hidden stones over the open points except its candidate, each world in
    which every chain breathes as likely as by placing them one by one. Then the searching side
    plays the candidate, or passes if that is illegal, and both play at random.

    Args:
        work: the four arrays that `workspace` makes.
        status: the second.
        states: the third.
        pools: the fourth.
        size: points per side.
        own: the searching side's stones: a set of points as bytes, bit p % 8 of byte p // 8.
        enemy: the enemy stones it knows or presumes.
        open_points: where the hidden ones may stand.
        weights: the odds of each point, int64 from 1 to 2**22 in any unit; of length 0 where all
            are alike.
        hidden: how many there are.
        need: a playout is won by an area margin, own less enemy, greater than this.
        opponent_passed: 1 if the opponent has just passed, so that a pass ends the game; else 0.
        candidates: points, int64; -1 is a pass.
        jobs: for each playout the index of its candidate, int64.
        first: the number of the first playout.
        key: the decision's random stream.
        counts: by candidate its playouts, how many are won, and the sum of their margins; int64
            of shape (3, candidates), added to.
        amaf_counts: all moves as first: by point, the playouts in which the searching side played
            there before the enemy did, and how many of them are won; int64 of shape (2, points),
            added to; of shape (2, 0) where they are not counted.
    """
    rows, registers, random = pointer(work), pointer(status), pointer(states)
    pool = pointer(pools)
    lanes = lane_count(rows)
    amaf = amaf_counts.shape[1] > 0
    clear(rows, registers, size)
    enemy_rows = lay_out(rows, own, enemy, size)
    cells, index = open_cells(open_points, size)
    cell_weights = weights_of_cells(weights, size)
    table = chances(cell_weights, cells, hidden)
    begin_at, excluded = locate(candidates, index, size)
    first_plays = np.zeros(size * lane_bits(rows), np.int64)  # visits low, wins in the high 32 bits
    playing = np.full(lanes, -1)  # the candidate of each lane
    started = moves = 0
    active = lanes_set(everywhere(rows, -1))  # lanes with a playout, a bit each
    over = active  # those whose playout is over, or has not begun
    while active:
        if over:
            score(rows, registers, over, size)
        while over:
            lane = lowest_bit(over)
            over &= over - 1
            if playing[lane] >= 0:
                moves += np.int64(registers[MOVES * lanes + lane])
                margin = np.int64(registers[MARGIN * lanes + lane]) - size * size
                won = np.int64(margin > need)
                counts[0, playing[lane]] += 1
                counts[1, playing[lane]] += won
                counts[2, playing[lane]] += margin
                if amaf:
                    add_first_plays(rows, lane, first_plays, won << 32 | 1, size)
            if started == len(jobs):
                active ^= 1 << lane
                continue
            if started % lanes == 0:
                deal(
                    rows, registers, random, pool, enemy_rows, cells, cell_weights, table, hidden,
                    excluded, jobs, started, key + first * STREAM, size,
                )  # fmt: skip
            playing[lane] = jobs[started]
            begin(rows, registers, lane, started % lanes, begin_at[jobs[started]], size, amaf)
            registers[PASSES * lanes + lane] = opponent_passed
            random[lane] = random[lanes + started % lanes]
            started += 1
        if active:
            over = iterate(rows, registers, random, size, 3 * size * size, amaf) & active
    if amaf:
        for p in range(size * size):
            both = first_plays[p // size * lane_bits(rows) + p % size]
            amaf_counts[0, p] += both & 0xFFFFFFFF
            amaf_counts[1, p] += both >> 32
    return moves


@njit(**INLINE)
def holds(points, p):
    """Whether a point is in a set of points (bytes; bit p % 8 of byte p // 8)."""
    return points[p >> 3] >> (p & 7) & 1


@njit(**INLINE)
def lay_out(rows, own, enemy, size):
    """Write the own stones to KNOWN in every lane; return the rows of the enemy's."""
    lanes = lane_count(rows)
    enemy_rows = np.zeros(size, np.int64)
    for r in range(size):
        own_row = 0
        for c in range(size):
            own_row |= holds(own, r * size + c) << c
            enemy_rows[r] |= holds(enemy, r * size + c) << c
        store(rows, ((r + 1) * FIELDS + KNOWN) * lanes, everywhere(rows, own_row))
    return enemy_rows


@njit(**INLINE)
def open_cells(open_points, size):
    """The open points as 32 * row + column, and for each point its index among them or -1."""
    cells = np.empty(size * size, np.int16)
    index = np.full(size * size, -1)
    count = 0
    for p in range(size * size):
        if holds(open_points, p):
            cells[count] = p // size << 5 | p % size
            index[p] = count
            count += 1
    return cells[:count], index


@njit(**INLINE)
def weights_of_cells(weights, size):
    """The weights of points, at 32 * row + column; none if there are none."""
    of_cells = np.zeros(32 * size if len(weights) else 0, np.int64)
    for p in range(len(weights)):
        of_cells[p // size << 5 | p % size] = weights[p]
    return of_cells


@njit(**INLINE)
def locate(candidates, index, size):
    """Each candidate as 32 * (row + 1) + column, a pass as 0; and which open point it is, or -1."""
    begin_at = np.zeros(len(candidates), np.int64)
    excluded = np.full(len(candidates), -1)
    for i in range(len(candidates)):
        p = candidates[i]
        if p >= 0:
            begin_at[i] = (p // size + 1) << 5 | p % size
            excluded[i] = index[p]
    return begin_at, excluded


@njit(**INLINE)
def begin(rows, registers, lane, world, move, size, amaf):
    """Begin a playout: the board that was dealt to lane `world`, with a first move at `move`."""
    lanes = lane_count(rows)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes + lane
        rows[at + OWN * lanes] = rows[at + KNOWN * lanes]
        rows[at + OPP * lanes] = rows[at - lane + DEALT * lanes + world]
        rows[at + BAN * lanes] = 0
        rows[at + MOVE * lanes] = 0
        rows[at + LIFE * lanes] = 0
        if amaf:
            rows[at + OURS * lanes] = 0
            rows[at + THEIRS * lanes] = 0
    if move:
        rows[((move >> 5) * FIELDS + MOVE) * lanes + lane] = 1 << (move & 31)
    registers[BUSY * lanes + lane] = -1
    registers[FORCED * lanes + lane] = -1
    registers[TURN * lanes + lane] = 0
    registers[MOVES * lanes + lane] = 0


@njit(**INLINE)
def add_first_plays(rows, lane, first_plays, credit, size):
    """Add `credit` at every point that the searching side played first in a lane."""
    lanes, bits = lane_count(rows), lane_bits(rows)
    for r in range(size):
        plays = np.int64(rows[((r + 1) * FIELDS + OURS) * lanes + lane])
        for c in range(bits):  # a number of times the compiler knows
            first_plays[r * bits + c] += credit & -(plays >> c & 1)
