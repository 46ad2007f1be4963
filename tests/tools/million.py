"""A million games on a cluster whose workers are killed, beside a model of what they cost.

    python -m tests.tools.million FOLDER [SEEDS [KILLS]]

learns from SEEDS squared games (default: 1000 seeds) of `random` on 3x3, the cheapest there are,
once in one process and once on a cluster with a scheduler and two workers, of whom KILLS (20) are
killed one after the other and replaced. It prints whether both runs wrote the same book and what
each took: processor time of all processes, including killed ones, bytes through the scheduler, and
bytes of the store. A model predicts the same figures from smaller runs, each made before and after,
as the machine's speed varies: the cost of a game is the slope between 10,000 and 90,000 games, that
of a worker is half of what two more of them add to a run of 100 games, and a killed worker also
loses half a task. The model's figures for 10^9 games are printed too.

Finished runs are kept in FOLDER, and the same command continues.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

from phantomgo.lab.run.cluster import TASK_SECONDS
from tests.support.grid import Grid
from tests.support.learning import games
from tests.support.places import ROOT

WORKERS: Final = 2
LOOK: Final = 1.0
"""Seconds between two looks at a run."""
LEARN: Final = ("learn", "--bot", "random", "--size", "3", "--komi", "1.5", "--method", "topk")


class Run(NamedTuple):
    """What a run took.

    Attributes:
        games: that were played.
        seconds: of processor time of all processes.
        owner: of these, those of the command.
        wall: seconds that passed.
        workers: that were begun.
        traffic: bytes to and from the scheduler.
        store: bytes of the file.
    """

    games: int
    seconds: float
    owner: float
    wall: float
    workers: int
    traffic: float
    store: float

    @classmethod
    def mean(cls, runs):
        """The mean of runs of one kind."""
        return cls(*(sum(values) / len(values) for values in zip(*runs, strict=True)))


def main(folder, seeds=1000, kills=20):
    folder.mkdir(exist_ok=True)
    kept(folder, "compiling", at_home, 30)
    before = small_runs(folder, "before")
    home = kept(folder, f"home-{seeds}", at_home, seeds)
    there = kept(folder, f"killed-{seeds}", clustered, seeds, kills, WORKERS)
    after = small_runs(folder, "after")
    model = Model.of(*(Run.mean(runs) for runs in zip(before, after, strict=True)))
    books = [(folder / f"{name}-{seeds}" / "b.json").read_bytes() for name in ("home", "killed")]
    print("the same book" if books[0] == books[1] else "OTHER BOOKS")
    for name, found in (("one process", home), ("cluster", there)):
        print(f"{name}: {found._asdict()}")
    print(f"model: {model._asdict()}")
    said = model.seconds(there.games, there.workers, kills)
    print(f"processor time: {there.seconds:.0f} s, the model says {said:.0f} s,", end=" ")
    print(f"{said / there.seconds - 1:+.1%}")
    for what, was, rate in (
        ("traffic", there.traffic, model.traffic), ("store", there.store, model.store)
    ):  # fmt: skip
        print(f"{what}: {was / 1e6:.1f} MB, the model says {rate * there.games / 1e6:.1f} MB")
    billion = 10**9
    print(
        f"10^9 games with 200 workers and 1000 kills:"
        f" {model.seconds(billion, 1200, 1000) / 3600:.0f} core-hours,"
        f" of these {model.owner * billion / 3600:.1f} h of the owner;"
        f" {model.traffic * billion / 1e9:.0f} GB through the scheduler,"
        f" {model.store * billion / 1e9:.0f} GB in the store"
    )


def small_runs(folder, when):
    """What the model knows, in the order of `Model.of`."""
    return [
        kept(folder, f"{when}-{workers}-{side}", clustered, side, 0, workers)
        for workers, side in ((WORKERS, 10), (2 * WORKERS, 10), (WORKERS, 100), (WORKERS, 300))
    ]


class Model(NamedTuple):
    """What a run costs.

    Attributes:
        start: seconds of processor time of owner and scheduler, before any game.
        worker: of a worker to begin, and to load what it plays with.
        game: of a game, all parts together.
        owner: of these, the owner's.
        traffic: bytes of a game.
        store: bytes of a game.
    """

    start: float
    worker: float
    game: float
    owner: float
    traffic: float
    store: float

    @classmethod
    def of(cls, few, crowd, some, many):
        """The model that small runs give."""
        more = many.games - some.games
        worker = (crowd.seconds - few.seconds) / (crowd.workers - few.workers)
        game = (many.seconds - some.seconds) / more
        return cls(
            start=some.seconds - WORKERS * worker - some.games * game,
            worker=worker,
            game=game,
            owner=(many.owner - some.owner) / more,
            traffic=(many.traffic - some.traffic) / more,
            store=(many.store - some.store) / more,
        )

    def seconds(self, number, workers, kills):
        """Of processor time; a worker that is killed had done half a task."""
        return self.start + workers * self.worker + number * self.game + kills * TASK_SECONDS / 2


def kept(folder, name, play, seeds, *more):
    """What a run took, now or when it was made."""
    file = folder / f"{name}.run"
    if not file.exists():
        found = play(folder, name, seeds, *more)
        file.write_text(json.dumps(found))
    return Run(*json.loads(file.read_text()))


def words(folder, name, seeds):
    (folder / name).mkdir(exist_ok=True)
    where = ["--store", str(folder / f"{name}.db"), "--out", str(folder / name / "b.json")]
    return [sys.executable, "-m", "phantomgo", *LEARN, "--seeds", str(seeds), "--test-seeds", "0",
            *where]  # fmt: skip


def at_home(folder, name, seeds):
    """One process plays them all."""
    (folder / f"{name}.db").unlink(missing_ok=True)
    before, began = spent(), time.perf_counter()
    with (folder / f"{name}.log").open("w") as log:
        subprocess.run(words(folder, name, seeds), cwd=ROOT, stdout=log, stderr=log, check=True)
    seconds, wall = spent() - before, time.perf_counter() - began
    size = (folder / f"{name}.db").stat().st_size
    return Run(seeds**2, seconds, seconds, wall, 0, 0, size)


def clustered(folder, name, seeds, kills, workers):
    """A cluster plays them all, and workers are killed each time that so many games are there."""
    store, chance, traffic = folder / f"{name}.db", random.Random(1), {}
    store.unlink(missing_ok=True)
    marks = [seeds**2 * (number + 1) // (kills + 1) for number in range(kills)]
    before, began, hired = spent(), time.perf_counter(), workers
    with Grid(folder) as grid, (folder / f"{name}.log").open("w") as log:
        for _ in range(workers):
            grid.hire()
        grid.settle()
        owner = subprocess.Popen(
            [*words(folder, name, seeds), "--workers", grid.address],
            cwd=ROOT, env=grid.environment, stdout=log, stderr=log,
        )  # fmt: skip
        while not (ended := os.wait4(owner.pid, os.WNOHANG))[0]:
            time.sleep(LOOK)
            traffic |= connections(grid.port)
            if marks and games(store) >= marks[0]:
                marks.pop(0)
                grid.end(chance.choice(grid.workers), signal.SIGKILL)
                grid.hire()
                hired += 1
        assert ended[1] == 0, (folder / f"{name}.log").read_text()[-2000:]
        assert not marks
        wall, own = time.perf_counter() - began, ended[2].ru_utime + ended[2].ru_stime
    size = store.stat().st_size
    return Run(seeds**2, spent() - before, own, wall, hired, sum(traffic.values()), size)


def spent():
    """Seconds of processor time of all processes that were begun here and have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def connections(port):
    """Bytes of each connection to the scheduler so far, both ways; needs `ss` (iproute2)."""
    found = {}
    lines = subprocess.run(
        ["ss", "-tinH", "state", "established", f"sport = :{port}"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    for where, what in zip(lines[::2], lines[1::2], strict=True):
        numbers = dict(part.split(":") for part in what.split() if part.startswith("bytes_"))
        found[where.split()[-1]] = int(numbers.get("bytes_acked", 0)) + int(
            numbers.get("bytes_received", 0)
        )
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), *map(int, sys.argv[2:]))
