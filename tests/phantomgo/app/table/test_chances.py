"""Win probabilities, as playouts estimate them, and games that bots continue."""

import pytest

from bots import make
from phantomgo.app.table import chances as module
from phantomgo.app.table.chances import _Continued, chance, chances
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import BLACK, PASS, RESIGN
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
    before, after = chances(game).line
    assert 0 < after == before


def test_a_pass_that_lets_the_other_win_by_passing_is_judged_by_the_result():
    game = new_game(komi=0.5)  # 5x5 and no stones: White wins by the komi
    for _ in range(2):
        game.attempt(PASS, 1.0)
    before, after, end = chances(game).line
    assert before > 0.1
    assert after == end == 0.0


@pytest.fixture
def continued(monkeypatch):
    """Games are continued, as they are for users."""
    monkeypatch.setattr(module, "GAMES", 8)


def long_game():
    """Twenty moves on 7x7, far from each other, after which White resigns."""
    game = new_game(komi=3.5, size=7)
    for number in range(20):
        game.attempt(2 * number, 1.0)
    game.end(Outcome(BLACK, None, Ending.RESIGN, "White resigns"))
    return game


def planted(monkeypatch, wins):
    """Have Black win the games from the moments of which `wins` is true."""

    def play(self, numbers):
        for number in numbers:
            self.won.setdefault(number, []).extend([float(wins(number))] * module.GAMES)

    monkeypatch.setattr(_Continued, "play", play)


@pytest.mark.usefixtures("continued")
@pytest.mark.parametrize("turned", [4, 11, 18])
def test_the_attempt_from_which_bots_win_for_the_winner_is_found_and_confirmed(monkeypatch, turned):
    planted(monkeypatch, lambda number: number >= turned)
    line, sure = chances(long_game())
    assert max(line[:turned]) < 0.2
    assert min(line[turned:]) > 0.8
    assert sure[turned - 1]
    assert sure[turned]


@pytest.mark.usefixtures("continued")
def test_a_lead_that_was_lost_for_a_moment_is_noticed(monkeypatch):
    planted(monkeypatch, lambda number: number < 5 or (number >= 12 and number != 15))
    monkeypatch.setattr(module, "SPREAD", 3)
    line, sure = chances(long_game())
    assert line[15] < 0.2
    assert line[16] > 0.8
    assert sure[15]
    assert sure[16]


@pytest.mark.parametrize("handicap", [0, 0b00100_00000_01010])
def test_continued_games_are_those_of_the_bots_with_the_views_that_the_players_had(
    monkeypatch, handicap
):
    monkeypatch.setattr(module, "SPEC", "phantom:playouts=20,book=none,resign=5")
    monkeypatch.setattr(module, "GAMES", 8)
    game = new_game(komi=0.5, handicap=handicap)
    for move in (6, 6, 7, PASS, 12, 8):
        game.attempt(move, 1.0)
    found = _Continued(game, [0.5] * 7)
    moments = [0, found.turns[-1]]
    found.play(moments)
    found.play(moments[1:])
    for number, count in zip(moments, (8, 16), strict=True):
        assert found.won[number] == [result(game, number, seed) for seed in range(count)]


def result(game, number, seed):
    """Black's result in a game that is played attempt by attempt by the referee."""
    referee, start = game.first(number).twin(), Game(game.rules, Beginning(game.start.handicap))
    while referee.outcome is None:
        colour = referee.to_move
        bot = make(module.SPEC, start, 2 * seed + colour - 1)
        referee.attempt(colour, bot.decide(referee.view(colour)).move)
    return referee.outcome.score(BLACK)


@pytest.mark.parametrize("limit", [{"GAMES": 0}, {"GAMES": 8, "LARGEST": 6}])
def test_without_continued_games_the_playouts_say_all(monkeypatch, limit):
    for name, value in limit.items():
        monkeypatch.setattr(module, name, value)
    game = long_game()
    line, sure = chances(game)
    assert line == pytest.approx([chance(moment, game.rules) for moment in game.moments])
    assert all(sure)
