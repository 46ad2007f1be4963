"""Games stepped at once, and what their players to move know (phantomgo/lab/vector.py)."""

import numpy as np

from bots.kernels.jit import entry
from bots.kernels.net import ONE
from bots.kernels.vectors import pointer
from phantomgo.lab.lockstep.kernels import layout
from phantomgo.lab.lockstep.kernels.advance import begin_game
from phantomgo.lab.lockstep.kernels.belief import candidates, presume_refused
from phantomgo.lab.lockstep.kernels.guess import mark_set, see
from phantomgo.lab.lockstep.kernels.knowledge import hidden
from phantomgo.lab.lockstep.kernels.referee import attempt
from phantomgo.lab.lockstep.kernels.sets import ROWS, count_of, get, put

PRESUMED = 11
"""The planes of `guess.see`, before those that a policy has of its own."""


@entry
def begin_all(words, sets, rules, size, which):
    """Begin the games of `which` (bool) on an empty board."""
    lines, turns = np.zeros((2, layout.SEEDS, 2), np.int64), np.zeros(2, np.int64)
    for g in range(len(which)):
        if which[g]:
            sets[g, :] = 0
            begin_game(words[g], sets[g], lines, turns, rules, size)


@entry
def step_all(words, sets, rules, size, actions, log, refused):
    """Make an attempt in each game that goes on, write it into `log` (games, attempts), and set
    `refused` (games) where it is illegal.
    """
    for g in range(len(actions)):
        w, s = pointer(words[g]), pointer(sets[g])
        if not w[layout.ENDING]:
            log[g, w[layout.LOGGED]] = actions[g]
            w[layout.LOGGED] += 1
            move = layout.PASS if actions[g] == size * size else actions[g]
            refused[g] = attempt(w, s, move, pointer(rules), size) != layout.STANDS


@entry
def observe_all(words, sets, size, planes, legal):
    """Fill in what the players to move know (phantomgo/game/planes.py): planes (games, channels,
    points), and legal (games, points + 1).
    """
    points = size * size
    for g in range(len(words)):
        w, s = pointer(words[g]), pointer(sets[g])
        v = w[layout.TO_MOVE]
        view, at, going = layout.words_of(w, v), layout.sets_of(v, size), w[layout.ENDING] == 0
        seen = planes[g]
        mark_set(seen, 0, s, at + layout.OWN, 1, size)
        mark_set(seen, 1, s, at + layout.LOCATED, 1, size)
        mark_set(seen, 4, s, at + layout.VACANT, 1, size)
        unseen = np.float32(hidden(w, s, v, size) / points)
        for p in range(points):
            legal[g, p] = going and not seen[0, p] and not seen[1, p]
            seen[2, p] = seen[3, p] = 0
            seen[5, p] = unseen
            seen[6, p] = view[layout.OPPONENT_PASSED]
            seen[7, p] = v == 0
        legal[g, points] = going
        for i in range(view[layout.REFUSED]):
            p = view[layout.POINT_OF + i]
            seen[2, p] = 1
            if view[layout.TURN_OF + i] == view[layout.TURN]:
                seen[3, p] = 1
                legal[g, p] = False


@entry
def see_all(words, sets, rules, size, planes, worth):
    """Fill in what a policy of the players to move sees (bots/policy.py): planes (games, channels,
    points) in units of 1 / ONE, and worth (games, points + 1), of attempts.
    """
    points = size * size
    for g in range(len(words)):
        w, s = pointer(words[g]), pointer(sets[g])
        v = w[layout.TO_MOVE]
        view, going = layout.words_of(w, v), w[layout.ENDING] == 0
        see(planes[g], w, s, v, size)
        lead = (
            count_of(get(s, layout.sets_of(v, size) + layout.OWN))
            - view[layout.ENEMIES]
            - rules[layout.NEED + v]
        )
        lead = min(max(ONE + ONE * lead // points, 0), 2 * ONE)
        presume_refused(w, s, v, size)
        put(s, layout.SCRATCH, candidates(w, s, v, size))
        for p in range(points):
            r, c = p // size, p % size
            worth[g, p] = going and s[layout.SCRATCH * ROWS + r] >> c & 1
            planes[g, PRESUMED, p] = ONE * (s[layout.ENEMY * ROWS + r] >> c & 1)
            planes[g, PRESUMED + 1, p] = ONE * view[layout.OPPONENT_PASSED]
            planes[g, PRESUMED + 2, p] = ONE * (v == 0)
            planes[g, PRESUMED + 3, p] = lead
        worth[g, points] = going
