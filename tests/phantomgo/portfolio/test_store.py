"""The store keeps what was played, for one setup only, and nothing is played twice."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from phantomgo.errors import BadStore
from phantomgo.portfolio.filling import fill
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.store import Game, Setup, Store
from phantomgo.rules import Rules

SETUP = Setup("random", "flatmc", "0" * 16, "1" * 16, "olympiad", Rules(size=5))


class Play:
    """A pretended game; counts what it was asked for."""

    def __init__(self, stop_after=None):
        self.asked = []
        self.stop_after = stop_after

    def __call__(self, black, white):
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append((black, white))
        return ["B+2.5", "W+R", "0"][(3 * black + 5 * white + black * white) % 3]


def play_all(store, play, own, opponents):
    counted = []
    with ThreadPoolExecutor(2) as pool:
        missing = store.missing(cells(own, opponents))
        fill(store, missing, play, pool, workers=2, advance=counted.append)
    return sum(counted)


def expected(rows, columns):
    play = Play()
    return np.array([[play(i, j) == "B+2.5" for j in columns] for i in rows])


def test_extending_replays_nothing(tmp_path):
    play = Play()
    with Store(tmp_path / "m.db", SETUP) as store:
        assert play_all(store, play, 6, 6) == 36
        assert store.side() == 6
    with Store(tmp_path / "m.db", SETUP) as store:
        assert play_all(store, play, 6, 6) == 0
        assert play_all(store, play, 9, 4) == 2 * 9 * 4 - 16 - 32
        assert play_all(store, play, 9, 9) == 81 - 36 - 24
        assert store.side() == 9
        assert len(play.asked) == len(set(play.asked)) == 81
        matrix = store.matrix(9, 9)
        assert matrix.white is matrix.black
        assert (matrix.black == expected(range(9), range(9))).all()
        rectangle = store.matrix(9, 4)
        assert (rectangle.black == expected(range(9), range(4))).all()
        assert (rectangle.white == expected(range(4), range(9))).all()
        assert (store.wins([7, 2], [5]) == expected([7, 2], [5])).all()


def test_draws_are_counted_and_no_win():
    with Store(":memory:", SETUP) as store:
        store.add([Game(0, 0, "0"), Game(0, 1, "B+0.5"), Game(1, 0, "W+R"), Game(1, 1, "0")])
        assert store.matrix(2, 2).black.tolist() == [[0, 1], [0, 0]]
        assert store.tally(2, 2) == (4, 1, 2)
        assert store.tally(2, 1) == (3, 1, 1)
        assert store.tally(1, 1) == (1, 0, 1)


def test_what_was_played_before_an_interruption_is_kept(tmp_path):
    play, again = Play(stop_after=10), Play()
    with Store(tmp_path / "m.db", SETUP) as store, pytest.raises(KeyboardInterrupt):
        play_all(store, play, 5, 5)
    with Store(tmp_path / "m.db", SETUP) as store:
        kept = 25 - len(store.missing(cells(5, 5)))
        assert 0 < kept <= 10
        assert play_all(store, again, 5, 5) == 25 - kept
        assert (store.matrix(5, 5).black == expected(range(5), range(5))).all()


def test_a_store_says_what_it_is_of(tmp_path):
    Store(tmp_path / "m.db", SETUP).close()
    with Store(tmp_path / "m.db") as store:
        assert store.setup == SETUP


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (replace(SETUP, black="random2"), 'black "random", not "random2"'),
        (replace(SETUP, white_fingerprint="f" * 16), f'white_fingerprint "{"1" * 16}"'),
        (replace(SETUP, profile="ccgc"), 'profile "olympiad", not "ccgc"'),
        (replace(SETUP, rules=Rules(size=7)), "size 5, not 7"),
        (replace(SETUP, rules=Rules(size=5, komi=6.5)), "komi 7.5, not 6.5"),
        (replace(SETUP, rules=Rules(size=5, max_moves=9)), "max_moves null, not 9"),
    ],
)
def test_another_setup_is_refused(tmp_path, other, difference):
    path = tmp_path / "m.db"
    Store(path, SETUP).close()
    with pytest.raises(BadStore) as caught:
        Store(path, other)
    assert f"{path} was made for {difference}" in str(caught.value)


def test_what_is_no_store_is_refused(tmp_path):
    path = tmp_path / "m.db"
    with pytest.raises(BadStore, match=r"there is no store .*m\.db"):
        Store(path)
    with pytest.raises(BadStore, match=r"store .*m\.db: unable to open database file"):
        Store(tmp_path / "nowhere" / "m.db", SETUP)
    path.write_text("a book, perhaps? " * 100)
    with pytest.raises(BadStore, match=r"store .*m\.db: file is not a database"):
        Store(path, SETUP)
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.close()
    with pytest.raises(BadStore, match="is not a store of games"):
        Store(path, SETUP)
    assert path.exists()
    path.unlink()
    Store(path, SETUP).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 2")
    other.close()
    with pytest.raises(BadStore, match="has format 2; this version reads 1"):
        Store(path, SETUP)


def test_an_empty_file_is_no_store_to_read(tmp_path):
    (tmp_path / "m.db").touch()
    with pytest.raises(BadStore, match="not a store of games"):
        Store(tmp_path / "m.db")


def test_missing_games_are_named():
    with Store(":memory:", SETUP) as store:
        store.add([Game(0, 0, "0")])
        with pytest.raises(BadStore) as caught:
            store.matrix(2, 2)
        assert str(caught.value) == (
            ":memory: lacks 3 of the 4 games of Black seeds 0 to 1 against White seeds 0 to 1"
        )
