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
        " finished REAL)",
        "CREATE TABLE events (table_id INTEGER NOT NULL, number INTEGER NOT NULL,"
        " event TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID",
    ),
    {
        # Version 0.4 had evenings of a club, ratings, a list of games, and spectators who lagged
        # behind: those see no more than they were to see.
        2: (
            "DELETE FROM events WHERE table_id IN (SELECT id FROM evenings)",
            "DROP TABLE evenings",
            "DROP INDEX IF EXISTS listed",
            "DROP INDEX IF EXISTS ended",
            "ALTER TABLE tables DROP COLUMN result",
            "ALTER TABLE tables DROP COLUMN title",
            "UPDATE tables SET terms = json_set(terms, '$.watching', 'nothing')"
            " WHERE finished IS NULL AND json_extract(terms, '$.delay') > 0",
            "UPDATE tables SET terms ="
            " json_remove(terms, '$.open', '$.rated', '$.listed', '$.delay', '$.black_home',"
            " '$.white_home')",
        ),
    },
)

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
        """Open the file, or create it, readable for nobody else: it has the key of all links."""
        note = {"key": secrets.token_hex(32)}
        if str(path) != MEMORY:
            with suppress(OSError):  # it is there, or SQLite says why it cannot be
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._file = Database(path, FORM, {}, exclusive=True, wal=True, note=note)
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

    def add_table(self, number: int, terms: TableTerms) -> None:
        """Add a new table."""
        row = (number, _as_text(asdict(terms)), self.now())
        self._add("INSERT INTO tables (id, terms, laid) VALUES (?, ?, ?)", [row])

    def add(self, number: int, place: int, event: Event) -> None:
        """Add an event of a table under its place in the list."""
        self._add(NEXT, [(number, place, _as_text(event))])

    def finish(self, number: int) -> None:
        """Note that the game is over."""
        self._add("UPDATE tables SET finished = ? WHERE id = ?", [(self.now(), number)])

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

    def date(self, number: int) -> str:
        """Return the day on which the game at a table ended, as 2026-11-27."""
        query = "SELECT date(finished, 'unixepoch') FROM tables WHERE id = ?"
        return str(self._file.select(query, number)[0][0])

    def in_progress(self, number: int) -> bool:
        """Return whether the game at a table has begun and is not over."""
        begun = "SELECT 1 FROM events WHERE table_id = id AND event LIKE '{\"attempt\"%'"
        query = "SELECT count(*) FROM tables WHERE id = ? AND finished IS NULL AND EXISTS"
        return bool(self._count(f"{query} ({begun})", number))

    def _count(self, query: str, *values: object) -> int:
        [(count,)] = self._file.select(query, *values)
        return int(count)


def _as_text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
