"""Decisions that are remembered: how much room they take, and that nothing depends on them."""

import tracemalloc

import pytest

from phantomgo.game.points import Colour
from phantomgo.papers.games import player
from phantomgo.papers.games.contest import make_game, play
from phantomgo.papers.games.players import make_player
from phantomgo.portfolio.matrix import cells

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    monkeypatch.setattr(player, "_decisions", {})


def played(name, seeds):
    game = make_game(name)
    both = dict.fromkeys(Colour, make_player("random", game))
    return [play(game, both, pair) for pair in cells(seeds, seeds)]


@pytest.mark.parametrize("name", ["domineering:size=5", "atarigo:size=5"])
def test_what_is_remembered_takes_64_megabytes_at_most(name):
    played(name, 2)  # what is imported and made once is not counted
    player._decisions = {}
    tracemalloc.start()
    try:
        played(name, 5)
        each = tracemalloc.get_traced_memory()[0] / len(player._decisions)
    finally:
        tracemalloc.stop()
    assert each * player.MOST < 80 * MEGABYTE  # more than 64, for Python's versions differ


def test_games_do_not_depend_on_what_is_forgotten(monkeypatch):
    games = played("atarigo:size=4", 6)
    monkeypatch.setattr(player, "MOST", 20)
    player._decisions.clear()
    assert played("atarigo:size=4", 6) == games
    assert len(player._decisions) <= 20
