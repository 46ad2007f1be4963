"""Any GTP engine as a player of Go whose seeds can be learned: `gtp:COMMAND ... {seed} ...`.

The engine is restarted for each decision, with the seed in its command, and sent the moves so
far. So nothing but the seed and the game decides, whatever an engine remembers from move to move.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from gtp.channel import ChannelError, ProcessChannel
from phantomgo.errors import BadText
from phantomgo.game.points import BLACK, RESIGN, WHITE, Move, parse_move, vertex
from phantomgo.lab.games.state import GameState, OtherGame
from phantomgo.lab.games.stones import Fight, Go
from phantomgo.lab.players.seating import program
from phantomgo.values import written

SEED: Final = "{seed}"
"""Stands for the seed in a command."""
MAX_SEED: Final = 1 << 31
"""Engines take seeds below it."""
SECONDS: Final = 60.0
"""The longest time for an answer of an engine."""


@dataclass(frozen=True)
class SeededEngine:
    """An engine; `name` is its spec."""

    name: str
    engine = True

    def unfit(self, game: OtherGame) -> str | None:
        if SEED not in self.name:
            return f"its command has no {SEED}"
        return None if isinstance(game, Go) else "an engine plays go"

    def within(self) -> Self:
        return self

    @property
    def data(self) -> Mapping[str, str]:
        """The name and version that it reports."""
        try:
            with self._started(0) as channel:
                words = [channel.ask(command, SECONDS) for command in ("name", "version")]
        except ChannelError as error:
            raise BadText(f"{self.name[:60]} {error}") from error
        return {"engine": " ".join(words)}

    def choose(self, state: GameState, seed: int) -> Move:
        """Its move."""
        assert isinstance(state, Fight)
        size = state.board.size
        with self._started(seed) as channel:
            channel.ask(f"boardsize {size}", SECONDS)
            channel.ask("clear_board", SECONDS)
            channel.ask(f"komi {written(state.komi)}", SECONDS)
            for number, move in enumerate(state.history):
                colour = WHITE if number % 2 else BLACK
                channel.ask(f"play {colour.letter} {vertex(move, size)}", SECONDS)
            answer = channel.ask(f"genmove {state.mover.letter}", SECONDS)
        return RESIGN if answer.lower() == "resign" else parse_move(answer, size)

    def _started(self, seed: int) -> ProcessChannel:
        command = program(self.name)
        words = [word.replace(SEED, str(seed % MAX_SEED)) for word in command.words]
        return ProcessChannel(words, command.variables, command.folder)
