"""Everything that ever happened at the tables, in one SQLite file.

A table is its terms and a list of events, each a JSON object. Events are only ever added, and a
table is deleted as a whole, where old games are not to be kept. An event is on the disk before
anybody sees what it did: a server that is killed goes on with every table where it stood, and the
list is the referee's log. What many tables add at the same time is written in one go, by a thread,
so that no table waits for the disk in the others' stead.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

from phantomgo.app.web.events import Event
from phantomgo.app.web.terms import Terms
from phantomgo.database import Database, Form

Write: TypeAlias = tuple[str, Iterable[tuple[object, ...]]]
"""A statement and its rows."""

FORM: Final = Form(
    "tables of phantomgo web",
    0x50475742,
    1,
    (
        "CREATE TABLE tables (id INTEGER PRIMARY KEY, terms TEXT NOT NULL, laid REAL NOT NULL,"
        " finished REAL, title TEXT)",
        "CREATE TABLE events (table_id INTEGER NOT NULL, number INTEGER NOT NULL,"
        " event TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID",
    ),
)

INDEXES: Final = (
    "CREATE INDEX IF NOT EXISTS listed ON tables (finished DESC) WHERE title IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS ended ON tables (finished) WHERE finished IS NOT NULL",
)
"""What older files lack is added when they are opened."""


class Journal:
    """The file.

    Attributes:
        key: the secret that the links of this server are made with.
        added: how many additions there have been.
    """

    def __init__(self, path: str | Path, now: Callable[[], float] = time.time) -> None:
        """Open it, or make it.

        Raises:
            BadStore: it is in use, or not a file of this kind.
        """
        note = {"key": secrets.token_hex(32)}
        self._file = Database(path, FORM, {}, alone=True, often=True, note=note)
        for statement in INDEXES:
            self._file.select(statement)
        self._now = now
        self._thread = ThreadPoolExecutor(1, "journal")
        self._queue: list[Write] = []
        self._writing: asyncio.Future[None] | None = None
        self.added = self._written = 0
        self.key = bytes.fromhex(json.loads(self._file.made_for["key"]))

    def close(self) -> None:
        """Close the file; what has been added since the last `written` is lost."""
        self._thread.shutdown()
        self._file.close()

    async def written(self, added: int | None = None) -> None:
        """Until so many additions, or all of this moment, are on the disk.

        Raises:
            BadStore: they cannot be written.
        """
        count = self.added if added is None else added
        while self._written < count:
            if self._writing is None:
                self._writing = asyncio.ensure_future(self._write())
            await asyncio.shield(self._writing)

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

    def lay(self, number: int, terms: Terms) -> None:
        """Add a new table."""
        text = json.dumps(terms.as_json(), separators=(",", ":"))
        row = (number, text, self._now())
        self._add("INSERT INTO tables (id, terms, laid) VALUES (?, ?, ?)", [row])

    def terms(self, number: int) -> Terms | None:
        """What this table was laid for; None if there is none."""
        rows = self._file.select("SELECT terms FROM tables WHERE id = ?", number)
        return Terms.from_json(json.loads(rows[0][0])) if rows else None

    def events(self, number: int) -> list[Event]:
        """What has happened at a table, in order."""
        query = "SELECT event FROM events WHERE table_id = ? ORDER BY number"
        return [json.loads(text) for (text,) in self._file.select(query, number)]

    def links(self, number: int, role: str) -> int:
        """How many new links of a role have been made at a table."""
        query = "SELECT count(*) FROM events WHERE table_id = ? AND event = ?"
        [(count,)] = self._file.select(query, number, _as_text({"link": role}))
        return int(count)

    def in_progress(self, number: int) -> bool:
        """Whether the game at a table has begun and is not over."""
        query = (
            "SELECT 1 FROM tables WHERE id = ? AND finished IS NULL AND EXISTS (SELECT 1"
            " FROM events WHERE table_id = id AND event LIKE '{\"attempt\"%')"
        )
        return bool(self._file.select(query, number))

    def is_listed(self, number: int) -> bool:
        """Whether this is one of the earlier games that everybody may see."""
        query = "SELECT 1 FROM tables WHERE id = ? AND title IS NOT NULL"
        return bool(self._file.select(query, number))

    def add(self, number: int, first: int, events: list[Event]) -> None:
        """Add further events of a table, the first of them under this number."""
        rows: list[tuple[object, ...]] = [
            (number, first + n, _as_text(event)) for n, event in enumerate(events)
        ]
        self._add("INSERT INTO events VALUES (?, ?, ?)", rows)

    def finish(self, number: int, title: str) -> None:
        """The game is over; a title lists it among the earlier ones."""
        row = (self._now(), title or None, number)
        self._add("UPDATE tables SET finished = ?, title = ? WHERE id = ?", [row])

    def finished(self, limit: int) -> list[tuple[int, float, str]]:
        """The latest games that are listed: number, when they ended, title."""
        return self._file.select(
            "SELECT id, finished, title FROM tables WHERE title IS NOT NULL"
            " ORDER BY finished DESC LIMIT ?",
            limit,
        )

    def older(self, seconds: float, limit: int) -> list[int]:
        """Some of the tables whose games ended longer ago than this, the oldest first."""
        query = "SELECT id FROM tables WHERE finished < ? ORDER BY finished LIMIT ?"
        return [number for (number,) in self._file.select(query, self._now() - seconds, limit)]

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete tables and everything that happened at them."""
        rows: list[tuple[object, ...]] = [(number,) for number in numbers]
        self._add("DELETE FROM events WHERE table_id = ?", rows)
        self._add("DELETE FROM tables WHERE id = ?", rows)

    def count(self) -> int:
        """How many tables were ever laid."""
        [(count,)] = self._file.select("SELECT count(*) FROM tables")
        return int(count)


def back_up(path: str | Path, target: str | Path) -> int:
    """Copy a file of tables to a new file, also while a server uses it; how many tables it has.

    Raises:
        BadStore: there is no such file, it is not one of tables, or the target exists or cannot be
            written.
    """
    with Database(path, FORM) as file:
        file.back_up(target)
    with Database(target, FORM) as copy:
        [(count,)] = copy.select("SELECT count(*) FROM tables")
        return int(count)


def _as_text(event: Event) -> str:
    return json.dumps(event, separators=(",", ":"))
