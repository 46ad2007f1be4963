"""What every store of ours owes to SQLite."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from sqlite3 import Connection
from typing import cast

import pytest

from phantomgo.database import Database, FileFormat
from phantomgo.errors import BadStore

FORM = FileFormat("tests", 77, 1, ("CREATE TABLE entries (number INTEGER)",))
FULL = 2  # SQLite waits until what it wrote is on the disk


def test_what_is_written_is_on_the_disk(tmp_path, monkeypatch):
    """Wherever SQLite was built to wait for less, and for a file that is there already too."""
    connect = sqlite3.connect

    def careless(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(sqlite3, "connect", careless)
    for _ in range(2):
        with Database(tmp_path / "s.db", FORM, {}) as database:
            assert database.select("PRAGMA synchronous") == [(FULL,)]


def test_a_foreign_file_is_left_as_it_is(tmp_path):
    """It is in another journal mode, and SQLite would switch that in the file itself."""
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (number INTEGER)")
    before = file.read_bytes()
    for wal in (True, False):
        with pytest.raises(BadStore, match="is not a store"):
            Database(file, FORM, {}, exclusive=True, wal=wal)
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (before, [file])


def test_many_may_make_a_file_at_once(tmp_path):
    for place in range(20):
        together = threading.Barrier(4)

        def opened(path=tmp_path / f"{place}.db", together=together):
            together.wait()
            with Database(path, FORM, {}, wal=True) as database:
                return database.made_for, database.select("PRAGMA journal_mode")

        with ThreadPoolExecutor(4) as threads:
            made = [threads.submit(opened) for _ in range(4)]
            assert [one.result() for one in made] == [({}, [("wal",)])] * 4


class Interrupted:
    """A connection that Ctrl-C comes to as soon as a statement has been carried out."""

    def __init__(self, connection, statement):
        self._connection, self._statement = connection, statement

    def __getattr__(self, name):
        return getattr(self._connection, name)

    def execute(self, statement, *values):
        result = self._connection.execute(statement, *values)
        if statement == self._statement:
            self._statement = None
            raise KeyboardInterrupt
        return result


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "COMMIT"])
def test_ctrl_c_leaves_nothing_begun(tmp_path, statement):
    """What was played when it came can still be saved."""
    with Database(tmp_path / "s.db", FORM, {}) as database:
        database._connection = cast(Connection, Interrupted(database._connection, statement))
        row = ("INSERT INTO entries VALUES (?)", [(7,)])
        with pytest.raises(KeyboardInterrupt):
            database.write(row)
        database.write(row)
        assert database.select("SELECT * FROM entries") == [(7,)] * (1 + (statement == "COMMIT"))


def test_a_file_made_for_more_or_for_less_is_not_mixed_with_others(tmp_path):
    """Notes need not match, and whoever asks for nothing takes the file as it is."""
    path = tmp_path / "s.db"
    Database(path, FORM, {"size": 5, "leave": 2}, note={"players": "a b"}).close()
    for made_for, said in (
        ({"size": 5}, "for leave 2, not without leave"),
        ({"size": 5, "leave": 2, "komi": 1}, "without komi, not for 1"),
        ({"komi": 1, "size": 9}, "for size 5, not for 9"),
    ):
        with pytest.raises(BadStore, match=f"was made {said}: choose"):
            Database(path, FORM, made_for, note={"players": "c"})
    for made_for in ({"size": 5, "leave": 2}, {}, None):
        Database(path, FORM, made_for, note={"players": "c"}).close()


@pytest.mark.parametrize("wal", [False, True])
def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, wal):
    file = tmp_path / "s.db"
    Database(file, FORM, {}, wal=wal).close()
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anything
    with pytest.raises(BadStore, match=r"s\.db: Permission denied"):
        Database(file, FORM, {}, wal=wal)
    Database(file, FORM).close()  # a reader need not write


COMPUTED = {
    "a view": ("ALTER TABLE {0} RENAME TO {0}_", "CREATE VIEW {0} AS SELECT * FROM {0}_"),
    "a view beside": ("CREATE VIEW more AS SELECT * FROM {0}",),
    "a trigger": ("CREATE TRIGGER more AFTER INSERT ON {0} BEGIN SELECT 1; END",),
    "a virtual table": ("CREATE VIRTUAL TABLE more USING rtree(id, low, high)",),
    "a computed column": ("ALTER TABLE {0} ADD COLUMN more AS (hex(zeroblob(9)))",),
    "a disguised trigger": (
        "CREATE TRIGGER more AFTER INSERT ON {0} BEGIN SELECT 1; END",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'more'",
    ),
    "an unknown wording": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'CREATE TABLE', 'CREATE  TABLE')",
    ),
}
"""Schemas that run something of whoever wrote them, or might."""


@pytest.mark.parametrize("statements", COMPUTED.values(), ids=COMPUTED)
@pytest.mark.parametrize("table", ["made_for", "entries"])
def test_a_file_whose_schema_computes_is_refused_before_its_first_query(
    tmp_path, table, statements
):
    path = tmp_path / "s.db"
    form = FORM._replace(content="entries")
    Database(path, form, {"size": 5}).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE INDEX plain ON entries (number)")
    Database(path, form, {"size": 5}).close()
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement.format(table))
        connection.commit()
    before = path.read_bytes()
    for made_for in (None, {"size": 5}, {"size": 6}):
        with pytest.raises(BadStore, match=r"computed|malformed"):
            Database(path, form, made_for)
    assert path.read_bytes() == before


def test_a_file_of_a_view_alone_is_not_ours_to_write_to(tmp_path):
    path = tmp_path / "s.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIEW theirs AS SELECT 1")
    before = path.read_bytes()
    with pytest.raises(BadStore, match="is not a store"):
        Database(path, FORM, {})
    assert path.read_bytes() == before
