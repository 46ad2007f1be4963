"""What a cluster costs beside its games, and how busy one owner keeps its workers.

    python -m tests.support.cluster_load overhead GAMES ROUNDS [MOST]

plays so many games of flatmc on 7x7, one by one, in turn with two processes of this machine and
with a scheduler and two workers, and prints the processor time that all of them took, once they
were there. MOST is how many games a task has, for both; as many as usual if nothing is said.

    python -m tests.support.cluster_load task TASKS

has two workers sleep through tasks of a tenth of a second, here and in a cluster, and prints what
a task costs in processor time, and what the cluster costs while nothing happens.

    python -m tests.support.cluster_load busy WORKERS GAMES MILLISECONDS

has so many workers of Dask sleep through so many games, as many a task as games that long would
have. The workers share a few processes, as they compute nothing; owner and scheduler are processes
of their own. Busy is the share of the time that the workers sleep, from the first game to the
last, and in the middle half of that, when no task is a first or a last one.
"""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from distributed import Client, Worker

from phantomgo.lab.run import cluster, loop
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.workers import Crew, Local
from phantomgo.lab.seeds import SeedGames, make_setup
from phantomgo.rules import Rules
from tests.support.grid import Grid, Pretended
from tests.support.places import ROOT

HOUSED = 25
"""Workers in a process."""
PAIR = 2
"""Workers at home, and in the cluster that they are compared with."""
IDLE = 20
"""Seconds for which a cluster is watched that has nothing to do."""
NAPS = "naps"


@dataclass(frozen=True)
class Slept(Pretended):
    """Games that are slept through, those of a task in one go, and when that was."""

    folder: str = "."

    def play(self, games):
        began = time.time()
        time.sleep(self.seconds * len(games))
        with (Path(self.folder) / f"{NAPS}{os.getpid()}").open("a") as file:
            file.write(f"{began} {time.time()}\n")
        return [Result("B+R") for _ in games]


def slept(address, games, seconds, folder):
    """Be the owner of games that are slept through."""
    with Crew(address).begin() as crew:
        me = psutil.Process()
        say(json.dumps(played(Slept(seconds, folder=folder), range(games), crew, {"owner": [me]})))


def played(contest, games, crew, parts):
    """What it took, and each of these parts, to have so many games played."""
    tasks, begin = [], crew.submit
    crew.submit = lambda *what: tasks.append(what) or begin(*what)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(f"{folder}/m.db", contest.players, contest.terms) as store,
    ):
        began, before = time.perf_counter(), spent(parts)
        loop.run(Listed((game // 1000, game % 1000) for game in games), contest, crew, store)
        wall, after = time.perf_counter() - began, spent(parts)
    crew.submit = begin
    costs = {part: after[part] - before[part] for part in parts}
    return {"wall": wall, "tasks": len(tasks), "costs": costs, "cost": sum(costs.values())}


def spent(parts):
    """Seconds of processor time that the processes of each part have had so far."""
    times = {
        part: [psutil.Process(one.pid).cpu_times() for one in processes]
        for part, processes in parts.items()
    }
    return {part: sum(one.user + one.system for one in found) for part, found in times.items()}


def house(address, number):
    """Be so many workers until they are ended."""

    async def stay():
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(number):
                await stack.enter_async_context(Worker(address, nthreads=1, memory_limit=0))
            await asyncio.Event().wait()

    asyncio.run(stay())


def begun(*words, environment=None):
    """This script in a process of its own."""
    command = [sys.executable, "-m", "tests.support.cluster_load", *map(str, words)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def busy(number, games, milliseconds):
    """How busy so many workers are, and what a task costs each part."""
    seconds = milliseconds / 1000
    # This machine is all the workers: one may be late without being gone.
    with (
        tempfile.TemporaryDirectory() as folder,
        Grid(folder, {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1000s"}) as grid,
    ):
        houses = [HOUSED] * (number // HOUSED) + [number % HOUSED] * (number % HOUSED > 0)
        grid.workers = [
            begun("house", grid.address, n, environment=grid.environment) for n in houses
        ]
        with Client(grid.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(number)
        parts = {"scheduler": [grid.scheduler], "workers": grid.workers}
        before = spent(parts)
        found = json.loads(begun("slept", grid.address, games, seconds, folder).communicate()[0])
        after = spent(parts)
        naps = [
            tuple(map(float, line.split()))
            for file in Path(folder).glob(f"{NAPS}*")
            for line in file.read_text().splitlines()
        ]
    first, last = min(began for began, _ in naps), max(ended for _, ended in naps)
    quarter = (last - first) / 4
    whole, middle = (
        asleep(naps, *times) / number
        for times in ((first, last), (first + quarter, last - quarter))
    )
    wall, tasks = last - first, found["tasks"]
    say(f"{wall:.0f} s, {whole:.1%} busy, {middle:.1%} in the middle half of it")
    say(f"{tasks} tasks, {tasks / wall:.0f} a second, {games / tasks:.0f} games each")
    costs = found["costs"] | {part: after[part] - before[part] for part in parts}
    for part, cost in costs.items():
        say(f"{part}: {cost / wall:.1%} of a core, {1000 * cost / tasks:.1f} ms a task")


def asleep(naps, start, end):
    """How many slept between two times, on average."""
    return sum(max(0, min(end, b) - max(start, a)) for a, b in naps) / (end - start)


@contextlib.contextmanager
def pair():
    """Workers at home and in a cluster, and the parts of both."""
    me = psutil.Process()
    with (
        tempfile.TemporaryDirectory() as folder,
        Grid(folder) as grid,
        Crew(PAIR).begin() as home,
        Crew(grid.address).begin() as there,
    ):
        for _ in range(PAIR):
            grid.hire()
        while there.number() < PAIR:
            time.sleep(1)
        played(Pretended(), range(50), home, {})  # which starts its processes
        away = {one.pid for one in (grid.scheduler, *grid.workers)}
        ours = [one for one in me.children() if one.pid not in away]
        theirs = {"owner": [me], "scheduler": [grid.scheduler], "workers": grid.workers}
        yield (home, {"owner": [me], "workers": ours}), (there, theirs)


def overhead(games, rounds, most=0):
    """What a cluster takes over what processes of this machine take."""
    if most:
        loop.MOST, cluster.TASK_SECONDS, Local.task_seconds = most, 1000, 1000  # type: ignore[misc]
    spec = "flatmc:playouts=200"
    contest = SeedGames(make_setup(spec, spec, "olympiad", Rules(size=7, komi=3.5)))
    found = []
    with pair() as both:
        for crew, _ in both:
            played(contest, range(50), crew, {})  # now the kernels are loaded
        for number in range(rounds):
            some = range(number * games, (number + 1) * games)
            found.append([played(contest, some, *one) for one in both])
            say("; ".join(map(costs, found[-1])))
    ratios = [away["cost"] / home["cost"] for home, away in found]
    home, away = (sum(one["cost"] for one in side) for side in zip(*found, strict=True))
    low, high = min(ratios), max(ratios)
    say(
        f"{away / home:.3f} times; a round {statistics.median(ratios):.3f}, {low:.3f} to {high:.3f}"
    )


def costs(found):
    parts = ", ".join(f"{part} {cost:.2f}" for part, cost in found["costs"].items())
    return f"{found['tasks']} tasks: {parts} s"


def task(tasks):
    """What a task costs, and waiting."""
    loop.MOST = 1  # type: ignore[misc]
    with pair() as both:
        (_, theirs) = both[1]
        played(Pretended(), range(50), both[1][0], {})
        before = spent(theirs)
        time.sleep(IDLE)
        idle = {part: (cost - before[part]) / IDLE for part, cost in spent(theirs).items()}
        home, away = (played(Pretended(0.1), range(tasks), *one) for one in both)
    say("idle: " + ", ".join(f"{part} {1000 * cost:.1f}" for part, cost in idle.items()) + " ms/s")
    for where, found in (("here", home), ("in a cluster", away)):
        parts = ", ".join(
            f"{part} {1000 * cost / tasks:.1f}" for part, cost in found["costs"].items()
        )
        say(f"a task {where}: {1000 * found['cost'] / tasks:.1f} ms ({parts})")


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    from tests.support import cluster_load as this  # what it pickles has to be found by others

    what, *rest = sys.argv[1:]
    if what == "slept":
        this.slept(rest[0], int(rest[1]), float(rest[2]), rest[3])
    elif what == "house":
        this.house(rest[0], int(rest[1]))
    else:
        works: dict[str, Callable[..., None]] = {
            "busy": this.busy,
            "task": this.task,
            "overhead": this.overhead,
        }
        works[what](*map(int, rest))
