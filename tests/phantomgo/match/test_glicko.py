"""Glicko-2: the example of the paper, and what every rating has to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.match.glicko import UNKNOWN, Rating

RATINGS = st.builds(Rating, st.floats(0, 4000), st.floats(20, UNKNOWN), st.floats(0.01, 0.2))
GAMES = st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 0.5, 1.0])), max_size=20)


def test_the_example_of_the_paper():
    opponents = [Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)]
    found = Rating(1500, 200).after(list(zip(opponents, [1.0, 0.0, 0.0], strict=True)))
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_becomes_less_certain_up_to_the_uncertainty_of_a_beginner():
    rating = Rating(1700, 60)
    for _ in range(10_000):
        later = rating.after([])
        assert later.value == 1700
        assert rating.deviation <= later.deviation <= UNKNOWN
        rating = later
    assert rating.deviation == UNKNOWN


@given(RATINGS, GAMES)
def test_ratings_stay_finite_and_a_win_is_worth_more_than_a_loss(rating, games):
    found = rating.after(games)
    assert -4000 < found.value < 8000
    assert 0 < found.deviation <= UNKNOWN
    assert 0 < found.volatility < 5
    won = rating.after([*games, (Rating(), 1.0)])
    lost = rating.after([*games, (Rating(), 0.0)])
    assert won.value > lost.value
