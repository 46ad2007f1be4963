"""The games of a match in one SQLite file, each durable before it counts.

A store knows which match it is of and refuses to be mixed with another one. One run at a time
holds it; when that run is killed the next one can open it at once.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Self

from phantomgo.database import Database, Form
from phantomgo.match.schedule import Ticket
from phantomgo.points import BLACK, WHITE
from phantomgo.record import Record
from phantomgo.record_json import write_record


class Result(NamedTuple):
    """What the tables of a match need of a game, each field a column of the store.

    Attributes:
        number: the game's number in the schedule.
        black: Black's player; white: White's.
        winner: `b`, `w`, or None for a draw.
        result: as GTP and SGF write it.
        ending: the kind of ending.
        moves: accepted moves.
        black_tries: refused attempts of Black; white_tries: of White.
        black_asked: how often Black was asked for an attempt; white_asked: White.
        black_seconds: how long Black thought; white_seconds: White.
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
    def of(cls, ticket: Ticket, record: Record) -> Self:
        winner = record.outcome.winner
        moves = record.moves
        asked = {
            colour: sum(step.colour is colour for step in record.steps) for colour in (BLACK, WHITE)
        }
        return cls(
            ticket.number,
            ticket.black,
            ticket.white,
            None if winner is None else winner.letter,
            record.outcome.result,
            record.outcome.ending.value,
            len(moves),
            record.refused(BLACK),
            record.refused(WHITE),
            asked[BLACK],
            asked[WHITE],
            round(record.seconds(BLACK), 4),
            round(record.seconds(WHITE), 4),
            hashlib.sha256(repr(moves).encode()).hexdigest()[:16],
        )

    @property
    def black_score(self) -> float:
        return {"b": 1.0, "w": 0.0, None: 0.5}[self.winner]


_COLUMNS: Final = (
    "number INTEGER PRIMARY KEY, black INTEGER NOT NULL, white INTEGER NOT NULL, winner TEXT,"
    " result TEXT NOT NULL, ending TEXT NOT NULL, moves INTEGER NOT NULL,"
    " black_tries INTEGER NOT NULL, white_tries INTEGER NOT NULL, black_asked INTEGER NOT NULL,"
    " white_asked INTEGER NOT NULL, black_seconds REAL NOT NULL, white_seconds REAL NOT NULL,"
    " digest TEXT NOT NULL"
)
FORM: Final = Form(
    "a match",
    0x50474D31,  # "PGM1"
    1,
    (
        f"CREATE TABLE games ({_COLUMNS}, record TEXT NOT NULL)",
        "CREATE TABLE voids (number INTEGER NOT NULL, record TEXT NOT NULL)",
    ),
)


class Store(Database):
    """The finished games of one match."""

    def __init__(self, path: str | Path, setup: Mapping[str, object] | None = None) -> None:
        """Open a store; with a setup, make it where there is none. `:memory:` is kept nowhere.

        Raises:
            BadStore: it is missing, no store, in use, or of another match.
        """
        super().__init__(path, FORM, setup, alone=True)

    def add(self, games: Iterable[tuple[Result, str]]) -> None:
        """Save finished games with their records; they are on the disk when this returns."""
        rows = [(*result, record) for result, record in games]
        marks = ", ".join("?" * (len(Result._fields) + 1))
        self.write(f"INSERT OR IGNORE INTO games VALUES ({marks})", rows)

    def add_void(self, number: int, record: str) -> None:
        """Save a void game, to be looked at; its number is still to be played."""
        self.write("INSERT INTO voids VALUES (?, ?)", [(number, record)])

    def results(self) -> dict[int, Result]:
        """The games there are, by number."""
        columns = ", ".join(Result._fields)
        rows = self.select(f"SELECT {columns} FROM games ORDER BY number")
        return {row[0]: Result(*row) for row in rows}

    def voids(self) -> int:
        return int(self.select("SELECT count(*) FROM voids")[0][0])

    def records(self) -> Iterator[tuple[int, str]]:
        """The numbers and records of the games, in order."""
        yield from self.select("SELECT number, record FROM games ORDER BY number")

    def record(self, number: int) -> str | None:
        """The record of one game, None if it has not been played."""
        found = self.select("SELECT record FROM games WHERE number = ?", number)
        return found[0][0] if found else None


def row(ticket: Ticket, record: Record) -> tuple[Result, str]:
    """What is saved of a game."""
    return Result.of(ticket, record), write_record(record)
