"""Random playouts in lock step: an attempt in every lane (rows.py describes the layout).

An iteration makes one attempt in every lane:

1. `propose`  finds the candidates: empty points that are no true eye and not banned;
2. `choose`   draws one of them in each lane, every one equally likely;
3. `link`     puts it down, and joins neighbouring stones of one colour by links;
   `spread`   floods life from the liberties along the links, for both colours in one go;
4. `commit`   captures what was not reached, takes back suicides (the point is banned until the
              side has moved) and passes the turn.

Life flows up the board in `link` and down in `spread`, once per iteration. A lane where it may not
have reached everything that matters stays `busy`: it keeps its move and continues in the next
iteration, while other lanes play on. A lane whose playout is over doesn't change.

Rules: area score, simple ko, no suicide; a side never fills its own true single-point eye (all
neighbours own; fewer than two diagonal points the enemy's, the edge counting as one), passes if it
has nothing else, and a playout ends after two passes or 3 * size**2 moves.
"""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.lanesets import lanes_set
from bots.kernels.rows import (
    ACROSS,
    BAN,
    BUSY,
    CANDIDATE,
    COUNT,
    EMPTY,
    FIELDS,
    FORCED,
    LIFE,
    MOVE,
    MOVES,
    OPP,
    OURS,
    OVER,
    OWN,
    PASSES,
    STATE,
    THEIRS,
    TURN,
    UPWARD,
    linked,
    neighbours,
    run_fill,
)
from bots.kernels.stream import GAMMA, below, mix
from bots.kernels.vectors import (
    everywhere,
    load,
    load_wide,
    materialize,
    narrow,
    popcount,
    select,
    store,
    widen,
    widen_mask,
)


@njit(**INLINE)
def propose(rows, size):
    """Write EMPTY, CANDIDATE and COUNT of every row; return the candidates of each lane."""
    full = everywhere(rows, (1 << size) - 1)
    total = everywhere(rows, 0)
    for r in range(size):
        at = (r + 1) * FIELDS
        border = everywhere(rows, -1 if r == 0 or r == size - 1 else 1 | 1 << (size - 1))
        own = load(rows, at + OWN)
        empty = full & ~(own | load(rows, at + OPP))
        not_own = neighbours(
            full & ~own,
            ~load(rows, at + FIELDS + OWN),
            ~load(rows, at - FIELDS + OWN),
        )
        above = load(rows, at + FIELDS + OPP)
        beneath = load(rows, at - FIELDS + OPP)
        nw, ne, sw, se = above >> 1, above << 1, beneath >> 1, beneath << 1
        north, south = nw | ne, sw | se
        false_eye = (nw & ne) | (sw & se) | (north & south) | ((north | south) & border)
        candidate = empty & (not_own | false_eye) & ~load(rows, at + BAN)
        count = popcount(candidate)
        store(rows, at + EMPTY, empty)
        store(rows, at + CANDIDATE, candidate)
        store(rows, at + COUNT, count)
        total += count
    return total


@njit(**INLINE)
def choose(rows, registers, wide, total, size):
    """Draw a candidate in every lane: return its rank among all, and its bit in its row."""
    nothing = everywhere(rows, 0)
    busy = load(registers, BUSY)
    draws = widen_mask((total != 0) & ~busy)
    state = load_wide(wide, STATE, total)
    number = mix(state + GAMMA)
    store(wide, STATE, state + (draws & GAMMA))
    rank = narrow(below(number, widen(total)), total)

    chosen, skip, left = nothing, nothing, rank
    for r in range(size):  # the row that holds candidate number `rank`
        at = (r + 1) * FIELDS
        count = load(rows, at + COUNT)
        here = left < count
        chosen += load(rows, at + CANDIDATE) & here
        skip += left & here
        left -= count
    for column in range(size - 1):  # its lowest `skip` bits go
        chosen &= chosen + (skip > column)
    chosen &= nothing - chosen
    return rank, chosen


@njit(**INLINE)
def link(rows, registers, rank, chosen, size):
    """Put down the moves, link stones of one colour, and let life run up from the liberties.

    Writes MOVE; ACROSS, with bit c where columns c and c + 1 are linked; UPWARD, where a row and
    the next are; and LIFE. A busy lane keeps its move and the life found so far.
    """
    nothing = everywhere(rows, 0)
    busy = load(registers, BUSY)
    own = enemy = empty = empty_beneath = rising = nothing
    for r in range(size + 1):  # looks one row ahead: `above` is row r, the others are row r - 1
        at = (r + 1) * FIELDS
        own_above = enemy_above = empty_above = nothing
        if r < size:
            count = load(rows, at + COUNT)
            drawn = chosen & (rank < count)
            rank -= count  # once past zero it stays beyond every count
            move = select(busy, load(rows, at + MOVE), drawn)
            store(rows, at + MOVE, move)
            own_above = load(rows, at + OWN) | move
            enemy_above = load(rows, at + OPP)
            empty_above = load(rows, at + EMPTY) & ~move
        if r > 0:
            at -= FIELDS
            across, upward = linked(own, enemy, own_above, enemy_above)
            life = (own | enemy) & neighbours(empty, empty_above, empty_beneath)
            life |= (load(rows, at + LIFE) & busy) | rising
            life = run_fill(life, across)
            rising = life & upward
            store(rows, at + ACROSS, across)
            store(rows, at + UPWARD, upward)
            store(rows, at + LIFE, life)
        own, enemy, empty_beneath, empty = own_above, enemy_above, empty, empty_above


@njit(**INLINE)
def spread(rows, registers, size):
    """Let life run down the board, then decide the fate of each move.

    Return the masks (capture, accepted, switch, ko) for `commit`.
    """
    nothing = everywhere(rows, 0)
    full = everywhere(rows, (1 << size) - 1)
    unsettled = doubt = breath = friend = exit_ = played = nothing
    dead = several = life_above = move_above = nothing
    move = load(rows, size * FIELDS + MOVE)
    for i in range(size):
        at = (size - i) * FIELDS
        across = load(rows, at + ACROSS)
        upward = load(rows, at + UPWARD)
        life = load(rows, at + LIFE) | (life_above & upward)
        life = run_fill(life, across)
        store(rows, at + LIFE, life)
        unsettled |= (across & (life ^ (life >> 1))) | (upward & (life ^ life_above))

        move_beneath = load(rows, at - FIELDS + MOVE)
        own = load(rows, at + OWN)
        enemy = load(rows, at + OPP)
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

    doubt, breath, friend = materialize(doubt), materialize(breath), materialize(friend)
    unsettled, played = materialize(unsettled), materialize(played)
    exit_, several = materialize(exit_), materialize(several)
    forced = load(registers, FORCED)
    turn = load(registers, TURN)
    none = played == 0
    settled = unsettled == 0
    unharmed = doubt == 0  # no enemy chain next to the move can be captured
    own_known = (breath != 0) | (friend == 0)
    done = (settled | none | (unharmed & own_known)) & ~load(registers, OVER)
    capture = settled & ~unharmed
    accepted = done & ((breath != 0) | capture) & ~none
    switch = done & (accepted | none | forced)
    ko = capture & (exit_ == 0) & (several == 0)

    passes = load(registers, PASSES)
    passes = select(switch, (passes - (switch & ~accepted)) & ~accepted, passes)
    store(registers, PASSES, passes)
    store(registers, MOVES, load(registers, MOVES) - switch)
    store(registers, BUSY, ~done)
    store(registers, TURN, turn ^ switch)
    store(registers, FORCED, forced & ~done)
    return materialize(capture), materialize(accepted), materialize(switch), materialize(ko)


@njit(**INLINE)
def commit(rows, registers, capture, accepted, switch, ko, size, amaf):
    """Put the moves on the boards and change sides, in the lanes of `switch`."""
    busy = load(registers, BUSY)
    turn = load(registers, TURN)  # already that of the next side
    by_us, by_them = accepted & turn, accepted & ~turn
    for r in range(size):
        at = (r + 1) * FIELDS
        own = load(rows, at + OWN)
        enemy = load(rows, at + OPP)
        move = load(rows, at + MOVE)
        captured = enemy & ~load(rows, at + LIFE) & capture
        ban = load(rows, at + BAN) | (move & ~busy)
        store(rows, at + OWN, select(switch, enemy & ~captured, own))
        store(rows, at + OPP, select(switch, own | (move & accepted), enemy))
        store(rows, at + BAN, select(switch, captured & ko, ban))
        if amaf:
            ours = load(rows, at + OURS)
            theirs = load(rows, at + THEIRS)
            store(rows, at + OURS, ours | (move & by_us & ~theirs))
            store(rows, at + THEIRS, theirs | (move & by_them & ~ours))


@njit(**INLINE)
def iterate(rows, registers, wide, size, limit, amaf):
    """One attempt in every lane whose playout is not over; return those where it is."""
    total = propose(rows, size)
    rank, chosen = choose(rows, registers, wide, total, size)
    link(rows, registers, rank, chosen, size)
    capture, accepted, switch, ko = spread(rows, registers, size)
    commit(rows, registers, capture, accepted, switch, ko, size, amaf)
    over = (load(registers, PASSES) >= 2) | (load(registers, MOVES) >= limit)
    store(registers, OVER, over)
    return lanes_set(over)
