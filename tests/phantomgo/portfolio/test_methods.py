"""Methods against matrices worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from phantomgo.errors import BadText
from phantomgo.portfolio.matrix import SeedMatrix, cells
from phantomgo.portfolio.methods import (
    METHODS,
    besthalf,
    bestseed,
    besttop,
    nash,
    oneseed,
    parse_method,
    sparse,
    topk,
)

# Black wins 3, 1, 2, 1 times by row; White loses 2, 1, 3, 1 times by column.
WINS = np.array([[1, 0, 1, 1], [0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 0]], dtype=np.uint8)
SQUARE = SeedMatrix(WINS, WINS)


def square(wins):
    wins = np.array(wins, dtype=np.uint8)
    return SeedMatrix(wins, wins)


def test_bestseed_takes_the_most_wins_and_draws_among_ties():
    assert bestseed(SQUARE).black.tolist() == [1, 0, 0, 0]
    picked = {int(bestseed(SQUARE, ties).white.argmax()) for ties in range(40)}
    assert picked == {1, 3}
    assert bestseed(SQUARE, 7).white.tolist() == bestseed(SQUARE, 7).white.tolist()


def test_oneseed_draws_among_all():
    for colour in (0, 1):
        drawn = [int(oneseed(SQUARE, ties)[colour].argmax()) for ties in range(400)]
        assert np.bincount(drawn, minlength=4).min() > 60


def test_besthalf_is_what_lies_above_the_median():
    black, white = besthalf(SQUARE)
    assert black.tolist() == [0.5, 0, 0.5, 0]  # median 1.5 of 3, 1, 2, 1
    assert white.tolist() == [0, 0.5, 0, 0.5]  # White's wins are 2, 3, 1, 3


def test_besthalf_where_no_seed_is_above_the_median():
    assert besthalf(square([[1, 0], [1, 0]])).black.tolist() == [0.5, 0.5]
    wins = np.array([[1, 1, 1], [1, 1, 1], [0, 0, 0]], dtype=np.uint8)
    assert besthalf(SeedMatrix(wins, wins)).black.tolist() == [0.5, 0.5, 0]


def test_topk_is_the_best_all_alike():
    portfolio = topk(SQUARE, k=2)
    # Black's seeds win 3, 1, 2, 1 of four; White's 2, 3, 1, 3, and of equal ones the first counts.
    assert portfolio.black.tolist() == [0.5, 0, 0.5, 0]
    assert portfolio.white.tolist() == [0, 0.5, 0, 0.5]
    assert topk(SQUARE, k=1).black.tolist() == [1, 0, 0, 0]
    assert topk(SQUARE, k=9).white.tolist() == [0.25] * 4


def test_besttop_takes_few_where_seeds_differ_and_many_where_they_do_not():
    random = np.random.default_rng(1)
    strengths = np.where(np.arange(64) < 3, 0.95, 0.4)
    wins = (random.random((64, 64)) < strengths[:, None]).astype(np.uint8)
    matrix = SeedMatrix(wins, 1 - wins.T)  # the same seeds are strong as White
    few = besttop(matrix, aim="1", turned="off")
    assert np.flatnonzero(few.black).tolist() in ([0, 1], [0, 1, 2])
    alike = (random.random((64, 64)) < 0.5).astype(np.uint8)
    many = besttop(SeedMatrix(alike, alike), aim="16", turned="off")
    assert np.count_nonzero(many.black) >= 24
    both = besttop(SeedMatrix(alike, alike), aim="16", turned="on")
    assert np.count_nonzero(both.black) == -(-np.count_nonzero(many.black) // 8)
    one, same = (besttop(matrix, 7, aim="both", turned="off") for _ in range(2))
    assert np.array_equal(one.black, same.black)


def test_sparse_by_hand():
    # The equilibrium of diag(1, 1/2, 1/4) mixes 1 : 2 : 4.
    matrix = SeedMatrix(*[np.diag([1.0, 0.5, 0.25])] * 2)
    assert nash(matrix).black == pytest.approx(np.array([1, 2, 4]) / 7)
    assert sparse(matrix, alpha=0.5).black == pytest.approx(np.array([0, 1, 2]) / 3)
    assert sparse(matrix, alpha=0.75).white == pytest.approx(np.array([0, 0, 1]))
    assert sparse(matrix, alpha=0.25).white == pytest.approx(np.array([1, 2, 4]) / 7)


def test_rectangular_learning_solves_one_game_per_colour():
    # Black's own seeds against two opponents; White's own seeds against two others.
    black = np.array([[1, 0], [0, 1], [0, 0]], dtype=np.uint8)
    white = np.array([[0, 1, 1], [1, 1, 1]], dtype=np.uint8)
    portfolio = nash(SeedMatrix(black, white))
    assert portfolio.black == pytest.approx(np.array([0.5, 0.5, 0]))
    # White's seed 0 is the only one that ever wins; against Black's seed 1 nothing helps.
    assert bestseed(SeedMatrix(black, white)).white.tolist() == [1, 0, 0]
    assert portfolio.white.sum() == pytest.approx(1)


@given(st.integers(1, 7).flatmap(lambda k: arrays(np.uint8, (k, k), elements=st.integers(0, 1))))
@settings(max_examples=10)
def test_every_method_gives_distributions(wins):
    for text in METHODS:
        for side in parse_method(text).learn(SeedMatrix(wins, wins), 3):
            assert side.shape == (len(wins),)
            assert (side >= 0).all()
            assert side.sum() == pytest.approx(1)


@given(st.integers(1, 12).flatmap(lambda k: st.tuples(st.just(k), st.integers(1, k))))
def test_the_games_of_a_rectangle(sizes):
    own, opponents = sizes
    found = list(cells(own, opponents))
    assert len(found) == len(set(found)) == 2 * own * opponents - opponents**2
    assert set(found) == {
        (i, j) for i in range(own) for j in range(own) if i < opponents or j < opponents
    }
    # Whatever prefix has been played, whole shells come first.
    assert [max(cell) for cell in found] == sorted(max(cell) for cell in found)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nash", "nash"),
        ("topk", "topk:k=16"),
        ("sparse", "sparse:alpha=0.75"),
        ("sparse:alpha=0.50", "sparse:alpha=0.5"),
        ("sparse:alpha=1", "sparse:alpha=1"),
    ],
)
def test_method_texts(text, canonical):
    assert parse_method(text).text == canonical
    assert parse_method(canonical).text == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nash:alpha=1", "nash has no parameter 'alpha'; it has no parameters"),
        ("sparse:alpha=0.5,alpha=1", "sparse parameter alpha is given twice"),
        ("sparse:beta=1", "sparse has no parameter 'beta'; it has alpha"),
        *(
            (
                f"sparse:alpha={value}",
                f"sparse alpha={value} is not a number from 0.000001 to 1 with up to 6 decimals",
            )
            for value in ("0", "1.5", "nan", "-1", "1e-3", "", "0.0.1", "0.1234567")
        ),
    ],
)
def test_bad_method_texts(text, message):
    with pytest.raises(BadText) as caught:
        parse_method(text)
    assert str(caught.value) == message
