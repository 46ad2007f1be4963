"""Games stepped at once, and what their players to move know (phantomgo/lab/vector.py)."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, entry
from bots.kernels.net import ONE
from bots.kernels.vectors import pointer
from phantomgo.lab.lockstep.kernels import layout
from phantomgo.lab.lockstep.kernels.advance import begin_game
from phantomgo.lab.lockstep.kernels.belief import candidates, presume_refused
from phantomgo.lab.lockstep.kernels.guess import mark_all, mark_set, see
from phantomgo.lab.lockstep.kernels.knowledge import hidden
from phantomgo.lab.lockstep.kernels.referee import attempt
from phantomgo.lab.lockstep.kernels.sets import count_of, get, put

PRESUMED = 11
"""The planes of `guess.see`, before those that a policy has of its own."""


@entry
def begin_all(words, sets, rules, size, which, handicap):
    """Begin the games of `which` (bool) with Black's handicap stones, given by rows."""
    lines, turns = np.zeros((2, layout.SEEDS, 2), np.int64), np.zeros(2, np.int64)
    for g in range(len(which)):
        if which[g]:
            sets[g, :] = 0
            sets[g, : len(handicap)] = handicap
            begin_game(words[g], sets[g], lines, turns, rules, size)


@entry
def step_all(
    words, sets, rules, size, actions, which, log, refused, rewards, terminated, truncated
):
    """Make an attempt in each game of `which` (bool) that goes on, and write it into `log` (games,
    attempts).

    The answers are those of phantomgo/lab/vector.py, of which `refused` and `rewards` are all 0.

    Returns:
        The most attempts that a game has in the log; -1 less the number of the first game whose
        action is none, if there is one, and then no attempt is made.
    """
    for g in range(len(actions)):
        if not 0 <= actions[g] <= size * size:
            return -1 - g
    most = 0
    for g in range(len(actions)):
        w, s = pointer(words[g]), pointer(sets[g])
        if which[g] and not w[layout.ENDING]:
            log[g, w[layout.LOGGED]] = actions[g]
            w[layout.LOGGED] += 1
            move = layout.PASS if actions[g] == size * size else actions[g]
            refused[g] = attempt(w, s, move, pointer(rules), size) != layout.STANDS
            if w[layout.ENDING]:
                reward(w, rules, rewards[g])
        most = max(most, w[layout.LOGGED])
        truncated[g] = w[layout.ENDING] == layout.MOVE_LIMIT
        terminated[g] = w[layout.ENDING] and not truncated[g]
    return most


@entry
def reward_all(words, rules, rewards):
    """Write what Black and White got (games, 2) where the game is over."""
    for g in range(len(words)):
        if words[g, layout.ENDING]:
            reward(words[g], rules, rewards[g])


@njit(**INLINE)
def reward(w, rules, rewards):
    """Write what Black and White get: 1, -1, or 0 for a draw."""
    margin, winner = w[layout.MARGIN], w[layout.WINNER]
    won = winner == 0 or (winner < 0 and margin > rules[layout.NEED])
    lost = winner == 1 or (winner < 0 and -margin > rules[layout.NEED + 1])
    rewards[0], rewards[1] = won - lost, lost - won


@entry
def observe_all(words, sets, size, viewer, planes, legal):
    """Fill in what the players of number `viewer`, or to move if it is -1, know
    (phantomgo/game/planes.py): planes (games, channels, points), and legal (games, points + 1).
    """
    points = size * size
    for g in range(len(words)):
        w, s = pointer(words[g]), pointer(sets[g])
        v = w[layout.TO_MOVE] if viewer < 0 else viewer
        view, going = layout.words_of(w, v), w[layout.ENDING] == 0 and w[layout.TO_MOVE] == v
        at = layout.sets_of(v, size)
        seen = planes[g]
        mark_set(seen, 0, s, at + layout.OWN, 1, size)
        mark_set(seen, 1, s, at + layout.LOCATED, 1, size)
        mark_set(seen, 4, s, at + layout.VACANT, 1, size)
        mark_all(seen, 2, 0, size)
        mark_all(seen, 3, 0, size)
        mark_all(seen, 5, hidden(w, s, v, size) / points, size)
        mark_all(seen, 6, view[layout.OPPONENT_PASSED], size)
        mark_all(seen, 7, v == 0, size)
        for p in range(points):
            legal[g, p] = going and seen[0, p] + seen[1, p] == 0
        legal[g, points] = going
        for i in range(view[layout.REFUSED]):
            p = view[layout.POINT_OF + i]
            seen[2, p] = 1
            if view[layout.TURN_OF + i] == view[layout.TURN]:
                seen[3, p] = 1
                legal[g, p] = 0


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
        mark_set(worth, g, s, layout.SCRATCH, going, size)
        worth[g, points] = going
        mark_set(planes[g], PRESUMED, s, layout.ENEMY, ONE, size)
        mark_all(planes[g], PRESUMED + 1, ONE * view[layout.OPPONENT_PASSED], size)
        mark_all(planes[g], PRESUMED + 2, ONE * (v == 0), size)
        mark_all(planes[g], PRESUMED + 3, lead, size)
