"""Hidden stones dealt: a world in every lane.

Where all points are alike likely, the stones of a world are placed one by one on points drawn at
random, and one that would leave a chain without a liberty is left out. Where they are not, a world
is drawn in one go (odds.py), and dealt one by one only if that was in vain. All lanes go in lock
step: each draws its next stone, and one flood of life from the liberties, as in the playouts,
tells of all of them which may stay (breath.py).
"""

import numpy as np
from numba import njit

from bots.kernels.breath import STONE, choked, keep
from bots.kernels.jit import INLINE
from bots.kernels.odds import draw_worlds
from bots.kernels.rows import DEALT, FIELDS, LEFT, NEED
from bots.kernels.stream import GAMMA, STREAM, below, mix
from bots.kernels.vectors import (
    everywhere,
    lane_count,
    lanes_set,
    load,
    load_wide,
    lowest_bit,
    store,
    widen_mask,
)


@njit(**INLINE)
def deal(
    rows, registers, random, pools, enemy, cells, weights, chances, hidden, excluded, jobs, start,
    key, size,
):  # fmt: skip
    """Deal the worlds of the next playouts, as many as there are lanes and jobs from `start` on.

    Lane i gets the world of job `start` + i: all enemy stones in DEALT, and the state of its
    random numbers in the second part of `random`. `enemy` has the rows of the known ones; `cells`
    are the open points as 32 * row + column, `weights` those of such numbers, and `chances` what
    odds.py makes of them, both of length 0 where all are alike; `excluded` tells of each candidate
    (those of the playouts are in `jobs`) which of the open points it is, or -1: no stone is dealt
    there. `key` is the random stream of the first job.
    """
    lanes = lane_count(rows)
    hidden = min(hidden, len(cells))
    for r in range(size):
        store(rows, ((r + 1) * FIELDS + DEALT) * lanes, everywhere(rows, enemy[r]))
        store(rows, ((r + 1) * FIELDS + STONE) * lanes, everywhere(rows, 0))
    for i in range(lanes):
        registers[NEED * lanes + i] = 0
    for i in range(min(lanes, len(jobs) - start)):
        random[lanes + i] = mix(key + (start + i) * STREAM)
        registers[NEED * lanes + i] = hidden
    if len(weights):
        draw_worlds(rows, registers, random, cells, chances, hidden, excluded, jobs, start, size)
    total = sum_of_weights(weights, cells)
    for i in range(min(lanes, len(jobs) - start)):
        if registers[NEED * lanes + i]:
            out = excluded[jobs[start + i]]
            registers[LEFT * lanes + i] = fill_pool(pools, i, cells, out)
            random[2 * lanes + i] = total
            if out >= 0:
                random[2 * lanes + i] -= weights[cells[out]] if len(weights) else 1
    wanting = lanes_set(wants(registers, lanes))
    while wanting:
        draw_stones(rows, registers, random, pools, wanting, weights, len(cells))
        kept = ~choked(rows, size)
        keep(rows, kept, size)
        drew = wants(registers, lanes)
        store(registers, NEED * lanes, load(registers, NEED * lanes) + (drew & kept))
        store(registers, LEFT * lanes, load(registers, LEFT * lanes) + drew)
        wanting = lanes_set(wants(registers, lanes))


@njit(**INLINE)
def sum_of_weights(weights, cells):
    """What all cells weigh together, each of them 1 where all are alike."""
    total = np.int64(0)
    for cell in cells:
        total += weights[cell] if len(weights) else 1
    return total


@njit(**INLINE)
def fill_pool(pools, lane, cells, excluded):
    """Put the open cells but one in a lane's pool, the last in its place; return their number."""
    first, count = lane * len(cells), len(cells)
    for i in range(count):
        pools[first + i] = cells[i]
    if excluded >= 0:
        count -= 1
        pools[first + excluded] = pools[first + count]
    return count


@njit(**INLINE)
def wants(registers, lanes):
    """The lanes that need another stone and have points left for it, as a mask."""
    return (load(registers, NEED * lanes) != 0) & (load(registers, LEFT * lanes) != 0)


@njit(**INLINE)
def draw_stones(rows, registers, random, pools, wanting, weights, size):
    """Draw a stone in every lane that wants one; pools are `size` apart.

    The third part of `random` has what all in the pool weigh together.
    """
    lanes = lane_count(rows)
    drawing = wants(registers, lanes)
    state = load_wide(random, lanes, drawing) + (widen_mask(drawing) & GAMMA)
    store(random, lanes, state)
    store(random, 3 * lanes, below(mix(state), load_wide(random, 2 * lanes, drawing)))
    while wanting:
        lane = lowest_bit(wanting)
        wanting &= wanting - 1
        first, count = lane * size, registers[LEFT * lanes + lane]
        drawn = random[3 * lanes + lane]
        place = first + drawn
        if len(weights):
            place = first
            while drawn >= weights[pools[place]]:
                drawn -= weights[pools[place]]
                place += 1
        cell = pools[place]
        random[2 * lanes + lane] -= weights[cell] if len(weights) else 1
        pools[place] = pools[first + count - 1]
        rows[(((cell >> 5) + 1) * FIELDS + STONE) * lanes + lane] = 1 << (cell & 31)
