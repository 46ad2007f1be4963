"""Advance games, each until it is over or waits for playouts."""

import numpy as np
from numba import njit

from bots.kernels.jit import PART, entry
from bots.kernels.tasks import PLAYOUTS
from bots.kernels.vectors import beyond, pointer
from phantomgo.lab.lockstep.kernels.decide import step
from phantomgo.lab.lockstep.kernels.desk import (
    LOG_AT,
    ROOM,
    int32_at,
    rules_at,
    sets_at,
    task_at,
    words_at,
)
from phantomgo.lab.lockstep.kernels.layout import ENDING, LOGGED, NO_MOVE, TO_MOVE
from phantomgo.lab.lockstep.kernels.referee import attempt, set_up
from phantomgo.lab.lockstep.kernels.turning import meant


@entry
def begin_game(words, sets, lines, turns, rules, size):
    """Begin a game, whose stones (handicap) are its first two sets."""
    set_up(pointer(words), pointer(sets), lines, turns, pointer(rules), size)


@entry
def advance(addresses, playing, size):
    """Continue the games of `playing` (bool) at a desk until each waits for playouts, is over, or
    has filled its log; return the number of playouts to play.
    """
    desk = pointer(addresses)
    playouts = 0
    for g in range(len(playing)):
        task_at(desk, 2 * g)[PLAYOUTS] = task_at(desk, 2 * g + 1)[PLAYOUTS] = 0
        if playing[g]:
            go_on(desk, g, size)
            playouts += task_at(desk, 2 * g)[PLAYOUTS] + task_at(desk, 2 * g + 1)[PLAYOUTS]
    return playouts


@njit(**PART)
def go_on(desk, g, size):
    """Continue a game. Its log has the move, the side and the refusal's reason of each attempt."""
    w, s, rules, room = words_at(desk, g), sets_at(desk, g), rules_at(desk), desk[ROOM]
    log = beyond(int32_at(desk, LOG_AT), g * room)
    while not w[ENDING] and (not room or w[LOGGED] < room):
        move = step(desk, g, size)
        if move == NO_MOVE:
            return
        side = w[TO_MOVE]
        move = meant(w, side, move, size)
        reason = attempt(w, s, move, rules, size)
        if room:
            log[w[LOGGED]] = np.int32((move + 2) << 4 | side << 3 | reason)
            w[LOGGED] += 1
