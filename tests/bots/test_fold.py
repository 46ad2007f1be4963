"""Candidates that are images of each other, counted as one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import make
from bots.belief import candidates
from bots.fold import Fold
from bots.worlds import Statistics, as_array
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import SYMMETRIES, images
from phantomgo.game.view import View, map_view, symmetries_of_view
from phantomgo.rng import mix
from tests.support.strategies import played, profiles, seeds

GAME = Game(Rules())


def empty(size, colour=BLACK):
    return View(Rules(size=size), colour, enemies=int(colour == WHITE))


@pytest.mark.parametrize(
    ("size", "count", "different"),
    [(3, 0, 0), (2, 4, 1), (3, 9, 3), (5, 25, 6), (7, 49, 10), (9, 81, 15)],
)
def test_folding_an_empty_board_leaves_an_eighth(size, count, different):
    points = np.arange(count)
    assert len(Fold.of(empty(size), points, 1).ones) == different
    assert len(Fold.none(points).ones) == count


@given(size=st.integers(2, 7), seed=seeds, count=st.integers(0, 12), profile=profiles)
def test_a_representative_stands_for_exactly_its_images(size, seed, count, profile):
    view = played(size, seed, count, profile).view(WHITE)
    points = as_array(candidates(view), size)
    fold = Fold.of(view, points, mix(seed))
    same = [images(g, size) for g in SYMMETRIES if map_view(g, view) == view]
    for point, one in zip(points.tolist(), points[fold.onto].tolist(), strict=True):
        assert one in {turn[point] for turn in same}
    assert np.array_equal(fold.onto[fold.ones], fold.ones)
    for a, one in enumerate(fold.onto.tolist()):
        for turn in same:
            alike = np.flatnonzero(points == turn[points[a]])
            assert all(fold.onto[b] == one for b in alike)


def test_results_of_images_are_added_to_their_representative():
    points = np.arange(9)  # corners, edges and the middle of 3x3
    fold = Fold.of(empty(3), points, 7)
    stats = Statistics(9, 9)
    stats.counts[:] = [[10] * 9, [0, 1, 2, 3, 4, 5, 6, 7, 8], range(9)]
    stats.amaf_counts[:] = [[5] * 9, [4, 0, 4, 0, 1, 0, 4, 0, 4]]
    folded = fold.stats(stats)
    visits = dict(zip(fold.ones.tolist(), folded.visits[fold.ones].tolist(), strict=True))
    assert sorted(visits.values()) == [10, 40, 40]
    assert visits[4] == 10
    corner, edge = fold.onto[0], fold.onto[1]
    assert folded.wins[corner] == 0 + 2 + 6 + 8
    assert folded.wins[edge] == 1 + 3 + 5 + 7
    assert folded.amaf_wins[corner] == 16
    assert folded.amaf_visits[edge] == 20
    assert folded.counts.sum() == stats.counts.sum()
    assert fold.mean(np.array([0, 1, 2, 3, 4, 5, 6, 7, 9]))[corner] == (0 + 2 + 6 + 9) // 4
    assert Fold.none(points).stats(stats) is stats


def test_the_seed_draws_which_image_is_played():
    bots = [make("phantom:playouts=60,net=stones1,fold=on", GAME, seed) for seed in range(60)]
    tried = Counter(bot.decide(empty(2, WHITE)).move for bot in bots)
    assert set(tried) == {0, 1, 2, 3}
    decision = bots[0].decide(empty(5))
    assert len(decision.candidates) == 6
    assert decision.candidates == bots[0].decide(empty(5)).candidates


def test_folding_finds_the_middle_more_often():
    """Of four images the luckiest is better than it is: the middle has but one try."""
    middle = 12

    def found(fold):
        spec = f"phantom:playouts=400,net=stones1,fold={fold}"
        return sum(
            make(spec, Game.of(empty(5)), seed).decide(empty(5)).move == middle
            for seed in range(100)
        )

    assert found("on") > found("off") + 5


def test_folding_an_asymmetric_view_changes_nothing():
    views = [played(5, seed, 9).view(BLACK) for seed in range(6)]
    lopsided = [view for view in views if len(symmetries_of_view(view)) == 1]
    assert lopsided
    for seed, view in enumerate(lopsided):
        folded = (
            make("phantom:playouts=100,net=stones1,fold=on", Game.of(view), seed).decide(view).move
        )
        assert (
            folded
            == make("phantom:playouts=100,net=stones1", Game.of(view), seed).decide(view).move
        )
