"""What every store of ours owes to SQLite."""

import sqlite3

from phantomgo.database import Database, Form

FORM = Form("tests", 77, 1, ("CREATE TABLE entries (number INTEGER)",))
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
