"""A player's belief and passing rule, as in bots/belief.py and bots/passing.py."""

from numba import njit

from bots.kernels.jit import INLINE, PART
from phantomgo.lab.lockstep.kernels.knowledge import hidden, unknown
from phantomgo.lab.lockstep.kernels.layout import (
    CHANGED,
    ENEMY,
    LOCATED,
    OPEN,
    OWN,
    POINT_OF,
    REFUSED,
    SCRATCH,
    VACANT,
    sets_of,
    words_of,
)
from phantomgo.lab.lockstep.kernels.sets import (
    ROWS,
    any_of,
    beside,
    count_of,
    down,
    flood,
    full,
    get,
    grow,
    nothing,
    put,
    row_numbers,
    stone,
    up,
)


@njit(**PART)
def presume_refused(w, s, v, size):
    """Write ENEMY and OPEN, presuming a stone on each refused point where one is possible and no
    eye explains the refusal; return how many stones are hidden on open points.
    """
    view, at = words_of(w, v), sets_of(v, size)
    own, located = get(s, at + OWN), get(s, at + LOCATED)
    refused = nothing()
    for i in range(view[REFUSED]):
        refused |= stone(view[POINT_OF + i], size)
    eyes = get(s, at + VACANT) | (refused & ~beside(full(size) & ~(own | located), size))
    presumed = placeable(w, s, v, refused & ~eyes, size)
    enemy = located | presumed
    open_points = full(size) & ~(own | enemy | eyes)
    put(s, ENEMY, enemy)
    put(s, OPEN, open_points)
    return min(hidden(w, s, v, size) - count_of(presumed), count_of(open_points))


@njit(**PART)
def presume_nothing(w, s, v, size):
    """Write ENEMY and OPEN, presuming nothing; return how many stones are hidden."""
    room = unknown(s, v, size)
    put(s, ENEMY, get(s, sets_of(v, size) + LOCATED))
    put(s, OPEN, room)
    return min(hidden(w, s, v, size), count_of(room))


@njit(**INLINE)
def placeable(w, s, v, suspects, size):
    """As many of these points as can have hidden stones while each chain has a liberty."""
    if not any_of(suspects):
        return suspects
    at, most = sets_of(v, size), hidden(w, s, v, size)
    own, located = get(s, at + OWN), get(s, at + LOCATED)
    if count_of(suspects) <= most and all_breathe(own, located | suspects, size):
        return suspects
    placed = nothing()
    put(s, SCRATCH, suspects)
    for p in range(size * size):
        if s[SCRATCH * ROWS + p // size] >> p % size & 1:
            more = placed | stone(p, size)
            if count_of(more) <= most and all_breathe(own, located | more, size):
                placed = more
    return placed


@njit(**INLINE)
def all_breathe(own, enemy, size):
    """True if every chain has a liberty."""
    near_empty = grow(full(size) & ~(own | enemy), size)
    choked = (flood(near_empty, own) ^ own) | (flood(near_empty, enemy) ^ enemy)
    return not any_of(choked)


@njit(**INLINE)
def candidates(w, s, v, size):
    """The points worth an attempt, after `presume_refused`."""
    view, at = words_of(w, v), sets_of(v, size)
    own, enemy = get(s, at + OWN), get(s, ENEMY)
    points = full(size) & ~(own | enemy)
    for i in range(view[REFUSED]):
        point = stone(view[POINT_OF + i], size)
        if any_of(points & point) and still_refused(s, at, i, point, size):
            points &= ~point
    return points & ~true_eyes(own, enemy, size)


@njit(**INLINE)
def still_refused(s, at, i, point, size):
    """True if no change was seen near a point since it was refused."""
    changed, around = get(s, at + CHANGED + i), beside(point, size)
    if not any_of(changed):
        return True
    chains = flood(around, get(s, at + LOCATED)) | flood(around, get(s, at + OWN))
    return not any_of(grow(chains | point, size) & changed)


@njit(**INLINE)
def true_eyes(own, enemy, size):
    """The one-point eyes of `own` that no enemy stone breaks."""
    eyes = full(size) & ~(own | enemy | beside(full(size) & ~own, size))
    north, south = up(enemy), down(enemy)
    nw, ne, sw, se = north << 1, north >> 1, south << 1, south >> 1
    north, south = nw | ne, sw | se
    inner = (row_numbers() - 1 < size - 2) & ((1 << (size - 1)) - 2)
    return eyes & ~((nw & ne) | (sw & se) | (north & south) | ((north | south) & ~inner))


@njit(**PART)
def wins_as_it_stands(w, s, v, need, size):
    """True if the board is won wherever the hidden stones are."""
    at = sets_of(v, size)
    own, located = get(s, at + OWN), get(s, at + LOCATED)
    if hidden(w, s, v, size):
        return 2 * count_of(own | true_eyes(own, located, size)) - size * size > need
    empty = full(size) & ~(own | located)
    mine = flood(beside(own, size) & empty, empty)
    theirs = flood(beside(located, size) & empty, empty)
    return count_of(own | (mine & ~theirs)) - count_of(located | (theirs & ~mine)) > need


@njit(**PART)
def only_enemy_territory(s, v, size):
    """True if only own eyes and regions bordered solely by enemy stones are left."""
    at = sets_of(v, size)
    own, located = get(s, at + OWN), get(s, at + LOCATED)
    beside_own = beside(own, size) & ~(own | located)
    return any_of(own) and not any_of(beside_own & beside(full(size) & ~own, size))
