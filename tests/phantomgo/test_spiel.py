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
from phantomgo.lab.vector import SIDES, Games
from phantomgo.rng import Stream
from tests.support.strategies import profiles, seeds

try:
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

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
        colour = SIDES[player]
        assert colour is referee.to_move
        assert state.legal_actions() == list(np.flatnonzero(attempts(referee.view(colour))))
        action = state.legal_actions()[chance.below(len(state.legal_actions()))]
        before = state.clone()
        state.apply_action(action)
        referee.attempt(colour, PASS if action == 9 else action)
        assert before.history() == state.history()[:-1]
        for number, side in enumerate(SIDES):
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
@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_games_by_the_rules_openspiel_are_openspiels(size):
    """Shared random attempts: who acts, when the game ends, and what it returns."""
    native = pyspiel.load_game("phantom_go", {"board_size": size, "komi": 2.5})
    rules = Rules.profile("openspiel", size=size, komi=2.5)
    assert load(size=size, profile="openspiel").max_game_length() == native.max_game_length()
    for seed in range(30):
        chance, theirs, ours = Stream(seed), native.new_initial_state(), Games(rules, 1)
        while not theirs.is_terminal():
            assert ours.to_move.tolist() == [theirs.current_player()]
            legal = theirs.legal_actions()
            action = legal[chance.below(len(legal))]
            theirs.apply_action(action)
            ours.step(np.array([action]))
            assert ours.over.tolist() == [theirs.is_terminal()]
        assert ours.returns.tolist() == [theirs.returns()]


@needs
@pytest.mark.parametrize("profile", ["olympiad", "hamburg", "openspiel"])
def test_a_resampled_state_tells_its_player_the_same(profile):
    chance, others = Stream(1), 0
    game = load(size=3, komi=0.5, profile=profile)
    state = game.new_initial_state()
    for _ in range(14):
        for player in (0, 1):
            one = state.resample_from_infostate(player, lambda: chance.below(1 << 32) / (1 << 32))
            told = state.information_state_string(player)
            assert one.information_state_string(player) == told
            assert one.current_player() == state.current_player()
            assert game.deserialize_state(one.serialize()).history() == one.history()
            others += str(one) != str(state)
        legal = state.legal_actions()[:-1]
        state.apply_action(legal[chance.below(len(legal))])
        if state.is_terminal():
            break
    assert state.move_number() > 8
    assert others


@needs
def test_the_tensor_of_an_information_state_has_a_row_for_each_message():
    game = load(size=2, komi=0.5, messages=4)
    assert game.information_state_tensor_shape() == [4, 21]
    state = game.new_initial_state()
    for action in (0, 0, 1):  # Black A1; White A1, refused, and B1
        state.apply_action(action)
    one, two = (np.reshape(state.information_state_tensor(player), (4, 21)) for player in (0, 1))
    assert [np.flatnonzero(row).tolist() for row in one] == [[0, 13], [2], [], []]
    assert [np.flatnonzero(row).tolist() for row in two] == [[2], [1, 13], [0, 14], []]
    for action in (3, 2):  # Black B2, which takes B1 with A1; White A2, which takes nothing
        state.apply_action(action)
    two = np.reshape(state.information_state_tensor(1), (4, 21))
    assert np.flatnonzero(two[0]).tolist() == [1, 13], "the earliest message gives way"


@needs
def test_information_set_mcts_runs_on_it():
    state = load(size=2, komi=0.5).new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        state.get_game(), evaluator, 1.4, 20, random_state=np.random.RandomState(1),
        allow_inconsistent_action_sets=True,
    )  # fmt: skip
    for _ in range(6):  # or fewer, as OpenSpiel draws the bot's worlds without a seed
        if not state.is_terminal():
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert state.move_number() >= 2


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
