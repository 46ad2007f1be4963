"""Advances games, each until it is over or waits for playouts."""

import numpy as np
from numba import njit

from bots.kernels.jit import ENTRY
from bots.kernels.tasks import PLAYOUTS
from bots.kernels.vectors import pointer
from phantomgo.lab.lockstep.kernels.decide import begin_decision, go_on_searching, judge_pass
from phantomgo.lab.lockstep.kernels.layout import (
    ENDING,
    LOGGED,
    NO_MOVE,
    PHASE,
    SEARCH,
    START,
    TO_MOVE,
)
from phantomgo.lab.lockstep.kernels.referee import attempt, set_up
from phantomgo.lab.lockstep.kernels.turning import meant


@njit(**ENTRY)
def begin_game(words, sets, lines, turns, rules, size):
    """Begin a game, whose stones (handicap) are its first two sets."""
    set_up(pointer(words), pointer(sets), lines, turns, pointer(rules), size)


@njit(**ENTRY)
def advance(desk, playing, size):
    """Let the games of `playing` (bool) go on until all of them wait for the playouts on the desk,
    are over, or have filled their log; return how many playouts there are.
    """
    playouts = 0
    desk.tasks[:, PLAYOUTS] = 0
    for g in range(len(playing)):
        if playing[g]:
            go_on(desk, g, size)
            playouts += desk.tasks[2 * g, PLAYOUTS] + desk.tasks[2 * g + 1, PLAYOUTS]
    return playouts


@njit(**ENTRY)
def go_on(desk, g, size):
    """Let a game go on. Its log says of each attempt the move, the side, and why it was refused."""
    w, s, rules = pointer(desk.words[g]), pointer(desk.sets[g]), pointer(desk.rules)
    log, room = desk.log[g], desk.log.shape[1]
    while not w[ENDING] and (not room or w[LOGGED] < room):
        if w[PHASE] == START:
            move = begin_decision(desk, g, size)
        elif w[PHASE] == SEARCH:
            move = go_on_searching(desk, g, size)
        else:
            move = judge_pass(desk, g, size)
        if move == NO_MOVE:
            return
        side = w[TO_MOVE]
        move = meant(w, side, move, size)
        reason = attempt(w, s, move, rules, size)
        if room:
            log[w[LOGGED]] = np.int32((move + 2) << 4 | side << 3 | reason)
            w[LOGGED] += 1
