"""Learned best responses beside exact ones, in a game small enough for those."""

import runpy

import pytest

import bots
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE, Colour
from phantomgo.game.rules import Rules
from phantomgo.lab.measure.best_response import Effort, find
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
