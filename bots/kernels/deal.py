"""Dealing hidden stones: worlds for the next playouts, one in every lane.

If all points are equally likely, the stones of a world are placed one by one on random points,
leaving out any that would take a chain's last liberty. Otherwise a world is drawn in one go
(odds.py), and dealt one by one only after too many rejected draws. All lanes run in lock step: each
draws its next stone or stones, and one flood of life from the liberties, as in the playouts, shows
in all lanes which may stay (breath.py). A complete world waits in its lane until a playout begins
with it; then the lane deals the world of the next job.
"""

import numpy as np
from numba import njit

from bots.kernels.breath import STONE, choked, keep
from bots.kernels.jit import INLINE
from bots.kernels.lanesets import but_first, first_lane, lanes_in, lanes_set, mask_of
from bots.kernels.odds import DRAWS, draw_by_odds
from bots.kernels.positions import (
    CELLS,
    ENEMY,
    HIDDEN,
    OPEN,
    OWN,
    POSITION,
    WEIGHTED,
    WEIGHTS,
    WHICH,
)
from bots.kernels.rows import (
    AT_WORK,
    DEALT,
    DRAWN,
    FIELDS,
    FRESH,
    KNOWN,
    LEFT,
    LOCATED,
    NEED,
    NEXT_CHOICE,
    NEXT_JOB,
    NEXT_TASK,
    POOL,
    UNEVEN,
    WEIGHT,
    WIDE,
    WORLD_CANDIDATE,
    WORLD_CELL,
    WORLD_POSITION,
    WORLD_STATE,
    WORLD_TASK,
)
from bots.kernels.stream import GAMMA, STREAM, below, mix
from bots.kernels.tasks import CANDIDATES, JOBS, KEY, PERIOD, PLAYOUTS, POSITION_INDEX, TASK
from bots.kernels.vectors import beyond, lane_count, load, load_wide, select, store, widen_mask


@njit(**INLINE)
def deal(rows, registers, wide, pools, positions, tables, tasks, count, jobs, cells, size):
    """Deal until some worlds are complete; return their lanes, 0 if no job is left.

    All previously complete worlds must have been taken. Lane i has all enemy stones in DEALT, the
    own ones in KNOWN, and the state of its random numbers in WORLD_STATE.

    Args:
        rows: boards (rows.py).
        registers: of the lanes.
        wide: numbers of 64 bits, of the lanes and of all of them.
        pools: int16, a board's points for each lane.
        positions: positions one after another (positions.py).
        tables: their chances.
        tasks: tasks one after another (tasks.py), `count` of them.
        count: how many.
        jobs: the jobs of all tasks.
        cells: the cell of every candidate, -1 for a pass.
        size: points per side.
    """
    lanes = lane_count(rows)
    shared = beyond(wide, WIDE * lanes)
    idle = lanes_set(load(registers, AT_WORK) == 0)
    while idle and shared[NEXT_TASK] < count:
        idle = begin_worlds(
            rows, registers, wide, pools, positions, tasks, jobs, cells, idle, size
        )  # fmt: skip
    fresh = load(registers, FRESH)
    store(registers, FRESH, fresh ^ fresh)
    for r in range(size):
        at = (r + 1) * FIELDS
        dealt = select(fresh, load(rows, at + LOCATED), load(rows, at + DEALT))
        store(rows, at + DEALT, dealt)
        store(rows, at + STONE, fresh ^ fresh)
    while True:
        drawing, pooled = wants(registers, lanes), load(registers, POOL)
        whole = lanes_set(load(registers, AT_WORK) & ~drawing)
        if not lanes_set(drawing) or lanes_in(whole) >= lanes // 4:
            store(registers, AT_WORK, drawing)
            return whole
        taken = draw_worlds(rows, wide, positions, tables, drawing & ~pooled)
        draw_stones(rows, registers, wide, pools, positions, drawing & pooled, size)
        kept = drawing & ~(choked(rows, size) | taken)
        keep(rows, kept, size)
        need, left = load(registers, NEED) + kept, load(registers, LEFT) + drawing
        store(registers, NEED, need & ~(kept & ~pooled))
        store(registers, LEFT, left)
        vain = lanes_set(drawing & ~pooled & ~kept & (left == 0))
        deal_one_by_one(registers, wide, pools, positions, vain, size)


@njit(**INLINE)
def begin_worlds(rows, registers, wide, pools, positions, tasks, jobs, cells, idle, size):
    """Give idle lanes the next jobs of one task; return the lanes that remain idle.

    Only what is known of their worlds is there then.
    """
    lanes = lane_count(rows)
    shared = beyond(wide, WIDE * lanes)
    number, job, choice = shared[NEXT_TASK], shared[NEXT_JOB], shared[NEXT_CHOICE]
    task = beyond(tasks, number * TASK)
    playouts, key, first, of_jobs = task[PLAYOUTS], task[KEY], task[CANDIDATES], task[JOBS]
    period, at = task[PERIOD], task[POSITION_INDEX] * POSITION
    position = beyond(positions, at)
    hidden, weighted = position[HIDDEN], position[WEIGHTED]
    while idle and job < playouts:
        lane = first_lane(idle)
        idle = but_first(idle)
        registers[AT_WORK * lanes + lane] = -1
        candidate = first + jobs[of_jobs + choice]
        wide[WORLD_STATE * lanes + lane] = mix(key + job * STREAM)
        wide[WORLD_TASK * lanes + lane] = number
        wide[WORLD_CANDIDATE * lanes + lane] = candidate
        wide[WORLD_CELL * lanes + lane] = cells[candidate]
        if wide[WORLD_POSITION * lanes + lane] != at:
            wide[WORLD_POSITION * lanes + lane] = at
            for r in range(size):
                rows[((r + 1) * FIELDS + KNOWN) * lanes + lane] = position[OWN + r]
                rows[((r + 1) * FIELDS + LOCATED) * lanes + lane] = position[ENEMY + r]
        registers[FRESH * lanes + lane] = -1
        registers[NEED * lanes + lane] = hidden
        if hidden:
            registers[LEFT * lanes + lane] = DRAWS
            registers[POOL * lanes + lane] = 0
            registers[UNEVEN * lanes + lane] = 0
            if not weighted:
                fill_pool(registers, wide, pools, position, cells[candidate], lane, lanes, size)
        job += 1
        choice += 1
        if choice == period:
            choice = 0
    if job == playouts:
        number, job, choice = number + 1, 0, 0
    shared[NEXT_TASK], shared[NEXT_JOB], shared[NEXT_CHOICE] = number, job, choice
    return idle


@njit(**INLINE)
def fill_pool(registers, wide, pools, position, excluded, lane, lanes, size):
    """Let a lane draw stone by stone, from all open cells but one; the last takes its place."""
    pool, count = beyond(pools, lane * size * size), position[OPEN]
    for i in range(count):
        pool[i] = position[CELLS + i]
    total, out = count, position[WHICH + excluded] if excluded >= 0 else -1
    if position[WEIGHTED]:
        total = 0
        for i in range(count):
            total += position[WEIGHTS + position[CELLS + i]]
    if out >= 0:
        count -= 1
        pool[out] = pool[count]
        total -= position[WEIGHTS + excluded] if position[WEIGHTED] else 1
    registers[LEFT * lanes + lane] = count
    registers[POOL * lanes + lane] = -1
    wide[WEIGHT * lanes + lane] = total


@njit(**INLINE)
def wants(registers, lanes):
    """The lanes that need another stone, and have points or draws left for it, as a mask."""
    return (load(registers, NEED) != 0) & (load(registers, LEFT) != 0)


@njit(**INLINE)
def draw_worlds(rows, wide, positions, tables, drawing):
    """Draw a world in one go in each lane of a mask; return the lanes where the candidate is
    occupied.
    """
    lanes = lane_count(rows)
    taken = drawing ^ drawing
    waiting = lanes_set(drawing)
    while waiting:
        at = wide[WORLD_POSITION * lanes + first_lane(waiting)]
        alike = waiting & lanes_set(load_wide(wide, WORLD_POSITION, drawing) == at)
        waiting ^= alike
        position, cells = beyond(positions, at), load_wide(wide, WORLD_CELL, drawing)
        these = mask_of(alike, drawing)
        taken |= draw_by_odds(rows, wide, position, tables, cells, these)
    return taken


@njit(**INLINE)
def deal_one_by_one(registers, wide, pools, positions, vain, size):
    """Begin to deal worlds stone by stone in some lanes, after too many rejected draws."""
    lanes = lane_count(registers)
    while vain:
        lane = first_lane(vain)
        vain = but_first(vain)
        registers[UNEVEN * lanes + lane] = -1
        position = beyond(positions, wide[WORLD_POSITION * lanes + lane])
        excluded = wide[WORLD_CELL * lanes + lane]
        fill_pool(registers, wide, pools, position, excluded, lane, lanes, size)


@njit(**INLINE)
def draw_stones(rows, registers, wide, pools, positions, drawing, size):
    """Draw a stone in every lane of a mask."""
    lanes = lane_count(rows)
    waiting = lanes_set(drawing)
    if not waiting:
        return
    state = load_wide(wide, WORLD_STATE, drawing) + (widen_mask(drawing) & GAMMA)
    total = load_wide(wide, WEIGHT, drawing)
    store(wide, WORLD_STATE, state)
    store(wide, DRAWN, below(mix(state), total))
    store(wide, WEIGHT, total + widen_mask(drawing))  # one less, for a weight of one
    while waiting:
        lane = first_lane(waiting)
        waiting = but_first(waiting)
        pool, last = beyond(pools, lane * size * size), registers[LEFT * lanes + lane] - 1
        place = wide[DRAWN * lanes + lane]
        if registers[UNEVEN * lanes + lane]:
            weights = beyond(positions, wide[WORLD_POSITION * lanes + lane] + WEIGHTS)
            drawn, place = place, 0
            while drawn >= weights[pool[place]]:
                drawn -= weights[pool[place]]
                place += 1
            wide[WEIGHT * lanes + lane] -= weights[pool[place]] - 1
        cell = np.int64(pool[place])
        pool[place] = pool[last]
        rows[(((cell >> 5) + 1) * FIELDS + STONE) * lanes + lane] = 1 << (cell & 31)
