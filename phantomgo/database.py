"""An SQLite file of phantomgo, which records its purpose and accepts no other content.

What is written is on the disk when the call returns. A process that is killed leaves a file that
the next one can open at once.
"""

import errno
import json
import os
import re
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple
from weakref import WeakSet

from phantomgo.errors import BadStore
from phantomgo.system import after_fork, lock

EXCLUSIVE_SECONDS: Final = 1
SHARED_SECONDS: Final = 60
"""Seconds to wait for another process that locks the file or is writing."""
MEMORY: Final = ":memory:"
"""SQLite's name for a file that is only in memory."""
CHECKSUM: Final = "checksum"
"""The entry with the checksum of the other entries; a function of the statements, too."""
STORED: Final = re.compile(r"CREATE (TABLE|INDEX|UNIQUE INDEX) ")
"""The beginning of what SQLite notes of tables and indexes, however they were typed."""


_locks: Final[WeakSet[IO[bytes]]] = WeakSet()
"""Locks of this process. A child closes its copies, which would outlive a killed parent."""


def _close_locks() -> None:
    for held in list(_locks):
        held.close()


after_fork(_close_locks)


class FileFormat(NamedTuple):
    """The form of a kind of file.

    Attributes:
        what: its content in a few words, for messages.
        mark: SQLite's application id.
        version: of the tables.
        tables: the statements that make them.
        upgrades: for each older version that can still be read, the statements that make the next
            version of it. Only a writer carries them out.
        content: a file whose table of this name is empty may be recreated for another purpose.
    """

    what: str
    mark: int
    version: int
    tables: tuple[str, ...]
    upgrades: Mapping[int, tuple[str, ...]] = {}
    content: str | None = None


class Database(AbstractContextManager["Database"]):
    """An open file of one form.

    Attributes:
        path: the file, or MEMORY, which is never written.
        made_for: what its content is of, each value as JSON.
    """

    def __init__(
        self,
        path: str | Path | None,
        form: FileFormat,
        made_for: Mapping[str, object] | None = None,
        *,
        exclusive: bool = False,
        wal: bool = False,
        note: Mapping[str, object] | None = None,
    ) -> None:
        """Open a file; create it if it is missing and `made_for` is given.

        Args:
            path: the file; None for memory.
            form: what it has to look like.
            made_for: what its content must be for; None accepts any.
            exclusive: lock out all others until it is closed. A reader, without `made_for`, does
                not. With `wal`, others may read, and a lock file keeps out other writers.
            wal: use a write-ahead log, which is much faster for a file that is written to
                constantly, by several threads in turn.
            note: further entries for a new file, which need not match later.

        Raises:
            BadStore: the file is missing, in use, of another form, or made for something else.
        """
        self.path = MEMORY if path is None else str(path)
        if not self.path:  # SQLite would take a file of its own, and remove it
            raise BadStore("store '' has no name")
        if made_for is None and not Path(self.path).is_file():
            raise BadStore(f"there is no store {self.path}")
        with self._named_errors():
            seconds = EXCLUSIVE_SECONDS if exclusive else SHARED_SECONDS
            self._connection = sqlite3.connect(
                self.path, timeout=seconds, isolation_level=None, check_same_thread=not wal
            )
        self._connection.create_function(CHECKSUM, -1, checksum)
        self._lock: IO[bytes] | None = None
        try:
            with self._named_errors():
                wanted = _as_json(made_for or {})
                if made_for is not None:
                    entries = {**wanted, **_as_json(note or {})}
                    self._make_if_empty(form, entries, locked=exclusive and not wal)
                version, self.made_for = self._check(form, wanted, note)
                if made_for is not None and wal:  # now that the file is known to be ours
                    self._use_write_ahead_log(seconds)
                if made_for is not None and version < form.version:
                    self._upgrade(form)
            if made_for is not None and self.path != MEMORY:
                if not os.access(self.path, os.W_OK):  # SQLite would say so at the first write
                    raise BadStore(f"store {self.path}: {os.strerror(errno.EACCES)}")
                if exclusive and wal:
                    self._lock_writers_out()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def amend(self, key: str, value: object) -> None:
        """Extend the record of what the content is for."""
        self.made_for |= _as_json({key: value})
        total = str(checksum(*_flat(self.made_for)))
        rows = [(self.made_for[key], key), (total, CHECKSUM)]
        self.write(("UPDATE made_for SET value = ? WHERE key = ?", rows))

    def check_structure(self) -> None:
        """Read every page and index."""
        found = self.select("PRAGMA integrity_check(1)")[0][0]
        if found != "ok":
            raise BadStore(f"store {self.path} is damaged: {' '.join(found.split())}")

    def select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._named_errors():
            return self._connection.execute(query, values).fetchall()

    def write(self, *writes: tuple[str, Iterable[tuple[object, ...]]]) -> None:
        """Execute statements, each for its rows, in one transaction."""
        with self.transaction():
            self.add(*writes)

    def add(self, *writes: tuple[str, Iterable[tuple[object, ...]]]) -> None:
        """Execute statements, each for its rows, within a block of `transaction`."""
        with self._named_errors():
            for statement, rows in writes:
                self._connection.executemany(statement, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A block in which nobody else writes; its reads and additions are one transaction."""
        try:
            with self._named_errors():
                self._connection.execute("BEGIN IMMEDIATE")  # waits for another who is writing
            yield
            with self._named_errors():
                self._connection.execute("COMMIT")
        finally:  # an error, or Ctrl-C, as soon as it has begun
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Errors of SQLite (no such folder, no database, in use, full disk) as ours."""
        try:
            yield
        except sqlite3.Error as error:
            in_use = "another run is using it" if "locked" in str(error) else str(error)
            raise BadStore(f"store {self.path}: {in_use}") from error
        except UnicodeDecodeError as error:
            raise BadStore(f"store {self.path} is damaged: text that is not UTF-8") from error

    def _use_write_ahead_log(self, seconds: float) -> None:
        """Switch to a write-ahead log. SQLite itself doesn't wait for a concurrent switch."""
        until = time.monotonic() + seconds
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _lock_writers_out(self) -> None:
        try:
            self._lock = open(f"{self.path}.lock", "ab")  # noqa: SIM115  (held until `close`)
            _locks.add(self._lock)
            lock(self._lock)
        except BlockingIOError:
            raise BadStore(f"store {self.path}: another run is using it") from None
        except OSError as error:
            raise BadStore(f"store {self.path}: its lock file: {error.strerror}") from None

    def _make_if_empty(self, form: FileFormat, entries: Mapping[str, str], *, locked: bool) -> None:
        execute = self._connection.execute
        if locked:
            execute("PRAGMA locking_mode = EXCLUSIVE")
        execute("PRAGMA synchronous = FULL")
        with self.transaction():
            existing = execute("SELECT type, name FROM sqlite_master").fetchall()
            if existing and not self._is_unused(form, entries):
                return
            for kind, name in existing:
                if kind == "table":
                    execute(f"DROP TABLE {name}")
            execute("CREATE TABLE made_for (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            for statement in form.tables:
                execute(statement)
            execute(f"PRAGMA application_id = {form.mark}")
            execute(f"PRAGMA user_version = {form.version}")
            rows = {**entries, CHECKSUM: str(checksum(*_flat(entries)))}
            self._connection.executemany("INSERT INTO made_for VALUES (?, ?)", rows.items())

    def _is_unused(self, form: FileFormat, entries: Mapping[str, str]) -> bool:
        """True if it was made for something else and has no content."""
        if form.content is None or self._marks() != (form.mark, form.version):
            return False
        self._check_schema()
        if self._connection.execute(f"SELECT 1 FROM {form.content}").fetchone():
            return False
        stored = dict(self._connection.execute("SELECT key, value FROM made_for"))
        return stored != {**entries, CHECKSUM: stored.get(CHECKSUM)}

    def _marks(self) -> tuple[int, int]:
        """The application and the version of the file."""
        names = ("application_id", "user_version")
        mark, version = (self._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        return mark, version

    def _check_schema(self) -> None:
        """Refuse a file whose schema computes: a query of its tables could run for ever.

        SQLite notes only how each thing was made, as `CREATE TABLE ...` whatever was typed, and
        goes by that, not by the type beside it. A view, a trigger, a virtual table and a generated
        column are programs of whoever made the file; to read this list runs none of them.
        """
        for name, made in self._connection.execute("SELECT name, sql FROM sqlite_master"):
            if made is not None and not STORED.match(made):  # SQLite's own indexes have no text
                raise BadStore(
                    f"store {self.path} has {str(name)[:40]!r}, which is computed: stores have"
                    " only tables and indexes"
                )
        computed = self._connection.execute(
            "SELECT m.name || '.' || x.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS"
            " x WHERE m.type = 'table' AND x.hidden != 0"
        ).fetchone()
        if computed:
            raise BadStore(f"store {self.path} has a computed column, {computed[0][:80]!r}")

    def _upgrade(self, form: FileFormat) -> None:
        """Bring the tables up to date; another run may have done it just before."""
        with self.transaction():
            for old in range(self._marks()[1], form.version):
                for statement in form.upgrades[old]:
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version = {form.version}")

    def _check(
        self, form: FileFormat, wanted: Mapping[str, str], note: Mapping[str, object] | None
    ) -> tuple[int, dict[str, str]]:
        mark, version = self._marks()
        if mark != form.mark:
            raise BadStore(f"{self.path} is not a store of {form.what}")
        if version != form.version and version not in form.upgrades:
            raise BadStore(f"{self.path} has format {version}; this version reads {form.version}")
        self._check_schema()
        stored = dict(self._connection.execute("SELECT key, value FROM made_for").fetchall())
        if stored.pop(CHECKSUM, None) != str(checksum(*_flat(stored))):
            raise BadStore(f"store {self.path} is damaged: who and what it was made for")
        compared = {**wanted, **stored}.keys() - (note or {}).keys() if wanted else ()
        differing = [key for key in sorted(compared) if stored.get(key) != wanted.get(key)]
        # Of files of two commands a key that both have says more than one that only one has.
        for key in sorted(differing, key=lambda key: key not in stored or key not in wanted):
            made = f"for {key} {stored[key]}" if key in stored else f"without {key}"
            asked = f"for {wanted[key]}" if key in wanted else f"without {key}"
            raise BadStore(f"{self.path} was made {made}, not {asked}: choose another file")
        return version, stored


def checksum(*values: object) -> int:
    """The CRC-32 of some values as text; finds every flip of up to three bits of a short one."""
    return zlib.crc32("\0".join(map(str, values)).encode())


def _flat(entries: Mapping[str, str]) -> Iterator[str]:
    for pair in sorted(entries.items(), key=str):  # a damaged key may be bytes
        yield from pair


def _as_json(entries: Mapping[str, object]) -> dict[str, str]:
    return {key: json.dumps(value) for key, value in entries.items()}
