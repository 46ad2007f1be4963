"""The kernel that is called: playouts dealt, played and counted, one in every lane at a time.

A lane whose playout is over is scored and begins the next one, from a world dealt beforehand. The
playouts of many tasks, positions and decisions share the lanes. The result of playout g depends on
(position, key, g) only.
"""

import numpy as np
from numba import njit

from bots.kernels.deal import CANDIDATE_OF, OF_TASK, deal, empty_worlds
from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.lanes import iterate
from bots.kernels.lanesets import but_first, first_lane, lanes_in, lanes_set, without
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
    OVER,
    OWN,
    PASSES,
    THEIRS,
    TURN,
    clear,
)
from bots.kernels.score import score
from bots.kernels.tasks import AMAF, NEEDED, PASSED, TASK
from bots.kernels.vectors import beyond, everywhere, lane_count, load, load_wide, pointer

TOGETHER = 16
"""Playouts are scored when one in so many lanes is over: a score is of all lanes, whoever waits."""


@njit(**ENTRY)
def play_out(
    work, status, states, pools, size, positions, tables, tasks, jobs, candidates, counts,
    amaf_counts,
):  # fmt: skip
    """Play the playouts of all tasks; return their moves, passes included.

    A playout deals the hidden stones over the open points except its candidate, each world in
    which every chain breathes as likely as by placing them one by one. Then the searching side
    plays the candidate, or passes if that is illegal, and both play at random.

    Args:
        work: the four arrays that `workspace` makes.
        status: the second.
        states: the third.
        pools: the fourth.
        size: points per side.
        positions: of shape (positions, POSITION), int64; made by `position_of`.
        tables: their tables of chances, int32.
        tasks: of shape (tasks, TASK), int64 (tasks.py).
        jobs: of all tasks, each the index of one of the task's candidates, int64.
        candidates: of all tasks, points, int64; -1 is a pass.
        counts: by candidate its playouts, how many are won, and the sum of their margins; int64
            of shape (3, candidates), added to.
        amaf_counts: all moves as first: by point, the playouts in which the searching side played
            there before the enemy did, and how many of them are won; int64 of shape (2, points of
            all tasks that count them), added to; of shape (2, 0) where none does.
    """
    rows, registers, random = pointer(work), pointer(status), pointer(states)
    lanes = lane_count(rows)
    amaf = amaf_counts.shape[1] > 0
    clear(rows, registers, size)
    cells = np.empty(len(candidates), np.int64)
    for i in range(len(candidates)):
        p = candidates[i]
        cells[i] = p // size << 5 | p % size if p >= 0 else -1
    worlds = empty_worlds(lanes)
    page, page_tasks = np.zeros((size + 1) * lanes, work.dtype), np.zeros(lanes, np.int64)
    written = 0  # lines of the page
    task_of, playing = np.zeros(lanes, np.int64), np.full(lanes, -1)  # the candidate of each lane
    moves = 0
    active = lanes_set(everywhere(rows, -1))  # lanes with a playout
    whole = active ^ active  # those with a world
    over = active  # those whose playout is over, or has not begun
    wait = max(1, lanes // TOGETHER)
    while active:
        if over ^ active and lanes_in(over) < wait:
            over = iterate(rows, registers, random, size, 3 * size * size, amaf) & active
            continue
        score(rows, registers, over, size)
        while over:
            lane = first_lane(over)
            over = but_first(over)
            if playing[lane] >= 0:
                task = beyond(pointer(tasks), task_of[lane] * TASK)
                moves += np.int64(registers[MOVES * lanes + lane])
                margin = np.int64(registers[MARGIN * lanes + lane]) - size * size
                won = np.int64(margin > task[NEEDED])
                counts[0, playing[lane]] += 1
                counts[1, playing[lane]] += won
                counts[2, playing[lane]] += margin
                if amaf and task[AMAF] >= 0:
                    write_first_plays(rows, lane, won, pointer(page), written, size)
                    page_tasks[written] = task_of[lane]
                    written += 1
                    if written == lanes:
                        add_up(page, page_tasks, written, tasks, amaf_counts, size)
                        written = 0
            if not whole:
                whole = deal(
                    rows, registers, random, pointer(pools), pointer(positions), pointer(tables),
                    pointer(tasks), len(tasks), pointer(jobs), pointer(cells), pointer(worlds),
                    size,
                )  # fmt: skip
            if not whole:
                active = without(active, lane)
                continue
            dealt = first_lane(whole)
            whole = but_first(whole)
            playing[lane] = worlds[CANDIDATE_OF * lanes + dealt]
            task_of[lane] = worlds[OF_TASK * lanes + dealt]
            begin(rows, registers, lane, dealt, cells[playing[lane]], size, amaf)
            registers[PASSES * lanes + lane] = pointer(tasks)[task_of[lane] * TASK + PASSED]
            random[lane] = random[lanes + dealt]
    if written:
        add_up(page, page_tasks, written, tasks, amaf_counts, size)
    return moves


@njit(**INLINE)
def write_first_plays(rows, lane, won, page, line, size):
    """Write where the searching side played first in a lane, and whether it won: a line of a page
    is a playout, and row r of all lines lies together, as rows of boards do.
    """
    lanes = lane_count(rows)
    page[size * lanes + line] = won
    for r in range(size):
        page[r * lanes + line] = rows[((r + 1) * FIELDS + OURS) * lanes + lane]


@njit(**INLINE)
def add_up(page, page_tasks, written, tasks, amaf_counts, size):
    """Add the first plays on a page to the counts of all moves as first of each line's task."""
    plays, of_line = pointer(page), pointer(page_tasks)
    lanes = lane_count(plays)
    page_tasks[written:] = -1
    waiting = ~lanes_set(load_wide(of_line, 0, load(plays, 0)) == -1)
    won = lanes_set(load(plays, size * lanes) != 0)
    while waiting:
        task = of_line[first_lane(waiting)]
        alike = waiting & lanes_set(load_wide(of_line, 0, load(plays, 0)) == task)
        waiting ^= alike
        at = tasks[task, AMAF]
        for r in range(size):
            row = load(plays, r * lanes)
            for c in range(size):
                here = alike & lanes_set((row & (1 << c)) != 0)
                amaf_counts[0, at + r * size + c] += lanes_in(here)
                amaf_counts[1, at + r * size + c] += lanes_in(here & won)


@njit(**INLINE)
def begin(rows, registers, lane, world, move, size, amaf):
    """Begin a playout: the board that was dealt to lane `world`, with a first move at cell `move`,
    or a pass (-1).
    """
    lanes = lane_count(rows)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes + lane
        rows[at + OWN * lanes] = rows[at - lane + KNOWN * lanes + world]
        rows[at + OPP * lanes] = rows[at - lane + DEALT * lanes + world]
        rows[at + BAN * lanes] = 0
        rows[at + MOVE * lanes] = 0
        rows[at + LIFE * lanes] = 0
        if amaf:
            rows[at + OURS * lanes] = 0
            rows[at + THEIRS * lanes] = 0
    if move >= 0:
        rows[(((move >> 5) + 1) * FIELDS + MOVE) * lanes + lane] = 1 << (move & 31)
    registers[BUSY * lanes + lane] = -1
    registers[FORCED * lanes + lane] = -1
    registers[TURN * lanes + lane] = 0
    registers[MOVES * lanes + lane] = 0
    registers[OVER * lanes + lane] = 0
