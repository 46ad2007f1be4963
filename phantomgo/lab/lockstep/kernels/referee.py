"""The full board, and what each player is told about it: phantomgo/game/board.py and
phantomgo/game/referee.py.
"""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, PART
from bots.kernels.stream import mix
from phantomgo.lab.lockstep.kernels.knowledge import (
    hear_accepted,
    hear_moved,
    hear_passed,
    hear_placed,
    hear_refused,
)
from phantomgo.lab.lockstep.kernels.layout import (
    ATTEMPTS,
    CAPTURED,
    COUNTED,
    DIGEST,
    DRAW,
    ENDING,
    EVERY_REASON,
    IF_OCCUPIED,
    KEEPING,
    KO,
    KO_RULE,
    KO_SIDE,
    LINE,
    LOSES,
    LOST_AT,
    MARGIN,
    MAX_MOVES,
    MAX_TRIES,
    MOVE_LIMIT,
    MOVES,
    NEXT_ENEMY,
    NEXT_OWN,
    OCCUPIED,
    ON_MAX_TRIES,
    OTHER_DIGEST,
    OWN_STONE,
    PASS,
    PASSED,
    PLAYING,
    POSITIONAL,
    REASONS,
    REFUSALS,
    REPEATED,
    REPETITION,
    RESIGN,
    RESIGNED,
    RETAKES,
    SCORED,
    SEEDS,
    SIMPLE,
    SITUATIONAL,
    STANDS,
    STONES,
    SUICIDE,
    TO_MOVE,
    TURNED,
    VIEW,
    WINNER,
    WORDS,
    sets_of,
    words_of,
)
from phantomgo.lab.lockstep.kernels.sets import (
    any_of,
    beside,
    count_of,
    flood,
    full,
    get,
    grow,
    nothing,
    put,
    row_numbers,
    stone,
)
from phantomgo.lab.lockstep.kernels.turning import seen_at, turn_set


@njit(**PART)
def set_up(w, s, lines, turns, rules, size):
    """Begin a game with open handicap stones, which `s` already has as STONES.

    Args:
        w: the words of the game, overwritten.
        s: its sets.
        lines: the seeds of both sides and the number of own moves at which each gives way to the
            next, shape (2, SEEDS, 2).
        turns: the symmetries under which they see the board.
        rules: the rules.
        size: points per side.
    """
    for i in range(WORDS):
        w[i] = 0
    w[TO_MOVE] = 1 if count_of(get(s, STONES)) > count_of(get(s, STONES + 1)) else 0
    w[KO], w[PASSED], w[WINNER] = -1, -1, -1
    for v in range(2):
        view = words_of(w, v)
        for p in range(LOST_AT, VIEW):
            view[p] = -1
        for i in range(SEEDS):
            for part in range(2):
                view[LINE + 2 * i + part] = lines[v, i, part]
                view[DIGEST] = mix(view[DIGEST] + lines[v, i, part])
        view[OTHER_DIGEST], view[TURNED], view[KEEPING] = v, turns[v], 0xFF
        for index in range(3):
            put(s, sets_of(v, size) + index, nothing())
        for side in range(2):
            if any_of(get(s, STONES + side)):
                show(w, s, v, get(s, STONES + side), size)
                hear_placed(w, s, v, side == v, size)
    remember(w, s, 0, rules, size)


@njit(**PART)
def attempt(w, s, p, rules, size):
    """Judge an attempt of the side to move and tell both players what they may know; return the
    reason.
    """
    side = w[TO_MOVE]
    if p == RESIGN:
        end(w, RESIGNED, 1 - side)
        return STANDS
    if p == PASS:
        accept_pass(w, s, side, rules, size)
        return STANDS
    reason = judge(w, s, side, p, rules, size)
    if reason == STANDS:
        accept(w, s, side, p, rules, size)
        return STANDS
    told = rules[REASONS] == EVERY_REASON
    told |= rules[REASONS] == IF_OCCUPIED and reason == OCCUPIED
    hear_refused(w, s, side, seen_at(w, side, p, size), reason if told else 0, rules, size)
    if rules[ON_MAX_TRIES] == COUNTED:
        w[PASSED] = -1
        count_move(w, s, rules, size)
    elif words_of(w, side)[REFUSALS] >= rules[MAX_TRIES]:
        if rules[ON_MAX_TRIES] == LOSES:
            end(w, ATTEMPTS, 1 - side)
        else:
            accept_pass(w, s, side, rules, size)
    return reason


@njit(**INLINE)
def end(w, ending, winner):
    """The game is over."""
    w[ENDING], w[WINNER] = ending, winner


@njit(**INLINE)
def judge(w, s, side, p, rules, size):
    """Why a move is illegal, or STANDS; the resulting board is left in `s`."""
    point = stone(p, size)
    own, enemy = get(s, STONES + side), get(s, STONES + 1 - side)
    if any_of(enemy & point):
        return OCCUPIED
    if any_of(own & point):
        return OWN_STONE
    if p == w[KO] and side == w[KO_SIDE]:
        return RETAKES
    own |= point
    empty = full(size) & ~(own | enemy)
    alive = flood(beside(empty, size), enemy)
    captured = flood(beside(point, size) & ~alive, enemy & ~alive)
    chain = flood(point, own)
    liberties = grow(chain, size) & (empty | captured)
    if not any_of(liberties):
        return SUICIDE
    put(s, NEXT_OWN, own)
    put(s, NEXT_ENEMY, enemy & ~captured)
    put(s, CAPTURED, captured)
    superko = rules[KO_RULE] == POSITIONAL or rules[KO_RULE] == SITUATIONAL
    if superko and is_repeated(w, s, side, rules, size):
        return RETAKES
    return STANDS


@njit(**INLINE)
def accept(w, s, side, p, rules, size):
    """Put the move on the board, after `judge`."""
    own, captured = get(s, NEXT_OWN), get(s, CAPTURED)
    put(s, STONES + side, own)
    put(s, STONES + 1 - side, get(s, NEXT_ENEMY))
    point = stone(p, size)
    alone = not any_of(beside(point, size) & own)
    liberties = beside(point, size) & ~(own | get(s, NEXT_ENEMY))
    w[KO] = -1
    if alone and count_of(captured) == 1 and not any_of(liberties ^ captured):
        w[KO], w[KO_SIDE] = point_of(captured, size), 1 - side
    if rules[KO_RULE] == DRAW and is_repeated(w, s, side, rules, size):
        end(w, REPETITION, 2)
    remember(w, s, 1 - side, rules, size)
    show(w, s, side, captured, size)
    hear_accepted(w, s, side, seen_at(w, side, p, size), rules, size)
    show(w, s, 1 - side, captured, size)
    hear_moved(w, s, 1 - side, rules, size)
    w[PASSED] = -1
    hand_over(w, s, side, rules, size)


@njit(**INLINE)
def show(w, s, v, points, size):
    """Write points of the board to CAPTURED as a player sees them."""
    put(s, CAPTURED, points)
    turn_set(w, s, v, CAPTURED, size)


@njit(**INLINE)
def point_of(point, size):
    """The only point of a set."""
    p = 0
    for r in range(size):
        if any_of(point & (row_numbers() == r)):
            p = r * size
    for c in range(size):
        if any_of(point & (1 << c)):
            p += c
    return p


@njit(**INLINE)
def accept_pass(w, s, side, rules, size):
    """The side passes."""
    w[KO] = -1
    put(s, CAPTURED, nothing())
    hear_accepted(w, s, side, PASS, rules, size)
    hear_passed(w, 1 - side)
    ended = w[PASSED] == 1 - side
    w[PASSED] = side
    if ended:
        end_with_score(w, s, SCORED, rules, size)
    hand_over(w, s, side, rules, size)


@njit(**INLINE)
def hand_over(w, s, side, rules, size):
    """It is the other side's turn."""
    w[TO_MOVE] = 1 - side
    count_move(w, s, rules, size)


@njit(**INLINE)
def count_move(w, s, rules, size):
    """One move more, which may be the last."""
    w[MOVES] += 1
    if w[ENDING] == PLAYING and w[MOVES] >= rules[MAX_MOVES]:
        end_with_score(w, s, MOVE_LIMIT, rules, size)


@njit(**INLINE)
def end_with_score(w, s, ending, rules, size):
    """End the game and count the board; the caller determines the winner."""
    w[ENDING] = ending
    black, white = get(s, STONES), get(s, STONES + 1)
    empty = full(size) & ~(black | white)
    near_black = flood(grow(black, size) & empty, empty)
    near_white = flood(grow(white, size) & empty, empty)
    w[MARGIN] = count_of(black | (near_black & ~near_white)) - count_of(
        white | (near_white & ~near_black)
    )


@njit(**INLINE)
def position_key(stones, to_move, rules):
    """Stones of Black with a mark, beyond the board, of who is to move where that matters."""
    mark = np.int64(to_move + 1) if rules[KO_RULE] == SITUATIONAL else np.int64(0)
    return stones | ((row_numbers() == 31) & mark)


@njit(**INLINE)
def is_repeated(w, s, side, rules, size):
    """True if the board after the move occurred before."""
    black, white = get(s, NEXT_OWN), get(s, NEXT_ENEMY)
    if side:
        black, white = white, black
    black = position_key(black, 1 - side, rules)
    first = sets_of(2, size)
    for i in range(w[REPEATED]):
        apart = (get(s, first + 2 * i) ^ black) | (get(s, first + 2 * i + 1) ^ white)
        if not any_of(apart):
            return True
    return False


@njit(**INLINE)
def remember(w, s, to_move, rules, size):
    """Store the position if the rules forbid repeating it."""
    if rules[KO_RULE] != SIMPLE:
        at = sets_of(2, size) + 2 * w[REPEATED]
        put(s, at, position_key(get(s, STONES), to_move, rules))
        put(s, at + 1, get(s, STONES + 1))
        w[REPEATED] += 1
