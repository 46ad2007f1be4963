"""The data of a game that the tables of a match need."""

import hashlib
import json
from typing import NamedTuple, Self

from phantomgo.errors import BadStore
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.record import Record
from phantomgo.match.schedule import ScheduledGame


class MatchGame(NamedTuple):
    """A game of a match in numbers; a store contains its `text`.

    Attributes:
        number: the game's number in the schedule.
        black: Black's player; white: White's.
        winner: `b`, `w`, or None for a draw. Of a void game: the side that was ready, if the
            other one was not.
        result: as GTP and SGF write it.
        ending: the kind of ending.
        moves: accepted moves.
        black_tries: refused attempts of Black; white_tries: of White.
        black_asked: how often Black was asked for an attempt; white_asked: White.
        black_seconds: how long Black thought; white_seconds: White. Both are 0 in lock step.
        digest: of the true moves: equal for equal games.
    """

    number: int
    black: int
    white: int
    winner: str | None
    result: str
    ending: str
    moves: int
    black_tries: int
    white_tries: int
    black_asked: int
    white_asked: int
    black_seconds: float
    white_seconds: float
    digest: str

    @classmethod
    def of(cls, scheduled: ScheduledGame, record: Record) -> Self:
        winner = record.outcome.winner
        moves = record.moves
        asked = [step.colour for step in record.steps]
        return cls(
            scheduled.number,
            scheduled.black,
            scheduled.white,
            None if winner is None else winner.letter,
            record.outcome.result,
            record.outcome.ending.value,
            len(moves),
            record.refused(BLACK),
            record.refused(WHITE),
            asked.count(BLACK),
            asked.count(WHITE),
            round(record.seconds(BLACK), 4),
            round(record.seconds(WHITE), 4),
            hashlib.sha256(repr(moves).encode()).hexdigest()[:16],
        )

    @property
    def text(self) -> str:
        return json.dumps(self)

    @property
    def timed(self) -> bool:
        """True unless the game was played in lock step with others."""
        return self.black_seconds + self.white_seconds > 0

    @classmethod
    def read(cls, text: str) -> Self:
        """Read `text`."""
        try:
            return cls(*json.loads(text))
        except (TypeError, ValueError):
            raise BadStore(f"{text[:60]!r} is not the result of a match's game") from None

    @property
    def loser(self) -> int | None:
        """The player who lost, or could not begin; None for a draw."""
        return {"b": self.white, "w": self.black, None: None}[self.winner]

    @property
    def black_score(self) -> float:
        return {"b": 1.0, "w": 0.0, None: 0.5}[self.winner]
