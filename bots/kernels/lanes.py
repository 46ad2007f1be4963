"""Random playouts, many games in lock step: one game per lane of a vector register.

A board is an array of rows; a row is a bit mask (bit c for column c), and the same row of 32
games lies side by side in one register (rows of 16 bits, up to 15x15; 16 games with rows of
32 bits on larger boards). So "all neighbours of these points" is two shifts and the rows above
and below, the same code serves every size, and it reads like code for a single game.

An iteration makes one attempt in every lane:

1. `propose`  finds the candidates: empty points that are no true eye and not banned;
2. `choose`   draws one of them in each lane, every one equally likely;
3. `link`     puts it down, and joins neighbouring stones of one colour by links;
   `spread`   floods life from the liberties along the links, for both colours in one go;
4. `commit`   captures what was not reached, takes back suicides (the point is banned until the
              side has moved) and passes the turn.

Life flows up the board in `link` and down in `spread`, once per iteration: a lane where
it may not have arrived everywhere that matters stays `busy`, keeps its move and goes on in
the next iteration, while the other lanes play on.

Rules: area score, simple ko, no suicide; a side never fills its own true single-point eye (all
neighbours own; fewer than two diagonal points the enemy's, the edge counting as one), passes if it
has nothing else, and a playout ends after two passes or 3 * size**2 moves.

A lane whose playout is over is scored and begins the next one, hidden stones dealt by deal.py. The
result of playout g depends on (position, key, g) only.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bots.kernels import deal
from bots.kernels.jit import ENTRY, INLINE
from bots.kernels.stream import GAMMA, STREAM, below, mix
from bots.kernels.vectors import (
    VECTOR_BYTES,
    everywhere,
    lane_count,
    lanes_set,
    load,
    load_wide,
    lowest_bit,
    narrow,
    pointer,
    popcount,
    select,
    store,
    widen,
    widen_mask,
)

# Fields of a row: index, times the lanes, from the beginning of the row
OWN, OPP, BAN, MOVE, EMPTY, CANDIDATE, COUNT, LIFE, ACROSS, UPWARD, MINE, THEIRS = range(12)
FIELDS = 12
# Registers kept between iterations, one value per lane
BUSY, FORCED, TURN, PASSES, MOVES = range(5)
REGISTERS = 5


@njit(**INLINE)
def neighbours(row, above, beneath):
    """Points next to the points of a row, in that row."""
    return (row << 1) | (row >> 1) | above | beneath


@njit(**INLINE)
def propose(rows, size):
    """Write EMPTY, CANDIDATE and COUNT of every row; return the candidates of each lane."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    full = everywhere(rows, (1 << size) - 1)
    total = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * stride
        border = everywhere(rows, -1 if r == 0 or r == size - 1 else 1 | 1 << (size - 1))
        own = load(rows, at + OWN * lanes)
        empty = full & ~(own | load(rows, at + OPP * lanes))
        not_own = neighbours(
            full & ~own,
            ~load(rows, at + stride + OWN * lanes),
            ~load(rows, at - stride + OWN * lanes),
        )
        above = load(rows, at + stride + OPP * lanes)
        beneath = load(rows, at - stride + OPP * lanes)
        nw, ne, sw, se = above >> 1, above << 1, beneath >> 1, beneath << 1
        north, south = nw | ne, sw | se
        false_eye = (nw & ne) | (sw & se) | (north & south) | ((north | south) & border)
        candidate = empty & (not_own | false_eye) & ~load(rows, at + BAN * lanes)
        count = popcount(candidate)
        store(rows, at + EMPTY * lanes, empty)
        store(rows, at + CANDIDATE * lanes, candidate)
        store(rows, at + COUNT * lanes, count)
        total += count
    return total


@njit(**INLINE)
def choose(rows, registers, states, total, size):
    """Draw a candidate in every lane: return its rank among all, and its bit in its row."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    nothing = everywhere(rows, 0)
    busy = load(registers, BUSY * lanes)
    draws = widen_mask((total != 0) & ~busy)
    state = load_wide(states, 0, total) + (draws & GAMMA)
    store(states, 0, state)
    rank = narrow(below(mix(state), widen(total)), total)

    chosen, skip, left = nothing, nothing, rank
    for r in range(size):  # the row that holds candidate number `rank`
        at = (r + 1) * stride
        count = load(rows, at + COUNT * lanes)
        here = left < count
        chosen |= load(rows, at + CANDIDATE * lanes) & here
        skip |= left & here
        left -= count
    for column in range(size - 1):  # its lowest `skip` bits go
        chosen = select(skip > column, chosen & (chosen - 1), chosen)
    chosen &= nothing - chosen
    return rank, chosen


@njit(**INLINE)
def run_fill(row, across):
    """Life runs along the links of a row: to the end towards high columns, two steps back."""
    row |= (row >> 1) & across
    row |= across ^ (across + (row & across))  # the carry of the sum runs along the links
    return row | ((row >> 1) & across)


@njit(**INLINE)
def link(rows, registers, rank, chosen, size):
    """Put down the moves, link stones of one colour, and let life run up from the liberties.

    Writes MOVE; ACROSS, with bit c where columns c and c + 1 are linked; UPWARD, where a row and
    the next are; and LIFE. A busy lane keeps its move and the life found so far.
    """
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    nothing = everywhere(rows, 0)
    busy = load(registers, BUSY * lanes)
    own = enemy = empty = empty_beneath = rising = nothing
    for r in range(size + 1):  # looks one row ahead: `above` is row r, the others are row r - 1
        at = (r + 1) * stride
        own_above = enemy_above = empty_above = nothing
        if r < size:
            count = load(rows, at + COUNT * lanes)
            drawn = chosen & (rank < count)
            rank -= count  # once past zero it stays beyond every count
            move = select(busy, load(rows, at + MOVE * lanes), drawn)
            store(rows, at + MOVE * lanes, move)
            own_above = load(rows, at + OWN * lanes) | move
            enemy_above = load(rows, at + OPP * lanes)
            empty_above = load(rows, at + EMPTY * lanes) & ~move
        if r > 0:
            at -= stride
            across = (own & (own >> 1)) | (enemy & (enemy >> 1))
            upward = (own & own_above) | (enemy & enemy_above)
            life = (own | enemy) & neighbours(empty, empty_above, empty_beneath)
            life |= (load(rows, at + LIFE * lanes) & busy) | rising
            life = run_fill(life, across)
            rising = life & upward
            store(rows, at + ACROSS * lanes, across)
            store(rows, at + UPWARD * lanes, upward)
            store(rows, at + LIFE * lanes, life)
        own, enemy, empty_beneath, empty = own_above, enemy_above, empty, empty_above


@njit(**INLINE)
def spread(rows, registers, size):
    """Life runs down the board; then, with what is now known, decide what became of each move.

    Return the masks (capture, accepted, switch, ko) for `commit`.
    """
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    nothing = everywhere(rows, 0)
    full = everywhere(rows, (1 << size) - 1)
    unsettled = doubt = breath = friend = exit_ = played = nothing
    dead = several = life_above = move_above = nothing
    move = load(rows, size * stride + MOVE * lanes)
    for i in range(size):
        at = (size - i) * stride
        across = load(rows, at + ACROSS * lanes)
        upward = load(rows, at + UPWARD * lanes)
        life = load(rows, at + LIFE * lanes) | (life_above & upward)
        life = run_fill(life, across)
        store(rows, at + LIFE * lanes, life)
        unsettled |= (across & (life ^ (life >> 1))) | (upward & (life ^ life_above))

        move_beneath = load(rows, at - stride + MOVE * lanes)
        own = load(rows, at + OWN * lanes)
        enemy = load(rows, at + OPP * lanes)
        beside = neighbours(move, move_above, move_beneath) & full
        lost = enemy & ~life
        doubt |= beside & lost
        breath |= move & life
        friend |= beside & own
        exit_ |= beside & ~enemy
        played |= move
        several |= (lost & (lost - 1)) | (lost & (dead != 0))
        dead |= lost
        life_above = life
        move_above, move = move, move_beneath

    forced = load(registers, FORCED * lanes)
    turn = load(registers, TURN * lanes)
    none = played == 0
    settled = unsettled == 0
    unharmed = doubt == 0  # no enemy chain next to the move can be captured
    own_known = (breath != 0) | (friend == 0)
    done = settled | none | (unharmed & own_known)
    capture = settled & ~unharmed
    accepted = done & ((breath != 0) | capture) & ~none
    switch = done & (accepted | none | forced)
    ko = capture & (exit_ == 0) & (several == 0)

    passes = load(registers, PASSES * lanes)
    passes = select(switch, (passes - (switch & ~accepted)) & ~accepted, passes)
    store(registers, PASSES * lanes, passes)
    store(registers, MOVES * lanes, load(registers, MOVES * lanes) - switch)
    store(registers, BUSY * lanes, ~done)
    store(registers, TURN * lanes, turn ^ switch)
    store(registers, FORCED * lanes, forced & ~done)
    return capture, accepted, switch, ko


@njit(**INLINE)
def commit(rows, registers, capture, accepted, switch, ko, size, amaf):
    """Put the moves on the boards and change sides, in the lanes of `switch`."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    busy = load(registers, BUSY * lanes)
    for r in range(size):
        at = (r + 1) * stride
        own = load(rows, at + OWN * lanes)
        enemy = load(rows, at + OPP * lanes)
        move = load(rows, at + MOVE * lanes)
        captured = enemy & ~load(rows, at + LIFE * lanes) & capture
        ban = load(rows, at + BAN * lanes) | (move & ~busy)
        store(rows, at + OWN * lanes, select(switch, enemy & ~captured, own))
        store(rows, at + OPP * lanes, select(switch, own | (move & accepted), enemy))
        store(rows, at + BAN * lanes, select(switch, captured & ko, ban))
        if amaf:
            mine = load(rows, at + MINE * lanes)
            theirs = load(rows, at + THEIRS * lanes)
            first = move & accepted & ~theirs
            store(rows, at + MINE * lanes, select(switch, theirs, mine))
            store(rows, at + THEIRS * lanes, select(switch, mine | first, theirs))


@njit(**INLINE)
def put_board(rows, lane, own, enemy, size):
    """Write a board (row r at index r + 1) to a lane, and forget what the lane knew."""
    lanes = lane_count(rows)
    for r in range(size):
        at = (r + 1) * FIELDS * lanes + lane
        rows[at + OWN * lanes] = own[r + 1]
        rows[at + OPP * lanes] = enemy[r + 1]
        rows[at + BAN * lanes] = 0
        rows[at + MOVE * lanes] = 0
        rows[at + LIFE * lanes] = 0
        rows[at + MINE * lanes] = 0
        rows[at + THEIRS * lanes] = 0


@njit(**INLINE)
def get_field(rows, lane, field, values, size):
    """Read the rows of one field of a lane (row r to index r + 1)."""
    lanes = lane_count(rows)
    for r in range(size):
        values[r + 1] = rows[((r + 1) * FIELDS + field) * lanes + lane]


@njit(**INLINE)
def grow(region, within, size):
    """Add to a region its neighbours in `within`; return whether there were any."""
    grown = False
    for r in range(1, size + 1):
        new = within[r] & neighbours(region[r], region[r + 1], region[r - 1]) & ~region[r]
        region[r] |= new
        grown |= new != 0
    return grown


@njit(**INLINE)
def fill_pool(pool, cells, count, excluded):
    """The open cells in board order, an excluded one replaced by the last; return the count."""
    for i in range(count):
        pool[i] = cells[i]
    if excluded >= 0:
        count -= 1
        pool[excluded] = pool[count]
    return count


@njit(**INLINE)
def area_score(own, enemy, empty, own_reach, enemy_reach, size):
    """Own area less the enemy's: stones, and empty regions that touch one colour only.

    The last three boards are work space.
    """
    full = (1 << size) - 1
    regions = 0  # empty points next to empty points
    for r in range(1, size + 1):
        empty[r] = full & ~(own[r] | enemy[r])
        regions |= empty[r] & (empty[r] >> 1 | empty[r - 1])
        own_reach[r] = empty[r] & neighbours(own[r], own[r + 1], own[r - 1])
        enemy_reach[r] = empty[r] & neighbours(enemy[r], enemy[r + 1], enemy[r - 1])
    if regions:
        while grow(own_reach, empty, size):
            pass
        while grow(enemy_reach, empty, size):
            pass
    score = 0
    for r in range(1, size + 1):
        score += popcount(own[r] | (own_reach[r] & ~enemy_reach[r]))
        score -= popcount(enemy[r] | (enemy_reach[r] & ~own_reach[r]))
    return score


@njit(**INLINE)
def holds(points, p):
    """Whether a point is in a set of points (bytes; bit p % 8 of byte p // 8)."""
    return points[p >> 3] >> (p & 7) & 1


@njit(**INLINE)
def clear(rows, registers, size):
    """Empty boards in every lane, closed in by rows that are not empty."""
    lanes = lane_count(rows)
    stride = FIELDS * lanes
    for i in range((size + 2) * stride):
        rows[i] = 0
    for i in range(REGISTERS * lanes):
        registers[i] = 0
    for lane in range(lanes):
        rows[OWN * lanes + lane] = -1
        rows[(size + 1) * stride + OWN * lanes + lane] = -1


@njit(**INLINE)
def add_first_plays(rows, lane, field, first_plays, credit, size):
    """Add `credit` at every point of a field of a lane."""
    lanes = lane_count(rows)
    for r in range(size):
        plays = np.int64(rows[((r + 1) * FIELDS + field) * lanes + lane])
        for c in range(size):
            first_plays[r * size + c] += credit & -(plays >> c & 1)


@njit(**INLINE)
def iterate(rows, registers, random, size, limit, amaf):
    """One attempt in every lane; return the lanes whose playout is over, a bit each."""
    lanes = lane_count(rows)
    total = propose(rows, size)
    rank, chosen = choose(rows, registers, random, total, size)
    link(rows, registers, rank, chosen, size)
    capture, accepted, switch, ko = spread(rows, registers, size)
    commit(rows, registers, capture, accepted, switch, ko, size, amaf)
    moves = load(registers, MOVES * lanes)
    return lanes_set((load(registers, PASSES * lanes) >= 2) | (moves >= limit))


@njit(**ENTRY)
def play_out(
    work, status, states, size, own, enemy, open_points, weights, hidden, need, opponent_passed,
    candidates, jobs, first, key, visits, wins, margins, amaf, amaf_visits, amaf_wins,
):  # fmt: skip
    """Play playouts number first ... first + len(jobs) - 1; return their moves, passes included.

    A playout deals the hidden stones over the open points except its candidate, each world in
    which every chain breathes as likely as by placing them one by one. Then the searching side
    plays the candidate, or passes if that is illegal, and both play at random.

    Args:
        work: the three arrays that `workspace` makes.
        status: the second.
        states: the third.
        size: points per side.
        own: the searching side's stones: a set of points as bytes, bit p % 8 of byte p // 8.
        enemy: the enemy stones it knows or presumes.
        open_points: where the hidden ones may stand.
        weights: how likely one stands on each point, int64 from 1 to 65536; of length 0 where all
            are alike.
        hidden: how many there are.
        need: a playout is won by an area margin, own less enemy, greater than this.
        opponent_passed: 1 if the opponent has just passed, so that a pass ends the game; else 0.
        candidates: points, int64; -1 is a pass.
        jobs: for each playout the index of its candidate, int64.
        first: the number of the first playout.
        key: the decision's random stream.
        visits: playouts by candidate, int64; added to, as all that follow.
        wins: won playouts by candidate.
        margins: area margins by candidate.
        amaf: whether to count all moves as first.
        amaf_visits: by point, the playouts in which the searching side played the point before
            the enemy did, int64; added to, as is `amaf_wins`.
        amaf_wins: the won ones among them.
    """
    rows, registers, random = pointer(work), pointer(status), pointer(states)
    lanes = lane_count(rows)
    points = size * size
    limit = 3 * points

    base_own = np.zeros(size + 2, np.int64)
    base_enemy = np.zeros(size + 2, np.int64)
    lane_own = np.zeros(size + 2, np.int64)
    lane_enemy = np.zeros(size + 2, np.int64)
    empty = np.zeros(size + 2, np.int64)  # work space, as the next two
    own_reach = np.zeros(size + 2, np.int64)
    enemy_reach = np.zeros(size + 2, np.int64)
    cells = np.zeros(points, np.int64)  # the open points, as 32 * row + column
    pool = np.zeros(points, np.int64)
    cell_weights = np.full(32 * size, deal.EVEN)
    index = np.full(points, -1)  # of a point among the open ones
    count = 0
    width = size + 2
    base_parent, base_breath, side = np.zeros((3, width * width), np.int16)
    parent, breath = np.zeros((2, width * width), np.int16)
    for p in range(points):
        r, c = p // size, p % size
        base_own[r + 1] |= holds(own, p) << c
        base_enemy[r + 1] |= holds(enemy, p) << c
        if holds(open_points, p):
            cells[count] = r << 5 | c
            index[p] = count
            count += 1
        if len(weights):
            cell_weights[r << 5 | c] = weights[p]
    if hidden:
        deal.plant(base_parent, base_breath, side, base_own, base_enemy, size)
    begin = np.zeros(len(candidates), np.int64)  # a candidate as 32 * (row + 1) + column; a pass 0
    excluded = np.full(len(candidates), -1)  # its index among the open points
    for i in range(len(candidates)):
        p = candidates[i]
        if p >= 0:
            begin[i] = (p // size + 1) << 5 | p % size
            excluded[i] = index[p]
    first_plays = np.zeros(points, np.int64)  # visits in the low, wins in the high 32 bits
    playing = np.full(lanes, -1)  # the playout of each lane
    clear(rows, registers, size)

    started = moves = 0
    active = (1 << lanes) - 1  # lanes with a playout, a bit each
    over = active  # those whose playout is over, or has not begun
    while active:
        while over:
            lane = lowest_bit(over)
            over ^= 1 << lane
            if playing[lane] >= 0:
                job = jobs[playing[lane]]
                swapped = registers[TURN * lanes + lane] != 0
                get_field(rows, lane, OPP if swapped else OWN, lane_own, size)
                get_field(rows, lane, OWN if swapped else OPP, lane_enemy, size)
                margin = area_score(lane_own, lane_enemy, empty, own_reach, enemy_reach, size)
                won = np.int64(margin > need)
                visits[job] += 1
                wins[job] += won
                margins[job] += margin
                moves += np.int64(registers[MOVES * lanes + lane])
                if amaf:
                    field = THEIRS if swapped else MINE
                    add_first_plays(rows, lane, field, first_plays, won << 32 | 1, size)
            if started == len(jobs):
                active ^= 1 << lane
                continue
            playing[lane] = started
            job = jobs[started]
            for r in range(size + 2):
                lane_enemy[r] = base_enemy[r]
            state = mix(key + (first + started) * STREAM)
            if hidden:
                n = fill_pool(pool, cells, count, excluded[job])
                for i in range(width * width):
                    parent[i], breath[i] = base_parent[i], base_breath[i]
                state = deal.deal(
                    lane_enemy, parent, breath, side, pool, n, cell_weights, hidden, state, size
                )
            random[lane] = state
            put_board(rows, lane, base_own, lane_enemy, size)
            if begin[job]:
                rows[((begin[job] >> 5) * FIELDS + MOVE) * lanes + lane] = 1 << (begin[job] & 31)
            registers[BUSY * lanes + lane] = -1
            registers[FORCED * lanes + lane] = -1
            registers[TURN * lanes + lane] = 0
            registers[PASSES * lanes + lane] = opponent_passed
            registers[MOVES * lanes + lane] = 0
            started += 1
        if active:
            over = iterate(rows, registers, random, size, limit, amaf) & active
    if amaf:
        for p in range(points):
            amaf_visits[p] += first_plays[p] & 0xFFFFFFFF
            amaf_wins[p] += first_plays[p] >> 32
    return moves


def workspace(size: int, wide: bool = False) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Memory for `play_out` on boards of a size, for one thread at a time.

    Rows have 16 bits up to size 15 unless `wide`, else 32; that sets the number of lanes.
    """
    row = np.dtype(np.uint16 if size <= 15 and not wide else np.uint32)
    lanes = VECTOR_BYTES // row.itemsize
    work = np.zeros((size + 2) * FIELDS * lanes, row)
    return work, np.zeros(REGISTERS * lanes, row), np.zeros(lanes, np.int64)
