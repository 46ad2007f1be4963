"""Chances to win, as playouts estimate them, and games that bots continue."""

import pytest

from phantomgo.app.table import chances as module
from phantomgo.app.table.chances import _Continued, chance, chances
from phantomgo.game.points import PASS, RESIGN
from phantomgo.game.rules import Rules
from tests.support.play_tools import new_game, sit


def test_a_won_board_is_judged_won():
    chair = sit(new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110))
    won = chance(chair.game.moments[0], chair.game.rules)
    assert won > 0.95
    assert chance(new_game().moments[0], Rules(5, 25.5)) < 0.01
    assert chance(new_game().moments[0], Rules(5, -25.5)) > 0.99


def test_a_resignation_does_not_judge_the_board():
    game = new_game()
    game.attempt(RESIGN, 1.0)
    before, after = chances(game)
    assert 0 < after == before


def test_a_pass_that_lets_the_other_win_by_passing_is_judged_by_the_result():
    game = new_game(komi=0.5)  # 5x5 and no stones: White wins by the komi
    for _ in range(2):
        game.attempt(PASS, 1.0)
    before, after, end = chances(game)
    assert before > 0.1
    assert after == end == 0.0


@pytest.fixture
def continued(monkeypatch):
    """Games are continued, as they are for users."""
    monkeypatch.setattr(module, "GAMES", 8)


def long_game():
    """Twenty moves on 7x7, far from each other."""
    game = new_game(komi=3.5, size=7)
    for number in range(20):
        game.attempt(2 * number, 1.0)
    return game


@pytest.mark.usefixtures("continued")
@pytest.mark.parametrize("turned", [4, 11, 18])
def test_the_attempt_after_which_bots_win_from_the_other_side_is_found(monkeypatch, turned):
    monkeypatch.setattr(
        _Continued, "_continue", lambda _self, begun, _game: float(len(begun.steps) < turned)
    )
    line = chances(long_game())
    assert min(line[:turned]) > 0.8
    assert max(line[turned:]) < 0.2


def test_continued_games_are_the_same_each_time_and_end_early_where_all_is_decided(monkeypatch):
    monkeypatch.setattr(module, "GAMES", 1)
    monkeypatch.setattr(module, "SPREAD", 2)
    monkeypatch.setattr(module, "CHANGE", 1.0)
    assert chances(long_game()) == chances(long_game())
    won = new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110)
    found = _Continued(won, [0.5])
    found.play(0, 3)
    assert found.work == 0
    assert found.chance(0) > 0.7


@pytest.mark.parametrize("limit", [{"GAMES": 0}, {"GAMES": 8, "WORK": 10**5}])
def test_without_continued_games_the_playouts_say_all(monkeypatch, limit):
    for name, value in limit.items():
        monkeypatch.setattr(module, name, value)
    game = long_game()
    said = [chance(moment, game.rules) for moment in game.moments]
    assert chances(game) == pytest.approx(said)
