"""Phantom Go as a game of OpenSpiel (Lanctot et al., OpenSpiel: A framework for reinforcement
learning in games, 2019), an optional package.

    import pyspiel
    from phantomgo import spiel

    game = pyspiel.load_game(f"{spiel.NAME}(size=5,komi=2.5)")

Importing this module registers the game. Player 0 is Black. An action is an attempt: a player whose
attempt is refused is told so and acts again. What a player observes is a function of their view
(phantomgo/game/view.py).
"""

import math
from collections.abc import Mapping
from typing import Any, Final, Self

import numpy as np

from phantomgo.errors import BadText, MissingExtra
from phantomgo.game.planes import PLANES, attempts, planes, reward
from phantomgo.game.points import BLACK, PASS, WHITE, vertex
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.game.wording import line

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra("phantomgo.spiel", "open_spiel", "games") from error

NAME: Final = "python_phantom_go"
"""As OpenSpiel knows the game."""
COLOURS: Final = (BLACK, WHITE)
"""By the number of the player."""
PARAMETERS: Final = {"size": 9, "komi": 7.5, "profile": "olympiad", "max_moves": 0}
"""Parameters with their defaults; `max_moves` 0 is the limit of the rules."""
TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Phantom Go",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class PhantomGoGame(pyspiel.Game):  # type: ignore[misc]
    """The game by the rules that its parameters say.

    Attributes:
        rules: of every game.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make the game."""
        given = {**PARAMETERS, **(params or {})}
        rules = Rules.profile(given["profile"], size=given["size"], komi=given["komi"])
        if given["max_moves"]:
            rules = rules.with_text("max_moves", str(given["max_moves"]))
        self.rules = rules
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.size**2 + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.moves_limit * rules.tries_limit,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(
        self,
        iig_obs_type: object = None,  # noqa: ARG002
        params: Mapping[str, Any] | None = None,
    ) -> "Observer":
        """An observer, the same for all types of observation."""
        if params:
            raise BadText(f"observations have no parameters, so not {dict(params)}")
        return Observer(self.rules)


class State(pyspiel.State):  # type: ignore[misc]
    """A game so far."""

    def __init__(self, game: PhantomGoGame) -> None:
        """Begin a game; `PhantomGoGame.new_initial_state` does."""
        super().__init__(game)
        self._held = _Held(Referee(game.rules))

    def view(self, player: int) -> View:
        """Everything the player knows: a bot of ours can be asked with it."""
        return self._held.referee.view(COLOURS[player])

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return COLOURS.index(self._held.referee.to_move)

    def is_terminal(self) -> bool:
        return self._held.referee.outcome is not None

    def returns(self) -> list[float]:
        outcome = self._held.referee.outcome
        return [0.0 if outcome is None else reward(outcome, colour) for colour in COLOURS]

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(attempts(self.view(player)))]

    def _apply_action(self, action: int) -> None:
        referee = self._held.referee.copy()
        referee.attempt(referee.to_move, self._move(action))
        self._held = _Held(referee)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{COLOURS[player]} {vertex(self._move(action), self._size)}"

    @property
    def _size(self) -> int:
        return self._held.referee.rules.size

    def _move(self, action: int) -> int:
        return PASS if action == self._size**2 else action

    def __str__(self) -> str:
        """The true board, for spectators: `X` is Black, `O` White."""
        return self._held.referee.board.diagram()


class _Held:
    """A referee that is never changed, so copies of a state share it."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee

    def __deepcopy__(self, _memo: object) -> Self:
        return self


class Observer:
    """A player's observations: planes, and lines of the phantom protocol (gtp/README.md).

    The planes show the present; the lines are everything that the player was told, so strings have
    perfect recall even where it is not asked for.

    Attributes:
        tensor: the planes, flat.
        dict: the planes as an array of shape (size, size, 8), by the name `planes`.
    """

    def __init__(self, rules: Rules) -> None:
        shape = rules.size, rules.size, len(PLANES)
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        """Update the planes to what this player knows."""
        self.dict["planes"][:] = planes(state.view(player))

    def string_from(self, state: State, player: int) -> str:
        """All that this player was told, a line for each message."""
        view = state.view(player)
        return "\n".join(line(message, view.colour, view.rules.size) for message in view.events)


pyspiel.register_game(TYPE, PhantomGoGame)
