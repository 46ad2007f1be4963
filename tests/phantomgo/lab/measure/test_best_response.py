"""Learned best responses beside exact ones, in a game small enough for those."""

import runpy
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

import bots
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.game.rules import Rules
from phantomgo.lab.measure.best_response import Effort, _attempts_made, find
from phantomgo.lab.measure.responder import Position, Responder
from phantomgo.lab.run.progress import SILENT
from phantomgo.lab.seeds.contest import make_setup
from tests.support.places import ROOT

RULES = Rules.profile("olympiad", size=2, komi=1.5).with_text("max_moves", "4")
GAME = Game(RULES)
NOTE = runpy.run_path(str(ROOT / "docs" / "notes" / "yardstick.py"))


def test_it_reaches_nine_tenths_of_an_exact_best_response(tmp_path):
    players = [bots.make("flatmc:playouts=20", GAME, seed) for seed in range(6)]
    mixture = NOTE["turned"](players, [1.0] * 6)
    most = sum(NOTE["exact"](colour, RULES, mixture) for colour in Colour) / 2
    assert 0.55 < most < 0.95
    effort = Effort("tree", 0.008, 2, "random", 192, 240, 0)
    setup = make_setup("random", "random", "olympiad", GAME)
    found = find(setup, mixture.draw, effort, "it", tmp_path, SILENT)
    assert 0.9 * most < found.best.rate().value
    assert found.best.rate().low < most


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize(("size", "moves", "komi"), [(2, "6", 1.5), (3, "3", 1.5), (3, "4", 0.5)])
def test_it_ends_at_an_exact_best_response(size, moves, komi, colour):
    """Where all players can be tried, and some attempts are made good only by later ones."""
    rules = Rules.profile("olympiad", size=size, komi=komi).with_text("max_moves", moves)
    game = Game(rules)
    players = [bots.make("flatmc:playouts=20", game, seed) for seed in (2, 3)]
    mixture = NOTE["turned"](players, [1.0, 1.0])
    faced = dict.fromkeys(mixture.players, 1)
    found = Responder(Position.start(rules), colour, partial(bots.make, "random", game), faced)
    found.learn(lambda: False)
    assert found.rate == NOTE["exact"](colour, rules, mixture)


def test_a_responder_stops_at_its_attempts():
    responder: Any = SimpleNamespace(attempts=0)
    told: list[int] = []
    made = _attempts_made(responder, 10, told.append)
    assert not made()
    responder.attempts = 4
    assert not made()
    responder.attempts = 10
    assert made()
    assert told == [4, 6]


def test_exact_best_responses_are_those_of_openspiel():
    """Against one player they win what they can: NOTE computes it by itself."""
    pytest.importorskip("pyspiel", reason="the optional extra that has OpenSpiel is not installed")
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from phantomgo import spiel

    player = bots.make("flatmc:playouts=20", GAME, 3)
    game = pyspiel.load_game(f"{spiel.NAME}(size=2,komi=1.5,max_moves=4)")

    class Same(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            mover = state.current_player() if player_id is None else player_id
            return {player.decide(state.view(mover)).move % 5: 1.0}

    one = NOTE["Mixture"]([player], [1.0])
    for number, colour in enumerate((BLACK, WHITE)):
        found = exploitability.best_response(game, Same(game, [0, 1]), number)
        assert NOTE["exact"](colour, RULES, one) == (1 + found["best_response_value"]) / 2
