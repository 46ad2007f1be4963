"""The heat map: determinizations counted, against the oracle and against what is certain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.belief import doubt
from bots.heat import stone_shares
from bots.prior import weights
from phantomgo.points import Colour, members
from phantomgo.rng import decision_key
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.naive import NaiveGo, NaiveStream, deal
from tests.support.strategies import played, profiles, seeds


def naive_shares(view: View, boards: int) -> dict[int, float]:
    """The same with the oracle's dealing: Black holds the belief, White is hidden."""
    size, belief = view.rules.size, doubt(view)
    key = decision_key(0, view.colour, view.turn, view.refusals)
    of_point = {divmod(p, size): int(w) for p, w in enumerate(weights(view))}
    counts = dict.fromkeys(members(belief.open), 0)
    for number in range(boards):
        go = NaiveGo(size)
        go.stones = {divmod(p, size): "b" for p in members(belief.own)}
        go.stones |= {divmod(p, size): "w" for p in members(belief.enemy)}
        before = set(go.stones)
        open_points = {divmod(p, size) for p in members(belief.open)}
        deal(go, open_points, of_point, belief.hidden, None, NaiveStream(key, number))
        for row, column in set(go.stones) - before:
            counts[row * size + column] += 1
    return {point: count / boards for point, count in counts.items()}


@given(size=st.integers(2, 7), seed=seeds, count=st.integers(0, 60), profile=profiles)
@settings(max_examples=40)
def test_it_counts_what_the_oracle_deals(size, seed, count, profile):
    view = played(size, seed, count, profile).view(Colour.WHITE)
    shares = stone_shares(view, 20)
    assert shares == pytest.approx(naive_shares(view, 20))


def test_the_shares_add_up_to_the_stones():
    view = played(9, 5, 60).view(Colour.BLACK)
    shares = stone_shares(view)
    assert sum(shares.values()) == pytest.approx(doubt(view).hidden, abs=0.05)
    assert shares == stone_shares(view)


def test_nothing_hidden_is_nowhere():
    assert set(stone_shares(View(Rules(size=19), Colour.WHITE)).values()) == {0.0}
