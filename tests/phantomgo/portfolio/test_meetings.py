"""Methods against one another, against arithmetic by hand."""

import numpy as np
import pytest

from phantomgo.errors import BadText
from phantomgo.portfolio.exploit import meet
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.packed import read_matrix

# Black's seed 0 wins always, White's seed 3 beats all others.
WINS = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 1, 0]], dtype=np.uint8)


def test_within_a_matrix():
    matrix = SeedMatrix(WINS, WINS)
    within, _ = meet(matrix, ["bestseed", "uniform"], "uniform", repeats=1, seed=0)
    # Seed 0 wins all as Black, and White's seed 3 three of four; alike seeds win 11 of 16 as Black.
    assert within.tolist() == [[1, 0.75], [11 / 16, 5 / 16]]
    within, _ = meet(matrix, ["uniform"], "bestseed", repeats=1, seed=0)
    assert within.tolist() == [[0.25, 0]]


def test_halves_have_no_seed_in_common():
    """Whoever learned the luck of the games they are tested on would win all of them."""
    random = np.random.default_rng(1)
    wins = random.integers(0, 2, (60, 60)).astype(np.uint8)
    within, fresh = meet(SeedMatrix(wins, wins), ["bestseed"], "uniform", repeats=40, seed=1)
    assert within.mean() > 0.6
    assert abs(fresh.mean() - 0.5) < 0.03


def test_both_ends_of_a_meeting_agree():
    """What one wins as Black the other loses as White, whoever is asked, in every repeat."""
    matrix = read_matrix("flat5").won.first(60, 60)
    one = meet(matrix, ["topk", "uniform"], "topk", repeats=3, seed=5)
    assert np.allclose(one.within[0].sum(), 1)
    other = meet(matrix, ["topk"], "uniform", repeats=3, seed=5)
    assert np.allclose(one.within[1][0], 1 - other.within[0][1])
    assert one.fresh.shape == (3, 2, 2)
    again = meet(matrix, ["topk", "uniform"], "topk", repeats=3, seed=5)
    assert np.array_equal(one.fresh, again.fresh)


@pytest.mark.parametrize(
    ("matrix", "methods", "message"),
    [
        (SeedMatrix(WINS, WINS[:3]), ["nash"], "not on 4 against 3"),
        (SeedMatrix(WINS[:2, :2], WINS[:2, :2]), ["nash"], "at least 4 seeds"),
        (SeedMatrix(WINS, WINS), ["sparse:alpha=best"], "can't meet a method"),
        (SeedMatrix(WINS, WINS), ["best"], "best"),
    ],
)
def test_who_cannot_meet(matrix, methods, message):
    with pytest.raises(BadText, match=message):
        meet(matrix, methods, "uniform", repeats=1, seed=0)
