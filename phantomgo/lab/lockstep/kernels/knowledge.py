"""The knowledge that a view gains from each message, as in phantomgo/game/view.py.

In all functions `w` and `s` are a game, `v` the side whose view it is, `rules` the rules and `size`
the points per side.
"""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, PART
from bots.kernels.stream import GAMMA, MIX1, STREAM, mix
from bots.kernels.vectors import beyond
from phantomgo.lab.lockstep.kernels.layout import (
    ALL_TOLD,
    CAPTURED,
    CAPTURES,
    CHANGED,
    COUNT_TOLD,
    DIGEST,
    ENEMIES,
    KO_RULE,
    LOCATED,
    LOST,
    LOST_AT,
    NO_REASON,
    NONE_TOLD,
    OCCUPIED,
    OPPONENT_PASSED,
    OPPONENT_TURN,
    OTHER_DIGEST,
    OWN,
    PASS,
    PLACED_AT,
    POINT_OF,
    POSITIONAL,
    REASONS,
    REFUSALS,
    REFUSED,
    SCRATCH,
    SITUATIONAL,
    SUICIDE,
    TAKEN,
    TAKEN_AT,
    TURN,
    TURN_OF,
    VACANT,
    sets_of,
    words_of,
)
from phantomgo.lab.lockstep.kernels.sets import (
    ROWS,
    any_of,
    border,
    count_of,
    flood,
    full,
    get,
    grow,
    nothing,
    put,
    stone,
)
from phantomgo.lab.lockstep.kernels.turning import keep_point, keep_set

# What kind of message is folded into the digest
ACCEPTED, REFUSAL, MOVED, PASSED, PLACED = range(1, 6)


@njit(**PART)
def fold(w, v, number):
    """Let the digest of a view depend on a number."""
    view = words_of(w, v)
    view[DIGEST] = mix(view[DIGEST] + number + GAMMA)
    view[OTHER_DIGEST] = mix((view[OTHER_DIGEST] ^ number) * MIX1 + STREAM)


@njit(**INLINE)
def fold_set(w, s, v, index, size):
    """Let the digest of a view depend on a set of the game."""
    for r in range(size):
        fold(w, v, np.int64(s[index * ROWS + r]))


@njit(**INLINE)
def known_empty_or_own(s, at):
    """The points without a hidden stone: own stones, located ones, vacant points."""
    return get(s, at + OWN) | get(s, at + LOCATED) | get(s, at + VACANT)


@njit(**INLINE)
def unknown(s, v, size):
    """Points where a hidden enemy stone may stand."""
    return full(size) & ~known_empty_or_own(s, sets_of(v, size))


@njit(**INLINE)
def hidden(w, s, v, size):
    """Enemy stones that stand somewhere the player does not know."""
    return words_of(w, v)[ENEMIES] - count_of(get(s, sets_of(v, size) + LOCATED))


@njit(**INLINE)
def keep_room(w, s, v, rules, size):
    """No more enemy stones than there is room for, where captures are not told."""
    if rules[CAPTURES] == NONE_TOLD:
        room = count_of(get(s, sets_of(v, size) + LOCATED) | unknown(s, v, size))
        view = words_of(w, v)
        view[ENEMIES] = min(view[ENEMIES], room)


@njit(**PART)
def hear_accepted(w, s, v, p, rules, size):
    """The own move is legal; the rules decide what is told about its captures, the set CAPTURED."""
    view, at = words_of(w, v), sets_of(v, size)
    fold(w, v, ACCEPTED)
    fold(w, v, p)
    view[TURN] += 1
    view[REFUSALS] = 0
    if p == PASS:
        return
    view[PLACED_AT + p] = view[TURN]
    keep_point(view, p, size)
    point, captured = stone(p, size), get(s, CAPTURED)
    own, located = get(s, at + OWN) | point, get(s, at + LOCATED)
    count, told = count_of(captured), rules[CAPTURES]
    if told == ALL_TOLD or (told == COUNT_TOLD and count == 0):
        if count:
            fold_set(w, s, v, CAPTURED, size)
            keep_set(view, s, CAPTURED, size)
            note_when(s, beyond(view, TAKEN_AT), CAPTURED, view[OPPONENT_TURN], size)
        located &= ~captured
    else:
        captured = nothing()
        steps = count if told == COUNT_TOLD else size * size
        fold(w, v, count if told == COUNT_TOLD else -1)
        located &= ~within_reach(point, own, steps, size)
    if told == NONE_TOLD:
        count = 0
    put(s, at + OWN, own)
    put(s, at + LOCATED, located)
    put(s, at + VACANT, (get(s, at + VACANT) | captured) & ~point)
    note_change(w, s, v, point | captured, point | captured, size)
    view[ENEMIES] -= count
    view[TAKEN] += count
    keep_room(w, s, v, rules, size)


@njit(**INLINE)
def within_reach(point, own, steps, size):
    """The points where stones captured by a move, at unknown positions, may have stood."""
    reach = point
    for _ in range(steps):
        wider = reach | (grow(reach, size) & ~own)
        if not any_of(wider ^ reach):
            break
        reach = wider
    return reach


@njit(**INLINE)
def note_when(s, when, index, turn, size):
    """Record a turn for every point of a set of the game."""
    for r in range(size):
        row = np.int64(s[index * ROWS + r])
        for c in range(size):
            if row >> c & 1:
                when[r * size + c] = turn


@njit(**PART)
def hear_refused(w, s, v, p, reason, rules, size):
    """The own attempt is illegal; the reason told, 0 if none is."""
    view, at = words_of(w, v), sets_of(v, size)
    fold(w, v, REFUSAL)
    fold(w, v, p << 3 | reason)
    view[REFUSALS] += 1
    keep_point(view, p, size)
    point = stone(p, size)
    if any_of(point & (get(s, at + OWN) | get(s, at + LOCATED))):
        return
    note_change(w, s, v, nothing(), point, size)
    last = view[REFUSED]
    view[POINT_OF + last], view[TURN_OF + last] = p, view[TURN]
    put(s, at + CHANGED + last, nothing())
    view[REFUSED] = last + 1
    if reason == OCCUPIED:
        locate(w, s, v, point, size)
    elif reason or rules[REASONS] != NO_REASON:
        surround = liberties_with(s, at, point, size) if reason == SUICIDE else nothing()
        put(s, at + VACANT, get(s, at + VACANT) | point)
        locate(w, s, v, surround & ~get(s, at + LOCATED), size)
    else:
        deduce(w, s, v, p, rules, size)
    keep_room(w, s, v, rules, size)


@njit(**INLINE)
def deduce(w, s, v, p, rules, size):
    """Locate an enemy stone on the point just refused if nothing else explains the refusal.

    Each find may settle the other points refused this turn.
    """
    view = words_of(w, v)
    if not explained_by_stone_alone(w, s, v, p, rules, size):
        return
    found = p
    while found >= 0:
        locate(w, s, v, stone(found, size), size)
        found = -1
        for i in range(view[REFUSED]):
            other = view[POINT_OF + i]
            if (
                found < 0
                and view[TURN_OF + i] == view[TURN]
                and explained_by_stone_alone(w, s, v, other, rules, size)
            ):
                found = other


@njit(**PART)
def explained_by_stone_alone(w, s, v, p, rules, size):
    """True if neither ko nor suicide can explain why a point was refused."""
    view, at = words_of(w, v), sets_of(v, size)
    point, vacant = stone(p, size), get(s, at + VACANT)
    counted = rules[CAPTURES] != NONE_TOLD
    superko = rules[KO_RULE] == POSITIONAL or rules[KO_RULE] == SITUATIONAL
    repeated = superko and not (counted and view[TAKEN] == 0 and view[LOST] == 0)
    if any_of(point & vacant) or repeated:
        return False
    needed = liberties_with(s, at, point, size) & ~get(s, at + LOCATED)
    return any_of(needed & vacant) or count_of(needed) > hidden(w, s, v, size)


@njit(**INLINE)
def liberties_with(s, at, point, size):
    """The points next to the chain that an own stone there would belong to."""
    return border(flood(point, get(s, at + OWN) | point), size)


@njit(**PART)
def hear_moved(w, s, v, rules, size):
    """The opponent has moved, and took the stones of the set CAPTURED."""
    view, at = words_of(w, v), sets_of(v, size)
    lost = get(s, CAPTURED)
    fold(w, v, MOVED)
    view[ENEMIES] += 1
    view[OPPONENT_TURN] += 1
    view[OPPONENT_PASSED] = 0
    put(s, at + VACANT, lost)
    if any_of(lost):
        fold_set(w, s, v, CAPTURED, size)
        keep_set(view, s, CAPTURED, size)
        note_when(s, beyond(view, LOST_AT), CAPTURED, view[OPPONENT_TURN], size)
        own = get(s, at + OWN) & ~lost
        put(s, at + OWN, own)
        view[LOST] += count_of(lost)
        note_change(w, s, v, lost, nothing(), size)
        locate(w, s, v, border(lost, size) & ~own, size)
    keep_room(w, s, v, rules, size)


@njit(**INLINE)
def hear_passed(w, v):
    """The opponent has passed."""
    view = words_of(w, v)
    fold(w, v, PASSED)
    view[OPPONENT_TURN] += 1
    view[OPPONENT_PASSED] = 1


@njit(**INLINE)
def hear_placed(w, s, v, mine, size):
    """Handicap stones stand on the board, `mine` or the opponent's: the set CAPTURED."""
    at, points = sets_of(v, size), get(s, CAPTURED)
    fold(w, v, PLACED)
    fold_set(w, s, v, CAPTURED, size)
    keep_set(words_of(w, v), s, CAPTURED, size)
    if mine:
        put(s, at + OWN, get(s, at + OWN) | points)
    else:
        put(s, at + LOCATED, get(s, at + LOCATED) | points)
        words_of(w, v)[ENEMIES] += count_of(points)


@njit(**INLINE)
def locate(w, s, v, stones, size):
    """Enemy stones certainly stand there."""
    if any_of(stones):
        at = sets_of(v, size)
        put(s, at + LOCATED, get(s, at + LOCATED) | stones)
        note_change(w, s, v, nothing(), stones, size)


@njit(**PART)
def note_change(w, s, v, points, settled, size):
    """Add a change at these points to what is known of each refusal; settled ones are dropped."""
    view, changed = words_of(w, v), sets_of(v, size) + CHANGED
    put(s, SCRATCH, settled)
    kept = 0
    for i in range(view[REFUSED]):
        p = view[POINT_OF + i]
        if s[SCRATCH * ROWS + p // size] >> p % size & 1:
            continue
        put(s, changed + kept, get(s, changed + i) | points)
        view[POINT_OF + kept], view[TURN_OF + kept] = p, view[TURN_OF + i]
        kept += 1
    view[REFUSED] = kept
