"""Any GTP engine as a player of Go whose seeds can be learned: `gtp:COMMAND ... {seed} ...`.

The engine is started for each game with the seed in its command, so its moves depend only on the
seed and the game.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from gtp.channel import ChannelError, ProcessChannel
from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, RESIGN, WHITE, Colour, Move, members, parse_move, vertex
from phantomgo.lab.players.seating import program
from phantomgo.papers.games.player import Choose, GamePlayer
from phantomgo.papers.games.state import GameState, OtherGame
from phantomgo.papers.games.stones import Batoo, Fight, Go
from phantomgo.values import written

SEED: Final = "{seed}"
"""Stands for the seed in a command."""
MAX_SEED: Final = 1 << 31
"""Seeds of engines are below this."""
SECONDS: Final = 60.0
"""Seconds that an engine may take for an answer."""


@dataclass(frozen=True)
class SeededEngine(GamePlayer):
    """An engine, given by its spec."""

    spec: str

    @property
    def name(self) -> str:
        return self.spec

    @property
    def engine(self) -> bool:
        return True

    def unfit(self, game: OtherGame) -> str | None:
        if SEED not in self.spec:
            return f"its command has no {SEED}"
        return None if isinstance(game, Go | Batoo) else "an engine plays go"

    def within(self) -> Self:
        return self

    @property
    def data(self) -> Mapping[str, str]:
        """The name and version that it reports."""
        try:
            with self._started(0) as channel:
                words = [channel.ask(command, SECONDS) for command in ("name", "version")]
        except ChannelError as error:
            raise BadText(f"{self.spec[:60]} {error}") from error
        return {"engine": " ".join(words)}

    def choose(self, state: GameState, seed: int) -> Move:
        """The move of an engine started for this position."""
        with self._started(seed) as channel:
            return _EngineGame(channel).choose(state)

    @contextmanager
    def seated(self, game: OtherGame, seed: int) -> Iterator[Choose]:  # noqa: ARG002
        """The engine with a seed, for one game; ChannelError if it does not answer as it should."""
        with self._started(seed) as channel:
            yield _EngineGame(channel).choose

    def _started(self, seed: int) -> ProcessChannel:
        command = program(self.spec)
        words = [word.replace(SEED, str(seed % MAX_SEED)) for word in command.words]
        return ProcessChannel(words, command.variables, command.folder)


class _EngineGame:
    """An engine that plays one game."""

    def __init__(self, channel: ProcessChannel) -> None:
        self._channel = channel
        self._told: int | None = None
        """The moves it has been told; None before the game."""

    def choose(self, state: GameState) -> Move:
        """The engine's move in a position that follows the last one."""
        assert isinstance(state, Fight)
        if self._told is None:
            self._begin(state)
            self._told = 0
        for number in range(self._told, state.turn):
            self._play(WHITE if number % 2 else BLACK, state.history[number], state.board.size)
        self._told = state.turn + 1
        answer = self._channel.ask(f"genmove {state.mover.letter}", SECONDS)
        return RESIGN if answer.lower() == "resign" else parse_move(answer, state.board.size)

    def _begin(self, state: Fight) -> None:
        size = state.board.size
        for command in (f"boardsize {size}", "clear_board", f"komi {written(state.komi)}"):
            self._channel.ask(command, SECONDS)
        for colour in Colour if state.begun is not None else ():
            assert state.begun is not None
            for point in members(state.begun.stones(colour)):
                self._play(colour, point, size)

    def _play(self, colour: Colour, move: Move, size: int) -> None:
        self._channel.ask(f"play {colour.letter} {vertex(move, size)}", SECONDS)
