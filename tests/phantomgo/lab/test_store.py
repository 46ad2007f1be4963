"""A store keeps the results of one contest and nothing else."""

import sqlite3

import pytest

from phantomgo.errors import BadStore
from phantomgo.identity import Identity
from phantomgo.lab.contest import Result
from phantomgo.lab.store import Store

PLAYERS = [Identity("random", "0" * 16)]
TERMS = {"game": "pretended", "size": 5}


def test_results_records_and_voids(tmp_path):
    with Store(tmp_path / "m.db", PLAYERS, TERMS) as store:
        store.add([((1, 0), Result("x", "record")), ((0, 1), Result("y", None, "it crashed"))])
        store.add([((0, 0), Result("z")), ((1, 0), Result("another"))])
    with Store(tmp_path / "m.db") as store:
        assert (store.players, store.terms) == (tuple(PLAYERS), TERMS)
        assert store.results() == {(0, 0): "z", (1, 0): "x"}
        assert store.results((1, 0), (1, 9)) == {(1, 0): "x"}
        assert store.games() == {(0, 0), (1, 0)}
        assert (store.get((1, 0)), store.get((0, 1))) == ("x", None)
        assert list(store.records()) == [((1, 0), "record")]
        assert (store.record((1, 0)), store.record((0, 0))) == ("record", None)
        assert store.voids() == 1


def test_what_is_no_store_is_refused(tmp_path):
    path = tmp_path / "m.db"
    with pytest.raises(BadStore, match=r"there is no store .*m\.db"):
        Store(path)
    with pytest.raises(BadStore, match=r"store .*m\.db: unable to open database file"):
        Store(tmp_path / "nowhere" / "m.db", PLAYERS, TERMS)
    path.write_text("a book, perhaps? " * 100)
    with pytest.raises(BadStore, match=r"store .*m\.db: file is not a database"):
        Store(path, PLAYERS, TERMS)
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(BadStore, match="is not a store of results"):
        Store(path, PLAYERS, TERMS)
    assert path.exists()
    path.unlink()
    Store(path, PLAYERS, TERMS).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 2")
    other.close()
    with pytest.raises(BadStore, match="has format 2; this version reads 1"):
        Store(path, PLAYERS, TERMS)


@pytest.mark.parametrize("text", ["{}", "[3]", '[{"name": ""}]', "nonsense"])
def test_a_store_with_players_that_are_none_is_refused(text, tmp_path):
    path = tmp_path / "m.db"
    Store(path, PLAYERS, TERMS).close()
    other = sqlite3.connect(path)
    with other:
        other.execute("UPDATE made_for SET value = ? WHERE key = 'players'", (text,))
    other.close()
    with pytest.raises(BadStore, match=r"m\.db"):
        Store(path, PLAYERS, TERMS)


def test_an_empty_file_is_no_store_to_read(tmp_path):
    (tmp_path / "m.db").touch()
    with pytest.raises(BadStore, match="not a store of results"):
        Store(tmp_path / "m.db")


def test_one_run_at_a_time_where_that_is_asked(tmp_path):
    with (
        Store(tmp_path / "m.db", PLAYERS, TERMS, alone=True),
        pytest.raises(BadStore, match="another run is using it"),
    ):
        Store(tmp_path / "m.db", PLAYERS, TERMS, alone=True)
