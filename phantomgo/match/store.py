"""The games of a match in one SQLite file, each durable before it counts.

A store knows which match it is of and refuses to be mixed with another one. One run at a time
holds it; when that run is killed the next one can open it at once.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from phantomgo.errors import BadStore
from phantomgo.match.schedule import Ticket
from phantomgo.points import BLACK, WHITE
from phantomgo.record import Record, write

FORMAT: Final = 1
APPLICATION_ID: Final = 0x50474D31
"""Marks the SQLite file as ours ("PGM1")."""


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
_SCHEMA: Final = (
    "CREATE TABLE made_for (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    f"CREATE TABLE games ({_COLUMNS}, record TEXT NOT NULL)",
    "CREATE TABLE voids (number INTEGER NOT NULL, record TEXT NOT NULL)",
)


class Store:
    """The finished games of one match."""

    def __init__(self, path: str, setup: Mapping[str, object] | None = None) -> None:
        """Open a store; with a setup, make it where there is none. `:memory:` is kept nowhere.

        Raises:
            BadStore: it is missing, no store, in use, or of another match.
        """
        self.path = path
        if setup is None and not Path(path).is_file():
            raise BadStore(f"there is no store {path}")
        with self._named_errors():
            self._database = sqlite3.connect(path, timeout=1, isolation_level=None)
        try:
            with self._named_errors():
                self._open(setup)
        except BadStore:
            self.close()
            raise

    def _open(self, setup: Mapping[str, object] | None) -> None:
        database = self._database
        if setup is not None:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("BEGIN IMMEDIATE")
            if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
                for statement in _SCHEMA:
                    database.execute(statement)
                database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                database.execute(f"PRAGMA user_version = {FORMAT}")
                entries = [(key, json.dumps(value)) for key, value in setup.items()]
                database.executemany("INSERT INTO made_for VALUES (?, ?)", entries)
            database.execute("COMMIT")
        (mark,), (version,) = (
            database.execute(f"PRAGMA {name}").fetchone()
            for name in ("application_id", "user_version")
        )
        if mark != APPLICATION_ID or version != FORMAT:
            raise BadStore(f"{self.path} is no store of a match of format {FORMAT}")
        self.setup = dict(database.execute("SELECT key, value FROM made_for").fetchall())
        for key, value in (setup or {}).items():
            if self.setup.get(key) != json.dumps(value):
                there = self.setup.get(key, "nothing")
                raise BadStore(
                    f"{self.path} is of a match with {key} {there}, not {json.dumps(value)}"
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def add(self, games: Iterable[tuple[Result, str]]) -> None:
        """Save finished games with their records; they are on the disk when this returns."""
        rows = [(*result, record) for result, record in games]
        marks = ", ".join("?" * (len(Result._fields) + 1))
        self._write(f"INSERT OR IGNORE INTO games VALUES ({marks})", rows)

    def add_void(self, number: int, record: str) -> None:
        """Save a void game, to be looked at; its number is still to be played."""
        self._write("INSERT INTO voids VALUES (?, ?)", [(number, record)])

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._named_errors():
            try:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany(statement, rows)
                self._database.execute("COMMIT")
            finally:  # an error or Ctrl-C in between
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")

    def results(self) -> dict[int, Result]:
        """The games there are, by number."""
        columns = ", ".join(Result._fields)
        rows = self._select(f"SELECT {columns} FROM games ORDER BY number")
        return {row[0]: Result(*row) for row in rows}

    def voids(self) -> int:
        return int(self._select("SELECT count(*) FROM voids")[0][0])

    def records(self) -> Iterator[tuple[int, str]]:
        """The numbers and records of the games, in order."""
        yield from self._select("SELECT number, record FROM games ORDER BY number")

    def record(self, number: int) -> str | None:
        """The record of one game, None if it has not been played."""
        found = self._select("SELECT record FROM games WHERE number = ?", number)
        return found[0][0] if found else None

    def _select(self, query: str, *values: int) -> list[tuple[Any, ...]]:
        with self._named_errors():
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Errors of the database (no such folder, no database, in use, full disk) as ours."""
        try:
            yield
        except sqlite3.Error as error:
            in_use = "another run is using it" if "locked" in str(error) else str(error)
            raise BadStore(f"store {self.path}: {in_use}") from error


def row(ticket: Ticket, record: Record) -> tuple[Result, str]:
    """What is saved of a game."""
    return Result.of(ticket, record), write(record)
