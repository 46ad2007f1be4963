"""Phantom Go as a game of OpenSpiel (Lanctot et al., OpenSpiel: A framework for reinforcement
learning in games, 2019), an optional package.

    import pyspiel
    from phantomgo import spiel

    game = pyspiel.load_game(f"{spiel.NAME}(size=5,komi=2.5)")

Importing this module registers the game. Player 0 is Black. An action is an attempt: a player whose
attempt is refused is told so and acts again. What a player observes is a function of their view
(phantomgo/game/view.py). A state is one game of `pg.Games`.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from phantomgo.errors import BadText, MissingExtra
from phantomgo.game.board import Board
from phantomgo.game.history import drawn_game
from phantomgo.game.messages import Accepted, Ended, Message, Moved, Note, Passed, Reason, Refused
from phantomgo.game.planes import PLANES
from phantomgo.game.points import PASS, members, vertex
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.vector import SIDES, Games
from phantomgo.rng import MAX_SEED

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra("phantomgo.spiel", "open_spiel", "games") from error

NAME: Final = "python_phantom_go"
"""The name of the game in OpenSpiel."""
PARAMETERS: Final = {
    "size": 9, "komi": 7.5, "profile": "olympiad", "max_moves": 0, "messages": 0,
}  # fmt: skip
"""Parameters with their defaults; `max_moves` 0 is the limit of the rules, and `messages` 0 four
times the points: the messages that the tensor of an information state has room for."""
MESSAGE: Final = (
    "own attempt accepted", "own attempt refused", "opponent moved", "opponent passed",
    "tries of the opponent", "Black newly in atari", "White newly in atari", "the game ended",
    "occupied", "own stone", "suicide", "ko", "stones captured or tries, as a fraction of points",
)  # fmt: skip
"""The first numbers of a message in the tensor of an information state. The attempted point
follows, and then the points where stones were captured, each as one number per point."""
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
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class PhantomGoGame(pyspiel.Game):  # type: ignore[misc]
    """The game by the rules that its parameters say.

    Attributes:
        rules: of every game.
        messages: how many the tensor of an information state has room for.
        start: the beginning of every game, never changed.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Make the game."""
        given = {**PARAMETERS, **(params or {})}
        rules = Rules.profile(given["profile"], size=given["size"], komi=given["komi"])
        if given["max_moves"]:
            rules = rules.with_text("max_moves", str(given["max_moves"]))
        self.rules = rules
        self.messages = int(given["messages"]) or 4 * rules.size**2
        self.start = Games(rules, 1)
        turns = 1 if rules.on_max_tries == "count" else rules.tries_limit
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.size**2 + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.moves_limit * turns,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> "Observer":
        """An observer: of information states where perfect recall is asked for, else of planes."""
        if params:
            raise BadText(f"observations have no parameters, so not {dict(params)}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.rules, self.messages if recall else 0)


class State(pyspiel.State):  # type: ignore[misc]
    """A game so far."""

    def __init__(self, game: PhantomGoGame) -> None:
        """Begin a game; `PhantomGoGame.new_initial_state` does."""
        super().__init__(game)
        self._games = self._start = game.start
        self._player = 0
        self._seen: tuple[NDArray[np.float32], NDArray[np.bool_]] | None = None

    def view(self, player: int) -> View:
        """Everything the player knows: a bot of ours can be asked with it."""
        return self._games.view(0, SIDES[player])

    def current_player(self) -> int:
        return self._player

    def is_terminal(self) -> bool:
        return self._player < 0

    def returns(self) -> list[float]:
        returns: list[float] = self._games.returns[0].tolist()
        return returns

    def told(self, player: int) -> str:
        """All that the player was told, a line for each message."""
        return self._games.told(0, SIDES[player])

    def planes(self, player: int) -> NDArray[np.float32]:
        """The planes that the player observes, shape (channels, size, size)."""
        if player != self._player:
            planes, _ = self._games.observe(SIDES[player])
        else:
            planes, _ = self._observed()
        found: NDArray[np.float32] = planes[0]
        return found

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The observation as a list, in half of the time that OpenSpiel's own method takes."""
        player = self._player if player is None else player
        if player not in (0, 1):
            raise BadText(f"player {player} is not 0 or 1")
        found: list[float] = self.planes(player).transpose(1, 2, 0).ravel().tolist()
        return found

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "State":
        """A state in which this player was told the same, message by message (`Games.worlds`).

        Args:
            player: 0 or 1.
            sampler: draws a number from 0 to 1.

        Raises:
            BadText: the search for a game ended without one (`Games.worlds`).
        """
        moves = drawn_game(self.view(player), int(sampler() * MAX_SEED))
        if moves is None:
            raise BadText("no game was found in which this player was told the same")
        state: State = self.get_game().new_initial_state()
        for move in moves:
            state.apply_action(self._size**2 if move == PASS else move)
        return state

    def _observed(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """The observation of the player to move, and the legal actions."""
        if self._seen is None:
            self._seen = self._games.observe()
        return self._seen

    def _legal_actions(self, player: int) -> list[int]:
        if player != self._player:
            return []
        legal: list[int] = np.flatnonzero(self._observed()[1][0]).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        if self._games is self._start:
            self._games = self._start.copy()
        answers = self._games.step(np.array([action]))
        self._seen = None
        if answers.terminated[0] or answers.truncated[0]:
            self._player = int(pyspiel.PlayerId.TERMINAL)
        else:  # a refused attempt may have ended the turn
            self._player = int(self._games.to_move[0])

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{SIDES[player]} {vertex(PASS if action == self._size**2 else action, self._size)}"

    @property
    def _size(self) -> int:
        return self._games.rules.size

    def __str__(self) -> str:
        """The full board, for spectators: `X` is Black, `O` White."""
        black, white = (self.view(player).own for player in (0, 1))
        return Board(self._size, black, white).diagram()


class Observer:
    """A player's observations: arrays, and lines of the phantom protocol (gtp/README.md).

    The lines are everything that the player was told, so strings have perfect recall even where it
    is not asked for.

    Attributes:
        tensor: the planes, or the messages, flat.
        dict: by the name `planes` an array of shape (size, size, 8); or, for information states, by
            the name `messages` one of shape (messages, 13 + 2 * points), the message of each row as
            MESSAGE says. Where the player was told more, these are the latest.
    """

    def __init__(self, rules: Rules, messages: int) -> None:
        shape: tuple[int, ...] = messages, len(MESSAGE) + 2 * rules.size**2
        if not messages:
            shape = rules.size, rules.size, len(PLANES)
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict = {"messages" if messages else "planes": self.tensor.reshape(shape)}
        self._messages = messages

    def set_from(self, state: State, player: int) -> None:
        """Update the arrays to what this player knows."""
        if not self._messages:
            self.dict["planes"][:] = state.planes(player).transpose(1, 2, 0)
            return
        self.tensor.fill(0)
        events = state.view(player).events
        for row, message in zip(
            self.dict["messages"], events[max(0, len(events) - self._messages) :], strict=False
        ):
            _write(message, row)

    def string_from(self, state: State, player: int) -> str:
        """All that this player was told, a line for each message."""
        return state.told(player)


def _write(message: Message, row: NDArray[np.float32]) -> None:
    """Fill in a row of zeros with a message."""
    points = (len(row) - len(MESSAGE)) // 2
    move, captured, count = PASS, 0, 0
    match message:
        case Accepted(move, told, taken):
            kind, count, captured = 0, told or 0, taken or 0
        case Refused(move, reason):
            kind = 1
            if reason in REASONS:
                row[8 + REASONS.index(reason)] = 1
        case Moved(captured):
            kind, count = 2, captured.bit_count()
        case Passed():
            kind = 3
        case Note("tries", _, count):
            kind = 4
        case Note(_, colour):
            kind = 5 + SIDES.index(colour)
        case Ended():
            kind = 7
    row[kind] = 1
    row[len(MESSAGE) - 1] = count / points
    if 0 <= move < points:
        row[len(MESSAGE) + move] = 1
    row[[len(MESSAGE) + points + point for point in members(captured)]] = 1


REASONS: Final = (Reason.OCCUPIED, Reason.OWN, Reason.SUICIDE, Reason.KO)

pyspiel.register_game(TYPE, PhantomGoGame)
