"""Decisions of `random`, `flatmc` and `phantom`, in steps with playouts between them.

They are those of bots/deciding.py. A step returns the move, or NO_MOVE when the decision waits for
playouts, which it has put on the desk as tasks.
"""

import numpy as np
from numba import carray, njit

from bots.kernels.best import best_candidate, best_of
from bots.kernels.jit import INLINE, PART
from bots.kernels.stream import GAMMA, STREAM, below, mix
from bots.kernels.tasks import AMAF, CANDIDATES, JOBS, NEEDED, PASSED, PERIOD, POSITION_INDEX
from bots.kernels.tasks import KEY as TASK_KEY
from bots.kernels.tasks import PLAYOUTS as TASK_PLAYOUTS
from bots.kernels.vectors import beyond
from phantomgo.lab.lockstep.kernels.belief import (
    candidates,
    only_enemy_territory,
    presume_nothing,
    presume_refused,
    wins_as_it_stands,
)
from phantomgo.lab.lockstep.kernels.desk import (
    CANDIDATES_AT,
    JOBS_AT,
    KEPT_AT,
    KEPT_DECISIONS,
    MILLION,
    ONTO_AT,
    PASS_WORLDS,
    SHARES_AT,
    SURE,
    amaf_of,
    bot_at,
    counts_of,
    int64_at,
    of_points,
    rules_at,
    sets_at,
    task_at,
    words_at,
)
from phantomgo.lab.lockstep.kernels.guess import lay_position
from phantomgo.lab.lockstep.kernels.layout import (
    AMAF_WEIGHT,
    BEST,
    BY_JUDGE,
    BY_NET,
    COUNT,
    DIGEST,
    DONE,
    FLATMC,
    FOLDED,
    JUDGE,
    KEEPING,
    KEY,
    KIND,
    LEFT,
    LINE,
    NARROW,
    NEED,
    NO_MOVE,
    OPPONENT_PASSED,
    OTHER_DIGEST,
    PASS,
    PER_CANDIDATE,
    PHANTOM,
    PHASE,
    PLAYED,
    PLAYOUTS,
    POINT_OF,
    RANDOM,
    REFUSALS,
    REFUSED,
    RESIGN,
    RESIGN_BELOW,
    RETRY,
    ROUNDS,
    SCRATCH,
    SEARCH,
    SLOT,
    START,
    TO_MOVE,
    TOTAL,
    TURN,
    TURN_OF,
    VISITS,
    WINS,
    words_of,
)
from phantomgo.lab.lockstep.kernels.rate import (
    fold_candidates,
    fold_counts,
    mean_of_images,
    rate,
    with_estimates,
)
from phantomgo.lab.lockstep.kernels.sets import ROWS, put

# Of a decision that is kept: the digests of seed and view, whether it is made, the move
FIRST_DIGEST, SECOND_DIGEST, STATE, MOVE = range(4)
KEPT = 4
FREE, IN_THE_MAKING, MADE = range(3)


@njit(**INLINE)
def kept_at(desk, number):
    """A cached decision."""
    return beyond(int64_at(desk, KEPT_AT), number * KEPT)


@njit(**INLINE)
def decision_key(seed, side, turn, refusals):
    """The key of a decision's random stream, as phantomgo/rng.py has it."""
    key = mix(mix(seed) + (side + 2) * GAMMA)
    return mix(mix(key + (turn + 1) * GAMMA) + (refusals + 1) * GAMMA)


@njit(**PART)
def step(desk, g, size):
    """Continue a decision; return the move, or NO_MOVE while it waits for playouts."""
    phase = words_at(desk, g)[PHASE]
    if phase == START:
        return begin_decision(desk, g, size)
    if phase == SEARCH:
        return go_on_searching(desk, g, size)
    return evaluate_pass(desk, g, size)


@njit(**PART)
def begin_decision(desk, g, size):
    """The first step."""
    w, s = words_at(desk, g), sets_at(desk, g)
    side = w[TO_MOVE]
    bot, view = bot_at(desk, side), words_of(w, side)
    w[SLOT] = -1
    if bot[KIND] != RANDOM and desk[KEPT_DECISIONS]:
        at = view[DIGEST] & (desk[KEPT_DECISIONS] - 1)
        kept = kept_at(desk, at)
        same = kept[FIRST_DIGEST] == view[DIGEST] and kept[SECOND_DIGEST] == view[OTHER_DIGEST]
        if kept[STATE] == MADE and same:
            return kept[MOVE]
        if kept[STATE] == IN_THE_MAKING and same:
            return NO_MOVE  # another game needs the same decision
        if kept[STATE] != IN_THE_MAKING:
            w[SLOT] = at
            kept[FIRST_DIGEST], kept[SECOND_DIGEST] = view[DIGEST], view[OTHER_DIGEST]
            kept[STATE] = IN_THE_MAKING
    hidden = presume_refused(w, s, side, size)
    points = of_points(desk, CANDIDATES_AT, 2 * g, size)
    count = list_points(s, candidates(w, s, side, size), points, size)
    if not count:
        return made(desk, w, instead_of_pass(desk, w, s, side, size))
    at = LINE
    while view[TURN] >= view[at + 1]:
        at += 2
    w[COUNT], w[KEY] = count, decision_key(view[at], side, view[TURN], view[REFUSALS])
    if bot[KIND] == RANDOM:
        return points[below(mix(w[KEY] + GAMMA), count)]
    if bot[BY_NET]:
        hidden = presume_nothing(w, s, side, size)
    lay_position(desk, g, w, s, side, hidden, size)
    begin_search(desk, g, w, side, count, size)
    return NO_MOVE


@njit(**INLINE)
def list_points(s, points, found, size):
    """Write the points of a set, in board order; return how many."""
    put(s, SCRATCH, points)
    count = 0
    for r in range(size):
        row = np.int64(s[SCRATCH * ROWS + r])
        for c in range(size):
            if row >> c & 1:
                found[count] = r * size + c
                count += 1
    return count


@njit(**INLINE)
def begin_search(desk, g, w, side, count, size):
    """Put the first playouts on the desk."""
    bot = bot_at(desk, side)
    task = begin_task(desk, 2 * g, g, side, count, size)
    if bot[AMAF_WEIGHT] or bot[BY_JUDGE]:
        task[AMAF] = g * size * size
        amaf_counts = amaf_of(desk, g, size)
        for p in range(size * size):
            amaf_counts[0, p] = amaf_counts[1, p] = 0
    playouts = bot[PER_CANDIDATE] * count if bot[PER_CANDIDATE] else bot[PLAYOUTS]
    w[TOTAL], w[DONE], w[LEFT], w[ROUNDS] = max(playouts, count), 0, count, 1
    if bot[KIND] == PHANTOM:
        w[ROUNDS], left = 0, count
        if bot[FOLDED] and words_of(w, side)[KEEPING] != 1:
            left = fold_candidates(desk, g, w, side, size)
        while left > 1:
            w[ROUNDS] += 1
            left = (left + bot[NARROW] - 1) // bot[NARROW]
        w[ROUNDS] = max(w[ROUNDS], 1)
    w[PLAYED] = 0
    w[PHASE] = SEARCH
    begin_round(desk, g, w)


@njit(**INLINE)
def begin_task(desk, number, g, side, count, size):
    """A task of game g, a job for each of its candidates and nothing counted yet."""
    task, jobs = task_at(desk, number), of_points(desk, JOBS_AT, number, size)
    counts = counts_of(desk, number, count, size)
    task[POSITION_INDEX], task[CANDIDATES], task[JOBS] = (
        g,
        number * size * size,
        number * size * size,
    )
    task[NEEDED], task[PASSED], task[AMAF] = rules_at(desk)[NEED + side], 0, -1
    for i in range(count):
        jobs[i] = i
        for row in range(3):
            counts[row, i] = 0
    return task


@njit(**INLINE)
def begin_round(desk, g, w):
    """Put the playouts of the next round on the desk, equally many for each remaining candidate."""
    task = task_at(desk, 2 * g)
    room = (w[TOTAL] - w[DONE]) // w[ROUNDS]
    if bot_at(desk, w[TO_MOVE])[KIND] == PHANTOM:
        room = w[LEFT] * max(1, room // w[LEFT])
    task[PERIOD], task[TASK_PLAYOUTS] = w[LEFT], room
    task[TASK_KEY] = w[KEY] + w[DONE] * STREAM
    w[DONE] += room


@njit(**PART)
def go_on_searching(desk, g, size):
    """Process the results of a round."""
    w, s = words_at(desk, g), sets_at(desk, g)
    side = w[TO_MOVE]
    bot, candidates = bot_at(desk, side), of_points(desk, CANDIDATES_AT, 2 * g, size)
    counts = counts_of(desk, 2 * g, w[COUNT], size)
    if bot[KIND] == FLATMC:
        best = best_candidate(counts, w[KEY])
    else:
        amaf, jobs = amaf_of(desk, g, size), of_points(desk, JOBS_AT, 2 * g, size)
        if not bot[AMAF_WEIGHT] and not bot[BY_JUDGE]:
            amaf = amaf[:, :0]
        also = weigh(desk, g, w, s, side, counts, amaf, size)
        kept = (w[LEFT] + bot[NARROW] - 1) // bot[NARROW]
        best_ones = best_of(
            carray(jobs, (w[LEFT],)), carray(candidates, (w[COUNT],)), also, amaf,
            bot[AMAF_WEIGHT], kept, w[KEY],
        )  # fmt: skip
        for i in range(kept):
            jobs[i] = best_ones[i]
        w[LEFT] = kept
        w[ROUNDS] -= 1
        if w[ROUNDS]:
            begin_round(desk, g, w)
            return NO_MOVE
        best = best_ones[0]
    w[BEST] = candidates[best]
    w[VISITS], w[WINS] = counts[0, best], counts[1, best]
    opponent_passed = words_of(w, side)[OPPONENT_PASSED]
    if opponent_passed and wins_as_it_stands(w, s, side, rules_at(desk)[NEED + side], size):
        return made(desk, w, instead_of_pass(desk, w, s, side, size))
    if not only_enemy_territory(s, side, size):
        return made(desk, w, best_or_resign(bot, w))
    for number in range(1 if opponent_passed else 2):
        weigh_pass(desk, 2 * g + number, g, w, 1 - number, size)
    w[PHASE] = JUDGE
    return NO_MOVE


@njit(**PART)
def weigh(desk, g, w, s, side, counts, amaf_counts, size):
    """The results that compare the remaining candidates after a round."""
    bot, jobs = bot_at(desk, side), of_points(desk, JOBS_AT, 2 * g, size)
    folded = bot[FOLDED] and words_of(w, side)[KEEPING] != 1
    onto, shares = of_points(desk, ONTO_AT, g, size), of_points(desk, SHARES_AT, g, size)
    if not w[PLAYED]:
        w[PLAYED] = 1
        if bot[BY_JUDGE]:
            rate(desk, g, w, s, side, counts, amaf_counts, size)
        if folded:
            if bot[BY_JUDGE]:
                mean_of_images(onto, w[COUNT], shares)
            w[LEFT] = 0
            for i in range(w[COUNT]):
                if onto[i] == i:
                    jobs[w[LEFT]] = i
                    w[LEFT] += 1
    if folded:
        candidates = of_points(desk, CANDIDATES_AT, 2 * g, size)
        fold_counts(onto, w[COUNT], candidates, counts, amaf_counts)
    return with_estimates(counts, shares, bot) if bot[BY_JUDGE] else counts


@njit(**INLINE)
def weigh_pass(desk, number, g, w, passed, size):
    """Put the playouts of a pass on the desk, after the opponent's pass or as if they played on."""
    task = begin_task(desk, number, g, w[TO_MOVE], 1, size)
    of_points(desk, CANDIDATES_AT, number, size)[0] = PASS
    task[PERIOD], task[TASK_PLAYOUTS] = 1, desk[PASS_WORLDS]
    task[TASK_KEY], task[PASSED] = mix(w[KEY]), passed


@njit(**PART)
def evaluate_pass(desk, g, size):
    """Process the playouts of a pass."""
    w, s = words_at(desk, g), sets_at(desk, g)
    side, counts = w[TO_MOVE], counts_of(desk, 2 * g, 1, size)
    value = counts[1, 0] / counts[0, 0]
    if not words_of(w, side)[OPPONENT_PASSED]:
        counts = counts_of(desk, 2 * g + 1, 1, size)
        value = min(value, counts[1, 0] / counts[0, 0])
    if value >= min(w[WINS] / w[VISITS], desk[SURE] / MILLION):
        return made(desk, w, instead_of_pass(desk, w, s, side, size))
    return made(desk, w, best_or_resign(bot_at(desk, side), w))


@njit(**INLINE)
def best_or_resign(bot, w):
    """The best candidate, or a resignation if it wins too rarely."""
    return RESIGN if 100 * (w[WINS] / w[VISITS]) < bot[RESIGN_BELOW] else w[BEST]


@njit(**INLINE)
def instead_of_pass(desk, w, s, side, size):
    """A pass, or a point refused in an earlier turn."""
    bot, view = bot_at(desk, side), words_of(w, side)
    if not bot[RETRY]:
        return PASS
    need = rules_at(desk)[NEED + side]
    if view[OPPONENT_PASSED] and wins_as_it_stands(w, s, side, need, size):
        return PASS
    for i in range(view[REFUSED]):
        if view[TURN_OF + i] < view[TURN]:
            return view[POINT_OF + i]
    return PASS


@njit(**INLINE)
def made(desk, w, move):
    """Cache the move of a decision and return it."""
    if w[SLOT] >= 0:
        kept = kept_at(desk, w[SLOT])
        kept[STATE], kept[MOVE] = MADE, move
    w[PHASE] = START
    return move
