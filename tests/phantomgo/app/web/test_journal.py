"""What is kept: a killed server goes on with its tables, in a file that is its own."""

import asyncio
import json
import os
import re
import signal
import sqlite3
from contextlib import closing
from dataclasses import asdict

import pytest

from phantomgo.app.web.journal import Journal
from phantomgo.app.web.terms import TableTerms
from phantomgo.errors import BadStore
from phantomgo.game.points import BLACK, WHITE
from tests.support.web_tools import Site, two


def test_nobody_else_can_read_a_new_file(tmp_path):
    """It has the key of all links, and every hidden stone."""
    journal = Journal(tmp_path / "tables.db")
    files = [file for file in tmp_path.iterdir() if file.suffix != ".lock"]
    assert {file.stat().st_mode & 0o077 for file in files} == {0}
    journal.close()
    (tmp_path / "tables.db").chmod(0o640)  # as an operator may decide
    Journal(tmp_path / "tables.db").close()
    assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o640


async def test_a_killed_server_goes_on_with_every_table(tmp_path):
    moves = ["C3", "C3", "B2", "D4", "C4", "A1", "pass", "resign"]
    site = Site(tmp_path / "tables.db")
    black, white = await two(site, minutes="5")
    key = site.journal.key
    for where, point in ((black, "E5"), (white, "E1"), (white, "E2"), (white, "E1")):
        await site.do(where, "mark", point=point)
    for move in moves:
        path = white if site.session(black).game.to_move is WHITE else black
        if move in ("pass", "resign"):
            await site.do(path, move)
        else:
            await site.attempt(path, move)
        before = [(await site.get(where + "/part")).text for where in (black, white)]
        record = site.session(black).game.record()
        site.journal.close()  # as the kernel closes what a killed process had open
        site = Site(tmp_path / "tables.db")
        assert site.journal.key == key
        assert site.session(black).game.record() == record
        after = [(await site.get(where + "/part")).text for where in (black, white)]
        strip = r'data-left="[\d.]+"|[\d:]+ left|<p class="answer.*?</p>'
        assert [re.sub(strip, "", page) for page in after] == [
            re.sub(strip, "", page) for page in before
        ]
        assert site.session(black).marks == {BLACK: 1 << 24, WHITE: 1 << 9}
    assert site.session(black).game.outcome is not None
    site.journal.close()


def test_a_file_of_version_0_4_loses_its_evenings_and_keeps_its_tables(tmp_path):
    file = tmp_path / "tables.db"
    journal = Journal(file)
    journal.add_table(7, TableTerms(size=5))
    asyncio.run(journal.written())
    journal.close()
    with closing(sqlite3.connect(file)) as old:
        gone = dict.fromkeys(("open", "rated", "listed", "delay", "black_home"), 1)
        terms = asdict(TableTerms(size=5)) | gone | {"watching": "all"}
        old.execute("UPDATE tables SET terms = ?", [json.dumps(terms)])
        old.execute("ALTER TABLE tables ADD COLUMN result TEXT")
        old.execute("ALTER TABLE tables ADD COLUMN title TEXT")
        old.execute("CREATE INDEX listed ON tables (finished DESC) WHERE title IS NOT NULL")
        old.execute("CREATE TABLE evenings (id INTEGER PRIMARY KEY, terms TEXT, begun REAL)")
        old.execute("INSERT INTO evenings VALUES (9, '{}', 0)")
        old.execute('INSERT INTO events VALUES (7, 0, \'{"undo":1}\'), (9, 0, \'{"joins":"Ann"}\')')
        old.execute("PRAGMA user_version = 2")
        old.commit()
    journal = Journal(file)
    assert journal.terms(7) == TableTerms(size=5)
    assert (journal.events(7), journal.events(9)) == ([{"undo": 1}], [])
    journal.close()


def test_two_servers_do_not_share_a_file(tmp_path):
    journal = Journal(tmp_path / "tables.db")
    with pytest.raises(BadStore, match="another run is using it"):
        Journal(tmp_path / "tables.db")
    journal.close()


def test_the_lock_of_a_server_that_was_killed_is_free(tmp_path):
    journal = Journal(tmp_path / "tables.db")
    reader, writer = os.pipe()
    child = os.fork()  # as the workers of Python 3.11 are made, who may outlive the server
    if child == 0:
        os.write(writer, b"x")  # it has begun, so it has closed its copy of the lock
        signal.pause()
    try:
        os.read(reader, 1)
        journal.close()
        Journal(tmp_path / "tables.db").close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)
