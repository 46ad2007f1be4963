"""`phantom`: its search, the nets it chooses, and its shipped opening books."""

from itertools import pairwise

import pytest

import bots
from bots import deployed, make
from bots.belief import candidates, presume_refused
from bots.passing import wins_as_it_stands
from bots.phantom import Phantom
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS, WHITE, parse_move
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View

GAME = Game(Rules())


@pytest.mark.parametrize("size", [4, 5, 7, 9, 13])
def test_it_plays_by_the_nets_that_win_on_a_board(size):
    keys = deployed.board(size).phantom._asdict().items()
    named = "phantom:" + ",".join(f"{key}={value}" for key, value in keys)
    view = View(Rules(size=size), WHITE, enemies=1)
    for seed in (1, 2):
        player = bots.make(named, Game.of(view), seed)
        best = bots.make("phantom:book=none", Game.of(view), seed)
        assert best.decide(view).move == player.decide(view).move
        assert set(player.data().values()) <= set(best.data().values())


def refused_eye():
    """Black has tried A1 in vain; then White has taken C1, unseen, and Black D1: A1 captures."""
    referee = Referee(Rules(size=5, komi=2.5))
    for text in ["A3", "A2", "B3", "B2", "C2", "B1", "A1?", "E5", "C1", "D1"]:
        referee.attempt(referee.to_move, parse_move(text.rstrip("?"), 5))
    assert referee.board.stones(WHITE).bit_count() == 4
    return referee


def test_refused_points_are_retried_before_a_pass(monkeypatch):
    referee = refused_eye()
    referee.attempt(WHITE, PASS)
    view, eye = referee.view(BLACK), parse_move("A1", 5)
    assert not candidates(view, presume_refused(view)) >> eye & 1
    monkeypatch.setattr("bots.deciding.candidates", lambda *_: 0)
    assert make("phantom:retry=off", Game.of(view), 1).decide(view).move == PASS
    assert make("phantom", Game.of(view), 1).decide(view).move == eye
    referee.attempt(BLACK, eye)
    assert referee.view(BLACK).taken == 4


@pytest.mark.parametrize("seed", range(4))
def test_it_passes_only_when_all_is_tried_or_the_game_is_won(seed):
    phantom, other = make("phantom:playouts=60", GAME, seed), make("random", GAME, seed)
    referee, passes = Referee(Rules(size=4, komi=0.5)), 0
    mine = (BLACK, WHITE)[seed % 2]
    while referee.outcome is None:
        view = referee.view(referee.to_move)
        move = (phantom if referee.to_move is mine else other).decide(view).move
        if referee.to_move is mine and move == PASS:
            passes += 1
            tried = all(refusal.turn == view.turn for refusal in view.refused)
            assert tried or (view.opponent_passed and wins_as_it_stands(view))
        referee.attempt(referee.to_move, move)
    assert passes


@pytest.mark.parametrize("narrow", [2, 3, 4, 1000])
def test_rounds_narrow_until_one_is_left(narrow):
    bot = Phantom(GAME, 0, narrow=narrow)
    for count in range(1, 362):
        left = [count]
        while left[-1] > 1:
            left.append(bot._kept(left[-1]))
        assert bot._rounds(count) == len(left) - 1
        assert all(small < large for large, small in pairwise(left))
