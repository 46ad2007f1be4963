"""Games stepped at once, and what their players to move know (phantomgo/lab/vector.py)."""

import numpy as np

from bots.kernels.jit import entry
from bots.kernels.vectors import pointer
from phantomgo.lab.lockstep.kernels.advance import begin_game
from phantomgo.lab.lockstep.kernels.knowledge import hidden
from phantomgo.lab.lockstep.kernels.layout import (
    ENDING,
    LOCATED,
    OPPONENT_PASSED,
    OWN,
    PASS,
    POINT_OF,
    REFUSED,
    SEEDS,
    TO_MOVE,
    TURN,
    TURN_OF,
    VACANT,
    sets_of,
    words_of,
)
from phantomgo.lab.lockstep.kernels.referee import attempt
from phantomgo.lab.lockstep.kernels.sets import ROWS


@entry
def begin_all(words, sets, rules, size, which):
    """Begin the games of `which` (bool) on an empty board."""
    lines, turns = np.zeros((2, SEEDS, 2), np.int64), np.zeros(2, np.int64)
    for g in range(len(which)):
        if which[g]:
            sets[g, :] = 0
            begin_game(words[g], sets[g], lines, turns, rules, size)


@entry
def step_all(words, sets, rules, size, actions, refused):
    """Make an attempt in each game that goes on; `refused` is told which were illegal."""
    for g in range(len(actions)):
        w, s = pointer(words[g]), pointer(sets[g])
        if not w[ENDING]:
            move = PASS if actions[g] == size * size else actions[g]
            refused[g] = attempt(w, s, move, pointer(rules), size) != 0


@entry
def observe_all(words, sets, size, planes, masks):
    """Fill in the planes and masks, all 0 before, as phantomgo/environment.py has them."""
    for g in range(len(words)):
        w, s = pointer(words[g]), pointer(sets[g])
        v = w[TO_MOVE]
        view, at, going = words_of(w, v), sets_of(v, size), w[ENDING] == 0
        unseen = np.float32(hidden(w, s, v, size) / (size * size))
        for p in range(size * size):
            r, c = p // size, p % size
            own = s[(at + OWN) * ROWS + r] >> c & 1
            located = s[(at + LOCATED) * ROWS + r] >> c & 1
            planes[g, p, 0], planes[g, p, 1] = own, located
            planes[g, p, 4] = s[(at + VACANT) * ROWS + r] >> c & 1
            planes[g, p, 5] = unseen
            planes[g, p, 6], planes[g, p, 7] = view[OPPONENT_PASSED], v == 0
            masks[g, p] = going and not own and not located
        for i in range(view[REFUSED]):
            p = view[POINT_OF + i]
            planes[g, p, 2] = 1
            if view[TURN_OF + i] == view[TURN]:
                planes[g, p, 3] = 1
                masks[g, p] = 0
        masks[g, size * size] = going
