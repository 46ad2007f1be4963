"""UCT over the moves of both sides, each playout in a world of its own (see bots/mcts.py).

A tree is an int64 array of nodes, each a row of FIELDS numbers; node 0 is the root. The children
of a node are a list: its first child, and from each one to the next. A node's visits and wins are
those of the side that moves into it; margins, summed, are kept for the root's children. BLACK is
the searching side.
"""

import numpy as np
from numba import njit

from bots.kernels.board import (
    BLACK,
    CELLS,
    COUNT,
    EMPTIES,
    LENGTH,
    PASS,
    STATE,
    cell,
    copy,
    deal_hidden,
    draw,
    finish,
    is_eye,
    legal,
    margin,
    play,
    point,
    set_up,
)
from bots.kernels.jit import INLINE, entry
from bots.kernels.stream import STREAM, mix
from bots.kernels.ucb import bonus
from bots.kernels.vectors import pointer

MOVE, VISITS, WINS, MARGINS, CHILD, SIBLING = range(6)
FIELDS = 6
# The work space: two boards, lists of cells, the way down the tree, and the number of nodes
MOVES, MARKS, PATH, NODES = 2 * LENGTH, 2 * LENGTH + CELLS, 2 * LENGTH + 2 * CELLS, 3 * LENGTH
WORK = NODES + 1
UNTRIED, TRIED = 1, 2  # marks of legal moves: without and with a child


@njit(**INLINE)
def add_child(tree, work, node, move):
    """Add a child to a node; return it, 0 if the tree is full."""
    new = work[NODES] + 1
    if new == len(tree):
        return 0
    work[NODES] = new
    tree[new, MOVE] = move
    tree[new, SIBLING] = tree[node, CHILD]
    tree[node, CHILD] = new
    return new


@njit(**INLINE)
def best_child(tree, node, marks, weight):
    """The child with the highest upper confidence bound among those whose move is marked.

    One that has no visits comes first. Return 0 if no child's move is marked.
    """
    best, highest = 0, -1.0
    child = tree[node, CHILD]
    while child:
        if marks[tree[child, MOVE]]:
            visits = tree[child, VISITS]
            bound = np.inf
            if visits:
                bound = tree[child, WINS] / visits + weight * bonus(visits, tree[node, VISITS])
            if bound > highest:
                best, highest = child, bound
        child = tree[child, SIBLING]
    return best


@njit(**INLINE)
def mark_moves(b, tree, node, colour, moves, marks, width):
    """Mark the moves there are, or a pass if there are none; list and count the untried ones."""
    none = True
    for i in range(b[COUNT]):
        q = b[EMPTIES + i]
        if not is_eye(b, q, colour, width) and legal(b, q, colour, width):
            marks[q] = UNTRIED
            none = False
    if none:
        marks[PASS] = UNTRIED
    child = tree[node, CHILD]
    while child:
        if marks[tree[child, MOVE]]:
            marks[tree[child, MOVE]] = TRIED
        child = tree[child, SIBLING]
    count = 0
    if marks[PASS] == UNTRIED:
        moves[0] = PASS
        count = 1
    for i in range(b[COUNT]):
        if marks[b[EMPTIES + i]] == UNTRIED:
            moves[count] = b[EMPTIES + i]
            count += 1
    return count


@entry
def go_down(b, tree, work, node, colour, weight, width):
    """The next node on the way down: an untried move's, else the best; 0 if the tree is full."""
    moves, marks = work[MOVES:MARKS], work[MARKS:PATH]
    for q in range(width * width):
        marks[q] = 0
    count = mark_moves(b, tree, node, colour, moves, marks, width)
    if count:
        return add_child(tree, work, node, moves[draw(b, count)])
    return best_child(tree, node, marks, weight)


@entry
def search(
    work, tree, size, own, enemy, open_points, hidden, need, opponent_passed,
    candidates, weight, first, count, key,
):  # fmt: skip
    """Play playouts number first ... first + count - 1, which grow the tree.

    The nodes 1, 2, ... are the candidates, in order. `work` is int64 memory of length WORK, zeros
    for the first playout; `tree` int64 zeros of shape (nodes, FIELDS), with room for the
    candidates; `weight` that of the bonus for what is little known. The other arguments are as for
    the lanes (`play_out` in playouts.py), but that the sets of points are uint8 arrays with 1 for
    each member.
    """
    b, base = pointer(work), pointer(work[LENGTH:])
    path = work[PATH:NODES]
    width = size + 2
    set_up(base, own, enemy, BLACK, size)
    if first == 0:
        for i in range(len(candidates)):
            add_child(tree, work, 0, cell(candidates[i], size))
    for g in range(first, first + count):
        copy(b, base, size)
        b[STATE] = mix(key + g * STREAM)
        work[MARKS:PATH] = TRIED
        node = best_child(tree, 0, work[MARKS:PATH], weight)
        empty = point(tree[node, MOVE], size)
        deal_hidden(b, open_points, empty, hidden, 3 - BLACK, size)
        colour, passes, depth, move = BLACK, opponent_passed, 0, PASS
        while True:
            move = tree[node, MOVE]
            if play(b, move, colour, width) < 0:  # a candidate, in this world
                move = PASS
                play(b, move, colour, width)
            passes = passes + 1 if move == PASS else 0
            colour = 3 - colour
            path[depth] = node
            depth += 1
            if passes >= 2 or depth >= 3 * size * size or not tree[node, VISITS]:
                break
            following = go_down(b, tree, work, node, colour, weight, width)
            if not following:
                break
            node = following
        finish(b, passes, depth, colour, size)
        result = margin(b, width)
        won = np.int64(result > need)
        tree[0, VISITS] += 1
        tree[path[0], MARGINS] += result
        for i in range(depth):
            tree[path[i], VISITS] += 1
            tree[path[i], WINS] += won if i % 2 == 0 else 1 - won
