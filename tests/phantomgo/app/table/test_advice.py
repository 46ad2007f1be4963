"""Chances to win, as playouts estimate them."""

from phantomgo.app.table import advice
from phantomgo.game.points import PASS, RESIGN
from phantomgo.game.rules import Rules
from tests.support.play_tools import new_game, sit


def test_a_won_board_is_judged_won():
    chair = sit(new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110))
    chance = advice.chance(chair.game.moments[0], chair.game.rules)
    assert chance > 0.95
    assert advice.chance(new_game().moments[0], Rules(5, 25.5)) < 0.01
    assert advice.chance(new_game().moments[0], Rules(5, -25.5)) > 0.99


def test_a_resignation_does_not_judge_the_board():
    game = new_game()
    game.attempt(RESIGN, 1.0)
    before, after = advice.chances(game)
    assert 0 < after == before


def test_a_pass_that_lets_the_other_win_by_passing_is_judged_by_the_result():
    game = new_game(komi=0.5)  # 5x5 and no stones: White wins by the komi
    for _ in range(2):
        game.attempt(PASS, 1.0)
    before, after, end = advice.chances(game)
    assert before > 0.1
    assert after == end == 0.0
