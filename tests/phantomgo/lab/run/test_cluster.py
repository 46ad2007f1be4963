"""A cluster plays the same games: whoever comes, goes, is killed, or is not to be trusted."""

import random
import shutil
import signal
import socket
import sqlite3
import time
from contextlib import closing
from threading import Thread

import pytest
from distributed.comm.core import CommClosedError

from phantomgo.app.cli import main
from phantomgo.lab.run.cluster import Cluster, cluster
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.tasks import Stopped
from phantomgo.lab.run.workers import Run
from phantomgo.portfolio.matrix import cells
from tests.support.commands import started
from tests.support.engines import OURS
from tests.support.grid import Grid, Pretended, Raising
from tests.support.learning import games
from tests.support.places import ROOT

LEARN = ["learn", "--bot", "random", "--size", "3", "--komi", "1.5", "--test-seeds", "4"]

OWNER = """
import sys
from phantomgo.errors import PhantomGoError
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.workers import Run
from phantomgo.portfolio.matrix import cells
from tests.support.grid import Pretended

with Run(sys.argv[1]).begin() as crew:
    try:
        run(Listed(cells(6, 6)), eval(sys.argv[2]), crew, Store(None, [], {}))
    except PhantomGoError as error:
        print(f"{type(error).__name__}: {error}")
"""


def learn(folder, *more, seeds=20):
    words = ["--seeds", str(seeds), "--store", f"{folder}/m.db", "--out", f"{folder}/b.json"]
    return [*LEARN, *words, *more]


def at_home(folder, seeds=20, words=None):
    """The book as one process of this machine makes it."""
    folder.mkdir()
    assert main([*(words or learn(folder, seeds=seeds))]) == 0
    return (folder / "b.json").read_bytes()


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    with Grid(tmp_path_factory.mktemp("grid")) as found:
        for _ in range(2):
            found.hire()
        found.settle()
        yield found


@pytest.fixture(scope="module")
def book_of_20(tmp_path_factory):
    return at_home(tmp_path_factory.mktemp("home") / "20")


def test_a_scheduler_that_does_not_answer_is_named_at_once(monkeypatch):
    """As one of a firewall, or another server at that port: it is waited for much longer."""
    notes = []
    monkeypatch.setattr("phantomgo.lab.run.cluster.SILENCE", 0)
    monkeypatch.setattr("phantomgo.lab.run.cluster.CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(Stopped, match=f"workers {address}: no scheduler answers there"):
            cluster(address, notes.append).__enter__()
    assert notes == [f"workers {address}: no scheduler answers there yet; it has 1 s"]


@pytest.mark.parametrize(
    "greeting", ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n"]
)
def test_another_server_is_no_scheduler(greeting):
    """Dask reads the first bytes of the text as a number of bytes to allocate."""

    def answer():
        connection, _ = server.accept()
        with connection:
            connection.sendall(greeting.encode())

    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(Stopped, match=f"workers {address}: no scheduler answers there"):
            cluster(address, print).__enter__()


def test_a_cluster_makes_the_same_book(grid, book_of_20, tmp_path):
    done = grid.command(*learn(tmp_path))
    said, _ = done.communicate(timeout=300)
    assert done.returncode == 0, said
    assert f"cluster {grid.address}; dashboard http://127.0.0.1:" in said
    assert ", 2 workers\n" in said
    assert (tmp_path / "b.json").read_bytes() == book_of_20


@pytest.mark.slow
def test_a_worker_with_other_code_is_sent_away_before_it_plays(grid, tmp_path):
    other = tmp_path / "other"
    for package in ("phantomgo", "bots", "gtp", "books", "tests"):
        shutil.copytree(ROOT / package, other / package)
    kernel = other / "bots" / "kernels" / "score.py"
    kernel.write_text(kernel.read_text() + "\n# another version\n")
    stranger = grid.hire(environment={"PYTHONPATH": str(other)})
    time.sleep(5)  # it is there before anybody asks
    done = grid.command(*learn(tmp_path, seeds=40))
    said, _ = done.communicate(timeout=300)
    assert done.returncode == 0, said
    assert f"process {stranger.pid} is sent away: its code is " in said
    stranger.wait(timeout=60)
    grid.workers.remove(stranger)
    assert (tmp_path / "b.json").read_bytes() == at_home(tmp_path / "home", seeds=40)
    with closing(sqlite3.connect(tmp_path / "m.db")) as database:
        places = [name for (name,) in database.execute("SELECT name FROM places")]
    assert len(places) == 2
    assert not any(place.endswith(f" {stranger.pid}") for place in places)


@pytest.mark.slow
def test_a_game_that_ends_its_workers_is_named(tmp_path):
    """Here workers come back, as they do where a nanny looks after them."""
    with Grid(tmp_path, {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}) as grid:
        for _ in range(2):
            grid.hire()
        game = "Pretended(0.01, (3, 3))"
        owner = started("-c", OWNER, grid.address, game, env=grid.environment)
        deadline = time.monotonic() + 240
        while owner.poll() is None and time.monotonic() < deadline:
            for worker in [worker for worker in grid.workers if worker.poll() is not None]:
                grid.workers.remove(worker)
                grid.hire()
            time.sleep(0.2)
        said, _ = owner.communicate(timeout=10)
    assert said == "Stopped: game (3, 3) kills its workers: 9 of them have died\n"


def test_a_scheduler_that_goes_while_it_hands_over_a_result_is_waited_for(grid, monkeypatch):
    with Run(grid.address).begin() as crew:
        assert isinstance(crew, Cluster)
        gather, faults = crew._client._gather, [CommClosedError("in <TCP>: Stream is closed")]
        monkeypatch.setattr(
            crew._client,
            "_gather",
            lambda *what, **how: gather(*what, **how) if not faults else failed(faults.pop()),
        )
        assert run(Listed(cells(2, 2)), Pretended(), crew, Store(None, [], {})) == 4
    assert faults == []


async def failed(error):
    raise error


@pytest.mark.slow
def test_engines_play_where_they_are_offered(grid, tmp_path):
    place = grid.hire("--resources", "engines=1")
    words = ["match", "--black", OURS, "--white", "random", "--games", "4", "--size", "3"]
    played = grid.command(*words, "--store", str(tmp_path / "m.db"))
    said, _ = played.communicate(timeout=300)
    assert played.returncode == 0, said
    assert "only on workers started with --resources engines=1" in said
    with closing(sqlite3.connect(tmp_path / "m.db")) as store:
        played = store.execute("SELECT name FROM results JOIN places ON place = id").fetchall()
    assert len(played) == 4
    assert {where.split()[-1] for (where,) in played} == {str(place.pid)}
    grid.end(place, signal.SIGKILL)


def test_a_task_at_which_a_worker_fails_stops_the_run(grid):
    wrong = pytest.raises(Stopped, match="ZeroDivisionError: division by zero")
    with Run(grid.address).begin() as crew, wrong:
        run(Listed(cells(6, 6)), Raising(), crew, Store(None, [], {}))


def played_through(grid, words, store, total, seed):
    """What a command says that is played to its end while everything else is killed at random.

    Workers are killed, stopped for good, or told to go every few seconds, if something has been
    played since the last time, and replaced; the command is killed three times and the scheduler
    once, when so much has been played.
    """
    chance = random.Random(seed)
    faults = [(0.15, "owner"), (0.3, "scheduler"), (0.5, "owner"), (0.7, "owner")]
    for _ in range(4):
        grid.hire()
    owner = grid.command(*words)
    strike, before = time.monotonic() + 5, 0
    while owner.poll() is None:
        time.sleep(0.2)
        for worker in [worker for worker in grid.workers if worker.poll() is not None]:
            grid.workers.remove(worker)
            grid.hire()
        played = games(store)
        if faults and played >= faults[0][0] * total:
            if faults.pop(0)[1] == "owner":
                owner.kill()
                owner.communicate()
                owner = grid.command(*words)
            else:
                grid.scheduler.kill()
                grid.scheduler.wait()
                grid.schedule()
        elif time.monotonic() > strike and played > before:
            strike, before = time.monotonic() + chance.uniform(2, 6), played
            signums = (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)
            grid.end(chance.choice(grid.workers), chance.choice(signums))
            grid.hire()
    said, _ = owner.communicate()
    assert owner.returncode == 0, said
    assert faults == []
    return said


@pytest.mark.slow
def test_a_book_whoever_is_killed(tmp_path):
    words = [*learn(tmp_path, seeds=200), "--size", "5"]
    with Grid(tmp_path) as grid:
        played_through(grid, words, tmp_path / "m.db", 200 * 200, 1)
    home = tmp_path / "home"
    words = [*learn(home, seeds=200), "--size", "5"]
    assert (tmp_path / "b.json").read_bytes() == at_home(home, words=words)
    with Store(tmp_path / "m.db") as store, Store(home / "m.db") as there:
        assert store.results() == there.results()
