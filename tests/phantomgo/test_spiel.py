"""Phantom Go in OpenSpiel: the referee's game, and what players observe."""

import sys
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings

from phantomgo.errors import BadRules, BadText, MissingExtra
from phantomgo.game.planes import attempts, planes, reward
from phantomgo.game.points import PASS, Colour
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.wording import line
from phantomgo.rng import Stream
from tests.support.strategies import profiles, seeds

try:
    import pyspiel

    from phantomgo import spiel
except (ImportError, MissingExtra):
    spiel = None
needs = pytest.mark.skipif(
    spiel is None, reason="OpenSpiel is not installed (pip install '.[games]')"
)


def load(**parameters):
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    return pyspiel.load_game(f"{spiel.NAME}({text})")


@needs
@settings(max_examples=20)
@given(profiles, seeds)
def test_it_is_the_referees_game(profile, seed):
    """Random attempts, refused ones among them, until the game is over."""
    rules = Rules.profile(profile, size=3, komi=0.5)
    state = load(size=3, komi=0.5, profile=profile).new_initial_state()
    referee, chance = Referee(rules), Stream(seed)
    while referee.outcome is None:
        player = state.current_player()
        colour = spiel.COLOURS[player]
        assert colour is referee.to_move
        assert state.legal_actions() == list(np.flatnonzero(attempts(referee.view(colour))))
        action = state.legal_actions()[chance.below(len(state.legal_actions()))]
        before = state.clone()
        state.apply_action(action)
        referee.attempt(colour, PASS if action == 9 else action)
        assert before.history() == state.history()[:-1]
        for number, side in enumerate(spiel.COLOURS):
            view = referee.view(side)
            told = [line(message, side, 3) for message in view.events]
            assert state.information_state_string(number).splitlines() == told
            assert state.observation_tensor(number) == planes(view).ravel().tolist()
    assert state.is_terminal()
    assert state.returns() == [reward(referee.outcome, colour) for colour in Colour]


@needs
def test_a_refused_player_acts_again():
    state = load(size=5, komi=2.5).new_initial_state()
    for action in (12, 12):
        state.apply_action(action)
    assert state.current_player() == 1
    assert state.action_to_string(1, 25) == "White pass"
    assert str(state).splitlines()[2] == ". . X . ."


@needs
def test_parameters_that_are_none():
    with pytest.raises(BadRules, match="size 1 is not"):
        spiel.PhantomGoGame({"size": 1})
    with pytest.raises(BadText, match="observations have no parameters"):
        load(size=3).make_py_observer(None, {"planes": True})


def test_without_the_package_a_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "phantomgo.spiel", raising=False)
    with pytest.raises(MissingExtra, match=r"needs open_spiel: pip install open_spiel, or '.\[gam"):
        import_module("phantomgo.spiel")
