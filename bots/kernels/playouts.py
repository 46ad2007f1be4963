"""The main kernel: playouts dealt, played and counted, one in every lane at a time.

A lane whose playout is over is scored and begins the next one, from a world dealt beforehand. The
playouts of many tasks, positions and decisions share the lanes. The result of playout g depends on
(position, key, g) only.
"""

import numpy as np
from numba import njit

from bots.kernels.deal import deal
from bots.kernels.jit import INLINE, entry
from bots.kernels.lanes import iterate
from bots.kernels.lanesets import but_first, first_lane, lanes_in, lanes_set, mask_of
from bots.kernels.rows import (
    BAN,
    BUSY,
    DEALT,
    FIELDS,
    FORCED,
    KNOWN,
    LIFE,
    LINE_TASK,
    MARGIN,
    MOVE,
    MOVES,
    OPP,
    OURS,
    OVER,
    OWN,
    PASSES,
    PLAYOUT_CANDIDATE,
    PLAYOUT_TASK,
    STATE,
    THEIRS,
    TURN,
    WORLD_CANDIDATE,
    WORLD_STATE,
    WORLD_TASK,
    clear,
)
from bots.kernels.score import score
from bots.kernels.tasks import AMAF, NEEDED, PASSED, TASK
from bots.kernels.vectors import (
    beyond,
    everywhere,
    lane_count,
    load,
    load_wide,
    materialize,
    pointer,
    store,
)

TOGETHER = 16
"""Playouts are scored once one in this many lanes is over, as scoring takes all lanes at once."""


@entry
def play_out(
    row_memory, register_memory, wide_memory, pools, size, positions, tables, tasks, jobs,
    candidates, counts, amaf_counts,
):  # fmt: skip
    """Play the playouts of all tasks; return their moves, passes included.

    A playout deals the hidden stones over the open points except its candidate, each world in
    which every chain breathes as likely as by placing them one by one. Then the searching side
    plays the candidate, or passes if that is illegal, and both play at random.

    Args:
        row_memory: the first of the four arrays that `workspace` makes.
        register_memory: the second.
        wide_memory: the third.
        pools: the fourth.
        size: points per side.
        positions: of shape (positions, POSITION), int64; made by `position_of`.
        tables: their tables of chances, uint16.
        tasks: of shape (tasks, TASK), int64 (tasks.py).
        jobs: of all tasks, each the index of one of the task's candidates, int64.
        candidates: of all tasks, points, int64; -1 is a pass.
        counts: by candidate its playouts, how many are won, and the sum of their margins; int64
            of shape (3, candidates), added to.
        amaf_counts: all moves as first: by point, the playouts in which the searching side played
            there before the enemy did, and how many of them are won; int64 of shape (2, points of
            all tasks that count them), added to; of shape (2, 0) where none does.
    """
    rows, registers, wide = pointer(row_memory), pointer(register_memory), pointer(wide_memory)
    lanes = lane_count(rows)
    amaf = amaf_counts.shape[1] > 0
    clear(rows, registers, wide, size)
    cells = np.empty(len(candidates), np.int64)
    for i in range(len(candidates)):
        p = candidates[i]
        cells[i] = p // size << 5 | p % size if p >= 0 else -1
    written = np.int64(0)  # lines of the page
    moves = 0
    active = lanes_set(everywhere(rows, -1))  # lanes with a playout
    whole = active ^ active  # those with a world
    over = active  # those whose playout is over, or has not begun
    wait = max(1, lanes // TOGETHER)
    while active:
        if over ^ active and lanes_in(over) < wait:
            over = iterate(rows, registers, wide, size, 3 * size * size, amaf) & active
            continue
        score(rows, registers, over, size)
        ended = over
        while ended:
            lane = first_lane(ended)
            ended = but_first(ended)
            candidate = wide[PLAYOUT_CANDIDATE * lanes + lane]
            number = wide[PLAYOUT_TASK * lanes + lane]
            if candidate < 0:
                continue
            task = beyond(pointer(tasks), number * TASK)
            moves += np.int64(registers[MOVES * lanes + lane])
            margin = np.int64(registers[MARGIN * lanes + lane]) - size * size
            won = np.int64(margin > task[NEEDED])
            counts[0, candidate] += 1
            counts[1, candidate] += won
            counts[2, candidate] += margin
            if amaf and task[AMAF] >= 0:
                write_first_plays(rows, lane, won, written, size)
                wide[LINE_TASK * lanes + written] = number
                written += 1
                if written == lanes:
                    add_up(rows, wide, written, tasks, amaf_counts, size)
                    written = 0
        make_room(rows, registers, over, size, amaf)
        while over:
            if not whole:
                whole = deal(
                    rows, registers, wide, pointer(pools), pointer(positions), pointer(tables),
                    pointer(tasks), len(tasks), pointer(jobs), pointer(cells), size,
                )  # fmt: skip
            if not whole:  # no job is left: the last playouts are scored together
                wait = lanes
                active ^= over
                break
            lane, dealt = first_lane(over), first_lane(whole)
            over, whole = but_first(over), but_first(whole)
            candidate = wide[WORLD_CANDIDATE * lanes + dealt]
            number = wide[WORLD_TASK * lanes + dealt]
            wide[PLAYOUT_CANDIDATE * lanes + lane] = candidate
            wide[PLAYOUT_TASK * lanes + lane] = number
            wide[STATE * lanes + lane] = wide[WORLD_STATE * lanes + dealt]
            registers[PASSES * lanes + lane] = pointer(tasks)[number * TASK + PASSED]
            begin(rows, registers, lane, dealt, cells[candidate], size)
        over ^= over
    if written:
        add_up(rows, wide, written, tasks, amaf_counts, size)
    return moves


@njit(**INLINE)
def page_of(rows, size):
    """The page: first plays of playouts that are over, a line each. Row r of all lines lies
    together, as rows of boards do; after the rows, whether the playout is won.
    """
    return beyond(rows, (size + 2) * FIELDS * lane_count(rows))


@njit(**INLINE)
def write_first_plays(rows, lane, won, line, size):
    """Write where the searching side played first in a lane, and whether it won, on the page."""
    lanes, page = lane_count(rows), page_of(rows, size)
    page[size * lanes + line] = won
    for r in range(size):
        page[r * lanes + line] = rows[((r + 1) * FIELDS + OURS) * lanes + lane]


@njit(**INLINE)
def add_up(rows, wide, written, tasks, amaf_counts, size):
    """Add the first plays on the page to the counts of all moves as first of each line's task."""
    lanes, page = lane_count(rows), page_of(rows, size)
    for line in range(written, lanes):
        wide[LINE_TASK * lanes + line] = -1
    like = load(page, 0)
    waiting = lanes_set(load_wide(wide, LINE_TASK, like) != -1)
    won = lanes_set(load(page, size) != 0)
    while waiting:
        task = wide[LINE_TASK * lanes + first_lane(waiting)]
        alike = waiting & lanes_set(load_wide(wide, LINE_TASK, like) == task)
        waiting ^= alike
        at = tasks[task, AMAF]
        for r in range(size):
            row = load(page, r)
            for c in range(size):
                here = alike & lanes_set((row & (1 << c)) != 0)
                amaf_counts[0, at + r * size + c] += lanes_in(here)
                amaf_counts[1, at + r * size + c] += lanes_in(here & won)


@njit(**INLINE)
def make_room(rows, registers, over, size, amaf):
    """Forget the playouts of some lanes; those lanes stay as they are until one begins there."""
    gone = materialize(mask_of(over, everywhere(rows, 0)))
    for r in range(size):
        at = (r + 1) * FIELDS
        forget(rows, at + BAN, gone)
        forget(rows, at + MOVE, gone)
        forget(rows, at + LIFE, gone)
        if amaf:
            forget(rows, at + OURS, gone)
            forget(rows, at + THEIRS, gone)
    forget(registers, TURN, gone)
    forget(registers, MOVES, gone)
    store(registers, BUSY, load(registers, BUSY) | gone)
    store(registers, FORCED, load(registers, FORCED) | gone)


@njit(**INLINE)
def forget(memory, at, gone):
    """Write zeros to the lanes of a mask."""
    store(memory, at, load(memory, at) & ~gone)


@njit(**INLINE)
def begin(rows, registers, lane, world, move, size):
    """Begin a playout: the board that was dealt to lane `world`, with a first move at cell `move`,
    or a pass (-1).
    """
    lanes = lane_count(rows)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes + lane
        rows[at + OWN * lanes] = rows[at - lane + KNOWN * lanes + world]
        rows[at + OPP * lanes] = rows[at - lane + DEALT * lanes + world]
    if move >= 0:
        rows[(((move >> 5) + 1) * FIELDS + MOVE) * lanes + lane] = 1 << (move & 31)
    registers[OVER * lanes + lane] = 0
