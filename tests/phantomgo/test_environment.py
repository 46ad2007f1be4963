"""The PettingZoo environment: its API, what an agent observes, and that nothing leaks."""

import sys
from importlib import import_module
from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.errors import BadText, MissingExtra
from phantomgo.planes import PLANES
from phantomgo.rng import Stream
from phantomgo.rules import PROFILES, Rules
from phantomgo.wording import line
from tests.support.strategies import profiles, script, seeds, variant

try:
    from phantomgo import environment
except MissingExtra:
    environment = None
needs = pytest.mark.skipif(
    environment is None, reason="PettingZoo is not installed (pip install '.[pettingzoo]')"
)
SMALL = Rules(size=3, komi=0.5)


def begun(rules: Rules = SMALL, *actions: int):
    """An environment after some actions."""
    env = environment.Environment(rules)
    env.reset()
    for action in actions:
        env.step(action)
    return env


def plane(env, agent, name):
    return env.observe(agent)["observation"][:, :, PLANES.index(name)]


@needs
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # they are dicts, as in every game
@pytest.mark.parametrize("profile", ["olympiad", "hamburg"])
def test_pettingzoos_own_tests_pass(profile, capsys):
    from pettingzoo.test import api_test, seed_test

    rules = Rules.profile(profile, size=3, komi=0.5)
    api_test(environment.env(rules), num_cycles=200)
    seed_test(lambda: environment.env(rules), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@needs
def test_a_refusal_is_observed_and_the_agent_acts_again():
    env = begun(SMALL, 4)
    assert env.agent_selection == "white_0"
    assert env.observe("white_0")["messages"] == ("phantom-opponent b move captured 0",)
    env.step(4)
    seen = env.observe("white_0")
    assert env.agent_selection == "white_0"
    assert seen["messages"] == ("phantom-illegal w B2",)
    assert plane(env, "white_0", "located enemy stones")[1, 1] == 1
    assert seen["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    assert not any(env.observe("black_0")["action_mask"])
    assert env.observe("black_0")["messages"] == ("phantom-accept b B2 captured 0",)


@needs
def test_rewards_come_at_the_end():
    env = begun(SMALL, 4, 9)
    assert (env.rewards, env.terminations["black_0"]) == ({"black_0": 0, "white_0": 0}, False)
    env.step(9)
    assert env.rewards == {"black_0": 1, "white_0": -1}
    assert env.terminations == {"black_0": True, "white_0": True}
    assert env.observe("white_0")["messages"][-1] == "phantom-game_over B+8.5"
    env.step(None)
    env.step(None)
    assert env.agents == []
    drawn = begun(Rules(size=3, komi=9), 4, 9, 9)
    assert drawn.rewards == {"black_0": 0, "white_0": 0}


@needs
@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), profiles, seeds)
def test_masks_and_messages_of_whole_games(size, profile, seed):
    """The mask leaves out nothing but certain refusals; the messages are all that was told."""
    env, stream = begun(Rules.profile(profile, size=size)), Stream(seed)
    told = {agent: [] for agent in env.possible_agents}
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seen = env.observe(agent)
        told[agent] += seen["messages"]
        assert env.observation_space(agent).contains(seen)
        colour = env._referee.to_move
        for point in np.flatnonzero(seen["action_mask"] == 0).tolist():
            twin = env._referee.copy()
            twin.attempt(colour, point)
            assert twin.log[-1].reason is not None
        env.step(stream.below(size * size + 1))
    for agent, lines in told.items():
        view = env.view(agent)
        last = env.observe(agent)["messages"]
        assert [*lines, *last] == [line(message, view.colour, size) for message in view.events]


@needs
def test_equal_views_are_equal_observations():
    """Law 3: as long as an agent can't tell two games apart, they observe the same in both."""
    assert sum(pairs(seed) for seed in range(60)) > 150


def pairs(seed: int) -> int:
    """Play two games that differ in the hidden agent's moves for as long as the views are equal.

    Returns how many times the agent observed both after different games.
    """
    stream = Stream(seed)
    size = 2 + stream.below(4)
    rules = Rules.profile(sorted(PROFILES)[stream.below(len(PROFILES))], size=size)
    agent = ("black_0", "white_0")[stream.below(2)]
    hidden = script(stream, size, 40)
    games = [(begun(rules), cycle(moves)) for moves in (hidden, variant(hidden, stream, size))]
    number, (first, second) = 0, [env for env, _ in games]
    for _ in range(40):
        for env, moves in games:
            while env.agent_selection != agent and not env.terminations[agent]:
                env.step(next(moves) % (size * size + 1))
        if first.view(agent) != second.view(agent):
            return number
        number += first._referee.log != second._referee.log
        one, other = first.observe(agent), second.observe(agent)
        assert all(np.array_equal(one[key], other[key]) for key in one.keys() | other.keys())
        for told in ("rewards", "terminations", "truncations", "infos"):
            assert getattr(first, told)[agent] == getattr(second, told)[agent]
        if first.terminations[agent]:
            return number
        own = stream.below(size * size + 1)
        for env, _ in games:
            env.step(own)
    return number


@needs
def test_what_is_refused():
    with pytest.raises(BadText, match="action 10 is not a whole number from 0 to 9"):
        begun(SMALL, 10)
    with pytest.raises(BadText, match="render_mode 'human' is not 'ansi' or None"):
        environment.env(SMALL, render_mode="human")  # type: ignore[arg-type]


@needs
def test_only_who_asks_is_shown_the_true_board():
    assert begun(SMALL, 4).render() is None
    env = environment.env(SMALL, render_mode="ansi")
    env.reset()
    env.step(4)
    assert env.render() == ". . .\n. X .\n. . ."


def test_without_the_package_a_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "phantomgo.environment", raising=False)
    with pytest.raises(MissingExtra, match=r"needs pettingzoo: pip install pettingzoo, or '.\[pet"):
        import_module("phantomgo.environment")
