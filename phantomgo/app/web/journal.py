"""Everything that ever happened at the tables, in one SQLite file.

A table is its terms and a list of events (table_state.py). Events are only ever added; a table is
deleted as a whole. An event is on the disk before anybody sees its effect, so a server that is
killed continues every table where it stood, and the list is the referee's log. A thread writes what
many tables add at the same time in one transaction, so that no table waits for another's.
"""

import asyncio
import json
import os
import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeAlias

from phantomgo.app.web.terms import TableTerms
from phantomgo.database import MEMORY, Database, FileFormat
from phantomgo.errors import BadStore

Event: TypeAlias = dict[str, Any]
"""Something that happened at a table, as a JSON object."""
Write: TypeAlias = tuple[str, Iterable[tuple[object, ...]]]
"""A statement and its rows."""

FORM: Final = FileFormat(
    "tables of phantomgo web",
    0x50475742,
    3,
    (
        "CREATE TABLE tables (id INTEGER PRIMARY KEY, terms TEXT NOT NULL, laid REAL NOT NULL,"
        " finished REAL, title TEXT)",
        "CREATE TABLE events (table_id INTEGER NOT NULL, number INTEGER NOT NULL,"
        " event TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID",
    ),
    {
        # Version 0.4 had evenings of a club and ratings. Their games stay, as tables of a referee.
        2: (
            "DELETE FROM events WHERE table_id IN (SELECT id FROM evenings)",
            "DROP TABLE evenings",
            "ALTER TABLE tables DROP COLUMN result",
            "UPDATE tables SET terms ="
            " json_remove(terms, '$.open', '$.rated', '$.black_home', '$.white_home')",
        ),
    },
)

INDEXES: Final = (
    "CREATE INDEX IF NOT EXISTS listed ON tables (finished DESC) WHERE title IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS ended ON tables (finished) WHERE finished IS NOT NULL",
)
"""Added to older files when they are opened."""
NEXT: Final = (
    "INSERT INTO events SELECT ?1, CASE ?2 WHEN ifnull(max(number) + 1, 0) THEN ?2 END, ?3"
    " FROM events WHERE table_id = ?1"
)
"""Adds an event; fails if the one before it could not be written."""


class Journal:
    """The file.

    Attributes:
        key: the secret that the links of this server are made with.
        added: the number of additions so far.
    """

    def __init__(self, path: str | Path, now: Callable[[], float] = time.time) -> None:
        """Open the file, or create it, readable for nobody else: it has the key of all links.

        Raises:
            BadStore: it is in use, or not a file of this kind.
        """
        note = {"key": secrets.token_hex(32)}
        if str(path) != MEMORY:
            with suppress(OSError):  # it is there, or SQLite says why it cannot be
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._file = Database(path, FORM, {}, alone=True, often=True, note=note)
        for statement in INDEXES:
            self._file.select(statement)
        self.now = now
        self._thread = ThreadPoolExecutor(1, "journal")
        self._queue: list[Write] = []
        self._writing: asyncio.Future[None] | None = None
        self.added = self._written = 0
        self.key = bytes.fromhex(json.loads(self._file.made_for["key"]))

    def close(self) -> None:
        """Close the file; additions since the last `written` are lost."""
        self._thread.shutdown()
        self._file.close()

    async def written(self, added: int | None = None) -> None:
        """Wait until this many additions, or all there are now, are on the disk.

        Raises:
            BadStore: they cannot be written.
        """
        count = self.added if added is None else added
        while self._written < count:
            if self._writing is None:
                self._writing = asyncio.ensure_future(self._write())
            try:
                await asyncio.shield(self._writing)
            except BadStore:  # of others, unless it had what is waited for
                if self._written >= count:
                    raise

    async def _write(self) -> None:
        batch, self._queue = self._queue, []
        try:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._file.write, *batch)
        finally:
            self._writing = None
            self._written += len(batch)

    def _add(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        self._queue.append((statement, rows))
        self.added += 1

    # What happens

    def lay(self, number: int, terms: TableTerms) -> None:
        """Add a new table."""
        row = (number, _as_text(asdict(terms)), self.now())
        self._add("INSERT INTO tables (id, terms, laid) VALUES (?, ?, ?)", [row])

    def add(self, number: int, first: int, events: list[Event]) -> None:
        """Add further events of a table, the first of them under this number."""
        rows: list[tuple[object, ...]] = [
            (number, first + n, _as_text(event)) for n, event in enumerate(events)
        ]
        self._add(NEXT, rows)

    def finish(self, number: int, title: str) -> None:
        """Note that the game is over; a title lists it among the earlier ones."""
        row = (self.now(), title or None, number)
        self._add("UPDATE tables SET finished = ?, title = ? WHERE id = ?", [row])

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete tables with all their events."""
        rows: list[tuple[object, ...]] = [(number,) for number in numbers]
        self._add("DELETE FROM events WHERE table_id = ?", rows)
        self._add("DELETE FROM tables WHERE id = ?", rows)

    # What has happened

    def terms(self, number: int) -> TableTerms | None:
        """Return the terms of a table; None if there is none of this number."""
        rows = self._file.select("SELECT terms FROM tables WHERE id = ?", number)
        return TableTerms(**json.loads(rows[0][0])) if rows else None

    def events(self, number: int) -> list[Event]:
        """Return the events of a table, in order."""
        query = "SELECT event FROM events WHERE table_id = ? ORDER BY number"
        return [json.loads(text) for (text,) in self._file.select(query, number)]

    def links(self, number: int, role: str) -> int:
        """Return how many new links a role has had at a table."""
        query = "SELECT count(*) FROM events WHERE table_id = ? AND event = ?"
        return self._count(query, number, _as_text({"link": role}))

    def in_progress(self, number: int) -> bool:
        """Return whether the game at a table has begun and is not over."""
        begun = "SELECT 1 FROM events WHERE table_id = id AND event LIKE '{\"attempt\"%'"
        query = "SELECT count(*) FROM tables WHERE id = ? AND finished IS NULL AND EXISTS"
        return bool(self._count(f"{query} ({begun})", number))

    def is_listed(self, number: int) -> bool:
        """Return whether this is one of the earlier games that everybody may see."""
        query = "SELECT count(*) FROM tables WHERE id = ? AND title IS NOT NULL"
        return bool(self._count(query, number))

    def finished(self, limit: int) -> list[tuple[int, float, str]]:
        """Return the latest games that are listed: number, time of the end, title."""
        return self._file.select(
            "SELECT id, finished, title FROM tables WHERE title IS NOT NULL"
            " ORDER BY finished DESC LIMIT ?",
            limit,
        )

    def older(self, seconds: float, limit: int) -> list[int]:
        """Return tables whose games ended longer ago than this, the oldest first."""
        query = "SELECT id FROM tables WHERE finished < ? ORDER BY finished LIMIT ?"
        return [number for (number,) in self._file.select(query, self.now() - seconds, limit)]

    def count(self) -> int:
        """Return how many tables there are."""
        return self._count("SELECT count(*) FROM tables")

    def _count(self, query: str, *values: object) -> int:
        [(count,)] = self._file.select(query, *values)
        return int(count)


def back_up(path: str | Path, target: str | Path) -> int:
    """Copy a file of tables to a new file, even while a server uses it; return how many it has.

    Raises:
        BadStore: there is no such file, it holds no tables, or the target exists or cannot be
            written.
    """
    with Database(path, FORM) as file:
        file.back_up(target)
    with Database(target, FORM) as copy:
        [(count,)] = copy.select("SELECT count(*) FROM tables")
        return int(count)


def _as_text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
