"""Where a bot believes enemy stones to be: worlds counted, against the oracle and what is sure."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import BOTS, make
from bots.belief import even_probabilities, presume_nothing, presume_refused
from bots.phantom import Phantom
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE, members, parse_move
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import Purpose, purpose_key
from tests.support.naive import NaiveGo, NaiveStream, deal
from tests.support.strategies import played, profiles, seeds

GAME = Game(Rules())


def naive_shares(view: View, count: int) -> dict[int, float]:
    """The same with the oracle's dealing: Black holds the belief, White is hidden."""
    size, belief = view.rules.size, presume_nothing(view)
    key = purpose_key(Purpose.BELIEF, 0, view.colour, view.turn, view.refusals)
    odds = Phantom(GAME, 0, net="stones1").worlds_of(view, belief).odds
    of_point = {divmod(p, size): w for p, w in enumerate(odds.tolist())}
    counts = dict.fromkeys(members(belief.open), 0)
    for number in range(count):
        go = NaiveGo(size)
        go.stones = {divmod(p, size): "b" for p in members(belief.own)}
        go.stones |= {divmod(p, size): "w" for p in members(belief.enemy)}
        before = set(go.stones)
        open_points = {divmod(p, size) for p in members(belief.open)}
        deal(go, open_points, of_point, belief.hidden, None, NaiveStream(key, number))
        for row, column in set(go.stones) - before:
            counts[row * size + column] += 1
    return {point: stones / count for point, stones in counts.items()}


@given(size=st.integers(2, 7), seed=seeds, count=st.integers(0, 60), profile=profiles)
@settings(max_examples=40)
def test_it_counts_what_the_oracle_deals(size, seed, count, profile):
    view = played(size, seed, count, profile).view(WHITE)
    worlds = Phantom(GAME, 0, net="stones1").worlds_of(view, presume_refused(view))
    key = purpose_key(Purpose.BELIEF, 0, view.colour, view.turn, view.refusals)
    assert worlds.stone_probabilities(view, key, 20) == pytest.approx(naive_shares(view, 20))


@pytest.mark.parametrize("kind", sorted(BOTS))
def test_the_shares_add_up_to_the_stones(kind):
    view = played(6, 5, 30).view(BLACK)
    assert view.hidden
    shares = make(kind, Game.of(view), 1).stone_probabilities(view)
    assert sum(shares.values()) == pytest.approx(view.hidden, abs=0.05)
    assert shares == make(kind, Game.of(view), 2).stone_probabilities(view)
    assert not set(shares) & set(members(view.own | view.located | view.vacant))


def test_only_bots_that_presume_refused_stones_are_sure_of_them():
    """Black is refused at A1, which may be a stone or an eye: two of White's stones are hidden."""
    referee = Referee(Rules(size=5))
    for text in ["E5", "B1", "E4", "A2", "A1"]:
        referee.attempt(referee.to_move, parse_move(text, 5))
    view, corner = referee.view(BLACK), 0
    assert even_probabilities(view, presume_refused(view))[corner] == 1
    assert make("flatmc", Game.of(view), 1).stone_probabilities(view)[corner] == 1
    assert make("random", Game.of(view), 1).stone_probabilities(view)[corner] == 1
    assert 0.05 < Phantom(GAME, 1, net="stones1").stone_probabilities(view)[corner] < 0.95
