"""Phantom Go as a PettingZoo environment (Terry et al., PettingZoo: Gym for multi-agent
reinforcement learning, 2021), an optional package.

    from phantomgo import environment

    env = environment.env(Rules(size=5, komi=2.5))

Agents act in turn (AEC). An action is an attempt: an agent whose attempt is refused observes that
and acts again. Everything that an agent observes is a function of their view (phantomgo/view.py).
"""

from typing import Any, Final, Literal, TypeAlias

import numpy as np

from phantomgo.checks import whole
from phantomgo.errors import BadText, MissingExtra
from phantomgo.planes import PLANES, attempts, planes, reward
from phantomgo.points import BLACK, PASS, WHITE, Colour
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View
from phantomgo.wording import line

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise MissingExtra("phantomgo.environment", "pettingzoo", "pettingzoo") from error

Observation: TypeAlias = dict[str, Any]
RenderMode: TypeAlias = Literal["ansi"] | None

AGENTS: Final = {"black_0": BLACK, "white_0": WHITE}
RULES: Final = Rules()
"""9x9, those of the olympiad."""
LONGEST: Final = 4096
"""Characters of a message: more than a capture of every stone takes on the largest board."""
LETTERS: Final = "".join(map(chr, range(ord(" "), ord("~") + 1)))


class Environment(AECEnv[str, Observation, int]):
    """One game of Phantom Go after another, between the agents `black_0` and `white_0`."""

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo's declaration)
        "name": "phantom_go_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, rules: Rules = RULES, render_mode: RenderMode = None) -> None:
        """Make an environment; `reset` begins the first game.

        Args:
            rules: of every game.
            render_mode: `ansi` to render the true board as text.
        """
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise BadText(f"render_mode {render_mode!r} is not 'ansi' or None")
        self.rules, self.render_mode = rules, render_mode
        self.possible_agents = list(AGENTS)
        size, actions = rules.size, rules.size**2 + 1
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (size, size, len(PLANES)), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                "messages": spaces.Sequence(spaces.Text(LONGEST, charset=LETTERS)),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, observation)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game. There is no chance in it, and there are no options."""
        self._referee = Referee(self.rules)
        self._heard = dict.fromkeys(AGENTS, 0)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = _agent(self._referee.to_move)

    def view(self, agent: str) -> View:
        """Everything the agent knows: a bot of ours can be asked with it."""
        return self._referee.view(AGENTS[agent])

    def observe(self, agent: str) -> Observation:
        """The agent's knowledge as planes, their messages since the last attempt, an action mask.

        The messages are lines of the phantom protocol (gtp/README.md).
        """
        view = self.view(agent)
        told = view.events[self._heard[agent] :]
        return {
            "observation": planes(view),
            "action_mask": attempts(view),
            "messages": tuple(line(message, view.colour, self.rules.size) for message in told),
        }

    def step(self, action: int | None) -> None:
        """Make an attempt of the agent to act: a point, or the number of points for a pass.

        Once the game is over the only action is None.

        Raises:
            BadText: the action is not in the action space.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        points = self.rules.size**2
        move = whole("action", action, 0, points)
        self._cumulative_rewards[agent] = 0.0
        self._heard[agent] = len(self.view(agent).events)
        self._referee.attempt(AGENTS[agent], PASS if move == points else move)
        outcome = self._referee.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {one: reward(outcome, colour) for one, colour in AGENTS.items()}
        self.agent_selection = _agent(self._referee.to_move)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The true board as text, for spectators: `X` is Black, `O` White."""
        return self._referee.board.diagram() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to release."""


def _agent(colour: Colour) -> str:
    return next(agent for agent, side in AGENTS.items() if side is colour)


def env(rules: Rules = RULES, render_mode: RenderMode = None) -> AECEnv[str, Observation, int]:
    """An `Environment` in PettingZoo's wrappers, which check actions and the order of calls."""
    made = Environment(rules, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
