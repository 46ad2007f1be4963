"""Hidden stones dealt: a world in every lane.

The stones of a world are placed one by one on points drawn at random, and one that would leave a
chain without a liberty is left out. All lanes go in lock step: each draws its next stone, and one
flood of life from the liberties, as in the playouts, tells of all of them which may stay.
"""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.rows import (
    ACROSS,
    CANDIDATE,
    DEALT,
    EMPTY,
    FIELDS,
    KNOWN,
    LEFT,
    NEED,
    UPWARD,
    linked,
    neighbours,
    run_fill,
)
from bots.kernels.stream import GAMMA, STREAM, below, mix
from bots.kernels.vectors import everywhere, lane_count, lanes_set, load, lowest_bit, store

EVEN = 1 << 16  # the weight of every point where all are alike
STONE, BREATH = EMPTY, CANDIDATE  # fields: the stone just drawn, and the stones that have liberties


@njit(**INLINE)
def deal(
    rows, registers, random, pools, enemy, cells, weights, hidden, excluded, jobs, start, key, size
):  # fmt: skip
    """Deal the worlds of the next playouts, as many as there are lanes and jobs from `start` on.

    Lane i gets the world of job `start` + i: all enemy stones in DEALT, and the state of its
    random numbers in the second half of `random`. `enemy` has the rows of the known ones; `cells`
    are the open points as 32 * row + column, and `weights` those of such numbers; `excluded` tells
    of each candidate (those of the playouts are in `jobs`) which of the open points it is, or -1:
    no stone is dealt there. `key` is the random stream of the first job.
    """
    lanes = lane_count(rows)
    for r in range(size):
        store(rows, ((r + 1) * FIELDS + DEALT) * lanes, everywhere(rows, enemy[r]))
        store(rows, ((r + 1) * FIELDS + STONE) * lanes, everywhere(rows, 0))
    for i in range(lanes):
        registers[NEED * lanes + i] = 0
    for i in range(min(lanes, len(jobs) - start)):
        random[lanes + i] = mix(key + (start + i) * STREAM)
        if hidden:
            registers[NEED * lanes + i] = hidden
            registers[LEFT * lanes + i] = fill_pool(pools, i, cells, excluded[jobs[start + i]])
    wanting = lanes_set(wants(registers, lanes))
    while wanting:
        draw_stones(rows, registers, random, pools, wanting, weights, len(cells))
        keep(rows, registers, ~choked(rows, size), size)
        wanting = lanes_set(wants(registers, lanes))


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
    """Draw a stone in every lane that wants one; pools are `size` apart."""
    lanes = lane_count(rows)
    while wanting:
        lane = lowest_bit(wanting)
        wanting &= wanting - 1
        first, count = lane * size, registers[LEFT * lanes + lane]
        state = random[lanes + lane]
        while True:  # a point drawn evenly is kept with a chance of its weight in 65536
            state += GAMMA
            number = mix(state)
            place = first + below(number, count)
            cell = pools[place]
            if number & (EVEN - 1) < weights[cell]:
                break
        random[lanes + lane] = state
        pools[place] = pools[first + count - 1]
        rows[(((cell >> 5) + 1) * FIELDS + STONE) * lanes + lane] = 1 << (cell & 31)


@njit(**INLINE)
def choked(rows, size):
    """The lanes in which a chain has no liberty, as a mask."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    nothing = everywhere(rows, 0)
    full = everywhere(rows, (1 << size) - 1)
    own = enemy = empty = empty_beneath = rising = nothing
    for r in range(size + 1):  # looks one row ahead: `above` is row r, the others are row r - 1
        at = (r + 1) * stride
        own_above = enemy_above = empty_above = nothing
        if r < size:
            own_above = load(rows, at + KNOWN * lanes)
            enemy_above = load(rows, at + DEALT * lanes) | load(rows, at + STONE * lanes)
            empty_above = full & ~(own_above | enemy_above)
        if r > 0:
            at -= stride
            across, upward = linked(own, enemy, own_above, enemy_above)
            life = (own | enemy) & neighbours(empty, empty_above, empty_beneath)
            life = run_fill(life | rising, across)
            rising = life & upward
            store(rows, at + ACROSS * lanes, across)
            store(rows, at + UPWARD * lanes, upward)
            store(rows, at + BREATH * lanes, life)
        own, enemy, empty_beneath, empty = own_above, enemy_above, empty, empty_above
    while True:
        unsettled, dead = run_down(rows, size)
        if not lanes_set((unsettled != 0) & (dead != 0)):
            return dead != 0
        run_up(rows, size)


@njit(**INLINE)
def run_down(rows, size):
    """Let life run down the board; return where it has not arrived yet, and the stones without it,
    all rows on top of one another.
    """
    lanes = lane_count(rows)
    unsettled = dead = life_above = everywhere(rows, 0)
    for i in range(size):
        at = (size - i) * FIELDS * lanes
        across = load(rows, at + ACROSS * lanes)
        upward = load(rows, at + UPWARD * lanes)
        life = run_fill(load(rows, at + BREATH * lanes) | (life_above & upward), across)
        store(rows, at + BREATH * lanes, life)
        unsettled |= (across & (life ^ (life >> 1))) | (upward & (life ^ life_above))
        known = load(rows, at + KNOWN * lanes) | load(rows, at + DEALT * lanes)
        dead |= (known | load(rows, at + STONE * lanes)) & ~life
        life_above = life
    return unsettled, dead


@njit(**INLINE)
def run_up(rows, size):
    """Let life run up the board."""
    lanes = lane_count(rows)
    rising = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes
        life = load(rows, at + BREATH * lanes) | rising
        life = run_fill(life, load(rows, at + ACROSS * lanes))
        store(rows, at + BREATH * lanes, life)
        rising = life & load(rows, at + UPWARD * lanes)


@njit(**INLINE)
def keep(rows, registers, kept, size):
    """Leave the stones just drawn on the boards, in the lanes of a mask, and count them."""
    lanes = lane_count(rows)
    nothing = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes
        stone = load(rows, at + STONE * lanes) & kept
        store(rows, at + DEALT * lanes, load(rows, at + DEALT * lanes) | stone)
        store(rows, at + STONE * lanes, nothing)
    drew = wants(registers, lanes)
    store(registers, NEED * lanes, load(registers, NEED * lanes) + (drew & kept))
    store(registers, LEFT * lanes, load(registers, LEFT * lanes) + drew)
