"""What a pass is worth."""

import pytest

from bots import passing
from bots.belief import presume_refused
from bots.passing import WORLDS, better_pass, pass_value
from bots.worlds import Worlds, seen_share
from phantomgo.game.messages import Passed, Placed
from phantomgo.game.points import BLACK, point_set
from phantomgo.game.rules import Rules
from phantomgo.game.view import View


@pytest.fixture
def lead() -> View:
    """Black's only stone makes the whole board theirs, as long as White does not play."""
    return View(Rules(size=5, komi=0.5), BLACK).after(Placed(BLACK, point_set([12])))


def test_a_pass_is_worth_no_more_than_the_games_that_follow_it(lead):
    worlds = Worlds(presume_refused(lead), lead.rules, BLACK)
    assert worlds.standing(9, WORLDS) == 1
    assert pass_value(lead, worlds, 9) == 130 / 200


@pytest.mark.parametrize(("value", "better"), [(0.98, True), (0.97, False)])
def test_a_pass_that_wins_surely_is_as_good_as_the_best(lead, value, better, monkeypatch):
    monkeypatch.setattr(passing, "only_enemy_territory", lambda _: True)
    monkeypatch.setattr(passing, "pass_value", lambda *_: value)
    worlds = Worlds(presume_refused(lead), lead.rules, BLACK)
    assert better_pass(lead, worlds, 1, 9) is better


@pytest.mark.parametrize(("empty", "nothing"), [(0b1, True), (0b11, False), (0b111111111, False)])
def test_nothing_is_left_but_an_own_eye(empty, nothing):
    view = View(Rules(size=3), BLACK, own=0b111111111 ^ empty)
    assert passing.only_enemy_territory(view) is nothing


def test_after_the_opponents_pass_the_board_counts_as_it_stands(lead):
    view = lead.after(Passed())
    worlds = Worlds(presume_refused(view), view.rules, BLACK)
    assert pass_value(view, worlds, 9) == 1


def test_the_chance_of_a_side_that_sees_all_stones():
    """Of random playouts by the stream of the side and its moves; with nothing to play, a pass."""
    for turn, share in ((3, 0.47), (4, 0.522)):
        assert seen_share(0b1010, 0b1 << 12, Rules(size=5, komi=0.5), BLACK, turn, 500) == share
    assert seen_share(0b1110, 0, Rules(size=2, komi=0.5), BLACK, 3, 10) == 0.5
