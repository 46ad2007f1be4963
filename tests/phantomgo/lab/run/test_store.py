"""A store keeps the results of one contest and nothing else."""

import random
import sqlite3
from contextlib import closing

import pytest

from phantomgo.errors import BadStore
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.store import Store

PLAYERS = [Identity("random", "0" * 16)]
TERMS = {"game": "pretended", "size": 5}


def begin(path):
    """Make a store with one result."""
    with Store(path, PLAYERS, TERMS) as store:
        store.add([((0, 0), Result("x"))])


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
        assert store.voids() == 1


def test_players_may_join_where_that_is_meant(tmp_path):
    path, more = tmp_path / "m.db", [*PLAYERS, Identity("flatmc", "1" * 16)]
    begin(path)
    with pytest.raises(BadStore, match="has games of 1 players, not of 2"):
        Store(path, more, TERMS)
    with Store(path, more, TERMS, joining=True) as store:
        assert store.players == tuple(more)
    with pytest.raises(BadStore, match="has games of 2 players, not of 1"):
        Store(path, PLAYERS, TERMS, joining=True)
    with pytest.raises(BadStore, match="has games of random, not of flatmc: choose"):
        Store(path, more[::-1], TERMS, joining=True)


def test_a_store_without_a_result_is_of_nobody(tmp_path):
    """Whoever mistyped an engine or a board repeats the command with the same store."""
    path, other = tmp_path / "m.db", [Identity("gtp:gnugo")]
    with Store(path, PLAYERS, TERMS) as store:
        store.add([((0, 0), Result("", None, "it does not start"))])
    with Store(path, other, TERMS | {"size": 9}) as store:
        assert (store.players, store.terms["size"], store.voids()) == (tuple(other), 9, 0)
        store.add([((0, 0), Result("", None, "it does not start"))])
    with Store(path, other, TERMS | {"size": 9}) as store:
        assert store.voids() == 1
        store.add([((0, 0), Result("x"))])
    with pytest.raises(BadStore, match="was made for size 9, not for 5: choose"):
        Store(path, PLAYERS, TERMS)


def test_what_is_no_store_is_refused(tmp_path):
    path = tmp_path / "m.db"
    with pytest.raises(BadStore, match=r"there is no store .*m\.db"):
        Store(path)
    with pytest.raises(BadStore, match=r"store .*m\.db: unable to open database file"):
        Store(tmp_path / "nowhere" / "m.db", PLAYERS, TERMS)
    path.touch()
    with pytest.raises(BadStore, match="not a store of results"):
        Store(path)
    path.write_text("a book, perhaps? " * 100)
    with pytest.raises(BadStore, match=r"store .*m\.db: file is not a database"):
        Store(path, PLAYERS, TERMS)
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(BadStore, match="is not a store of results"):
        Store(path, PLAYERS, TERMS)
    assert path.exists()
    path.unlink()
    Store(path, PLAYERS, TERMS).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 1")
    with pytest.raises(BadStore, match="has format 1; this version reads 4"):
        Store(path, PLAYERS, TERMS)


@pytest.mark.parametrize("text", ["{}", "[3]", '[{"name": ""}]', "nonsense"])
def test_a_store_with_players_that_are_none_is_refused(text, tmp_path):
    path = tmp_path / "m.db"
    begin(path)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE made_for SET value = ? WHERE key = 'players'", (text,))
    with pytest.raises(BadStore, match=r"m\.db"):
        Store(path, PLAYERS, TERMS)


def test_one_run_at_a_time(tmp_path):
    with (
        Store(tmp_path / "m.db", PLAYERS, TERMS),
        pytest.raises(BadStore, match=r"m\.db: another run is using it"),
    ):
        Store(tmp_path / "m.db", PLAYERS, TERMS)
    Store(tmp_path / "m.db", PLAYERS, TERMS).close()


def contents(path):
    with Store(path) as store:
        return store.players, store.terms, store.results(), list(store.records())


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store of 300 games, with records, places and void games."""
    path = tmp_path_factory.mktemp("store") / "m.db"
    games = [
        ((n // 2, n % 2), Result(f"B+{n}", f"record {n} " * 20, place=f"host{n % 3}"))
        for n in range(300)
    ]
    games += [((n, 0), Result("", f"begun {n}", f"engine {n} crashed")) for n in range(900, 910)]
    with Store(path, PLAYERS, TERMS) as store:
        store.add(games)
    return path


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_store_is_refused_or_reads_the_same(filled, tmp_path, seed):
    rng, path = random.Random(seed), tmp_path / "m.db"
    data = bytearray(filled.read_bytes())
    for _ in range(1 + seed % 5):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    try:
        found = contents(path)
    except BadStore as error:
        assert str(path) in str(error)  # noqa: PT017  (what it reads may also be undamaged)
    else:
        assert found == contents(filled)


@pytest.mark.parametrize(
    ("table", "column", "where", "named"),
    [
        ("results", "result", "a = 3 AND b = 1", r"game \(3, 1\)"),
        ("results", "place", "a = 3 AND b = 1", r"game \(3, 1\)"),
        ("records", "record", "a = 7 AND b = 0", r"game \(7, 0\)"),
        ("records", "a", "a = 7 AND b = 0", r"game \(7, 0\)"),
        ("voids", "why", "a = 905", r"game \(905, 0\)"),
        ("places", "name", "name = 'host2'", r"game \(1, 0\)"),
        ("made_for", "value", "key = 'size'", "who and what it was made for"),
    ],
)
def test_the_game_that_is_damaged_is_named(filled, tmp_path, table, column, where, named):
    path = tmp_path / "m.db"
    path.write_bytes(filled.read_bytes())
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE {table} SET {column} = 1234567 WHERE {where}")
    with pytest.raises(BadStore, match=f"store .*m.db is damaged: {named}"):
        Store(path, PLAYERS, TERMS)


def test_the_record_that_is_kept_is_that_of_the_result_that_is_kept(tmp_path):
    with Store(tmp_path / "m.db", PLAYERS, TERMS) as store:
        store.add([((0, 0), Result("x"))])
        store.add([((0, 0), Result("x", "another run's record"))])
    with Store(tmp_path / "m.db") as store:
        assert list(store.records()) == []
