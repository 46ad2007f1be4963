"""Positions to play out, made from a view and a belief net's output (bots/worlds.py)."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, PART
from bots.kernels.net import ONE, evaluate, in_proportion
from bots.kernels.positions import (
    CELLS,
    HIDDEN,
    TABLE,
    WEIGHTED,
    WEIGHTS,
    WHICH,
    write_chances,
)
from bots.kernels.positions import ENEMY as ENEMY_ROWS
from bots.kernels.positions import OPEN as OPEN_CELLS
from bots.kernels.positions import OWN as OWN_ROWS
from bots.kernels.vectors import beyond, pointer
from phantomgo.lab.lockstep.kernels.desk import (
    CHANCES,
    LOG_ODDS_AT,
    ODDS,
    ODDS_AT,
    TABLES_AT,
    bot_at,
    int64_at,
    net_of,
    of_points,
    planes_of,
    position_at,
    uint16_at,
)
from phantomgo.lab.lockstep.kernels.knowledge import hidden as hidden_of
from phantomgo.lab.lockstep.kernels.knowledge import unknown
from phantomgo.lab.lockstep.kernels.layout import (
    BY_NET,
    ENEMY,
    LOCATED,
    LOST_AT,
    OPEN,
    OPPONENT_TURN,
    OWN,
    PLACED_AT,
    POINT_OF,
    REFUSED,
    SCRATCH,
    TAKEN_AT,
    TURN,
    TURN_OF,
    VACANT,
    sets_of,
    words_of,
)
from phantomgo.lab.lockstep.kernels.sets import ROWS, count_of, put

PLACED = 10
"""The plane of own moves, which older nets lack."""


@njit(**PART)
def lay_position(desk, g, w, s, side, hidden, size):
    """Write position g: what the sets ENEMY and OPEN say, and `hidden` stones, by a net's odds if
    the bot has one.
    """
    position = position_at(desk, g)
    own = sets_of(side, size) + OWN
    count = 0
    for r in range(size):
        position[OWN_ROWS + r] = s[own * ROWS + r]
        position[ENEMY_ROWS + r] = s[ENEMY * ROWS + r]
        row = np.int64(s[OPEN * ROWS + r])
        for c in range(size):
            cell = r << 5 | c
            position[WHICH + cell] = -1
            if row >> c & 1:
                position[WHICH + cell], position[CELLS + count] = count, cell
                count += 1
    position[OPEN_CELLS], position[HIDDEN] = count, min(hidden, count)
    position[TABLE] = g * desk[CHANCES]
    position[WEIGHTED] = 0
    if bot_at(desk, side)[BY_NET] and hidden_of(w, s, side, size) and count:
        position[WEIGHTED] = 1
        channels, pairs = net_of(desk, side, 0)
        planes = planes_of(desk, channels[0])
        see(planes, w, s, side, size)
        log_odds = evaluate(planes, channels, pairs, size)
        kept = of_points(desk, LOG_ODDS_AT, g, size)
        for p in range(size * size):
            kept[p] = log_odds[p]
        weigh(position, log_odds, int64_at(desk, ODDS_AT), desk[ODDS] // 2, count, size)
        table = beyond(uint16_at(desk, TABLES_AT), g * desk[CHANCES])
        write_chances(position, table)


@njit(**INLINE)
def weigh(position, log_odds, odds, middle, count, size):
    """Write the weights of all open cells, in proportion to their odds; those of log odds 0 are in
    the middle of the table `odds`.
    """
    likeliest = np.int64(1)
    for i in range(count):
        cell = position[CELLS + i]
        p = (cell >> 5) * size + (cell & 31)
        position[WEIGHTS + cell] = odds[min(max(log_odds[p], -middle), middle) + middle]
        likeliest = max(likeliest, position[WEIGHTS + cell])
    for i in range(count):
        at = WEIGHTS + position[CELLS + i]
        position[at] = in_proportion(position[at], likeliest)


@njit(**PART)
def see(planes, w, s, side, size):
    """Write a net's input, as in bots/features.py, and zeros into the evaluator's planes."""
    view, at = words_of(w, side), sets_of(side, size)
    room = unknown(s, side, size)
    density = ONE * hidden_of(w, s, side, size) // max(count_of(room), 1)
    turn = min(ONE * view[TURN] // (size * size), 2 * ONE)
    planes[:] = 0
    mark_all(planes, 0, ONE, size)
    mark_all(planes, 5, density, size)
    mark_all(planes, 6, turn, size)
    mark_set(planes, 1, s, at + OWN, ONE, size)
    mark_set(planes, 2, s, at + LOCATED, ONE, size)
    mark_set(planes, 4, s, at + VACANT, ONE, size)
    put(s, SCRATCH, room)
    mark_set(planes, 3, s, SCRATCH, ONE, size)
    for p in range(size * size):
        if view[LOST_AT + p] >= 0:
            mark_point(planes, 7, p, view[OPPONENT_TURN] - view[LOST_AT + p])
        if view[TAKEN_AT + p] >= 0:
            mark_point(planes, 8, p, view[OPPONENT_TURN] - view[TAKEN_AT + p])
    for i in range(view[REFUSED]):
        mark_point(planes, 9, view[POINT_OF + i], view[TURN] - view[TURN_OF + i])
    if len(planes) > PLACED:
        for r in range(size):
            row = s[(at + OWN) * ROWS + r]
            for c in range(size):
                p = r * size + c
                if row >> c & 1 and view[PLACED_AT + p] >= 0:
                    mark_point(planes, PLACED, p, view[TURN] - view[PLACED_AT + p])


@njit(**INLINE)
def mark_set(planes, channel, s, index, value, size):
    """Set a channel to a value at the points of a set of the game, to 0 elsewhere."""
    plane, number = pointer(planes[channel]), planes.dtype.type(value)
    for r in range(size):
        row = s[index * ROWS + r]
        for c in range(size):
            plane[r * size + c] = number if row >> c & 1 else planes.dtype.type(0)


@njit(**INLINE)
def mark_all(planes, channel, value, size):
    """Set a channel to a value at all points."""
    plane, number = pointer(planes[channel]), planes.dtype.type(value)
    for p in range(size * size):
        plane[p] = number


@njit(**INLINE)
def mark_point(planes, channel, p, age):
    """Set a channel at a point to the age of an event, in moves."""
    planes[channel, p] = 8 * ONE // (8 + age)
