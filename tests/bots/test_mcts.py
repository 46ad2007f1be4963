"""The tree of UCT on worlds."""

import numpy as np

from bots.belief import presume_refused
from bots.imperfect import needed
from bots.infosets import InfoSet
from bots.kernels import uct
from bots.mcts import MCTS
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.views import views


def test_a_tree_counts_every_playout_at_each_node_it_went_through():
    view, playouts = views(3)["empty"], 500
    info = InfoSet.of(view, presume_refused(view))
    tree = np.zeros((playouts + 10, uct.FIELDS), np.int64)
    nothing, full = np.zeros(9, np.uint8), np.ones(9, np.uint8)
    uct.search(
        np.zeros(uct.WORK, np.int64), tree, 3, nothing, nothing, full, 0, needed(info), 0,
        np.arange(9), 1.0, 0, playouts, 5,
    )  # fmt: skip
    assert tree[0, uct.VISITS] == playouts
    used = int((tree[:, uct.VISITS] > 0).sum())
    assert used > 300
    for node in range(used):
        below, child = [], tree[node, uct.CHILD]
        while child:
            below.append(child)
            child = tree[child, uct.SIBLING]
        visits, wins = tree[below, uct.VISITS].sum(), tree[below, uct.WINS].sum()
        own = tree[node, uct.VISITS] - (node > 0)  # the playout that made it went no further
        assert not below or visits == own
        moves = tree[below, uct.MOVE]
        assert len(set(moves.tolist())) == len(moves)
        if node and below:
            assert 0 <= own - wins - tree[node, uct.WINS] + 1 <= 1


def test_a_full_tree_goes_on_without_new_nodes():
    nothing, full = np.zeros(9, np.uint8), np.ones(9, np.uint8)
    tree = np.zeros((12, uct.FIELDS), np.int64)
    uct.search(
        np.zeros(uct.WORK, np.int64), tree, 3, nothing, nothing, full, 0, 0, 0,
        np.arange(9), 1.0, 0, 300, 5,
    )  # fmt: skip
    assert tree[0, uct.VISITS] == tree[1:10, uct.VISITS].sum() == 300
    assert (tree[:, uct.VISITS] > 0).all()


def test_a_playout_is_won_by_more_than_is_needed():
    """Black's cross and its four eyes are worth nine points."""
    cross = np.array([0, 1, 0, 1, 1, 1, 0, 1, 0], np.uint8)
    for needed_points, won in ((8, 30), (9, 0)):
        tree = np.zeros((40, uct.FIELDS), np.int64)
        uct.search(
            np.zeros(uct.WORK, np.int64), tree, 3, cross, 0 * cross, 1 - cross, 0, needed_points,
            0, np.array([0]), 1.0, 0, 30, 5,
        )  # fmt: skip
        assert tree[1, uct.WINS] == won


def test_mcts_finds_the_centre_of_a_small_board():
    view = View(Rules(size=3, komi=3.5), BLACK)
    assert [MCTS(seed, playouts=800).decide(view).move for seed in range(6)] == [4] * 6
