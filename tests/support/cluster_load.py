"""What a cluster costs beside its games, and how busy one owner keeps its workers.

    python -m tests.support.cluster_load overhead GAMES ROUNDS [MOST]

plays so many games of flatmc on 7x7, one by one, in turn with two processes of this machine and
with a scheduler and two workers, and prints the processor time that all of them took, once they
were there. MOST is how many games a task has, for both; as many as usual if nothing is said.

    python -m tests.support.cluster_load task TASKS

has tasks of one game done that takes no time, and prints what a task costs here and in a cluster of
one worker, and what that cluster costs while nothing happens. On a machine busy with other things
only this can be told: next to games that take long, what a cluster does all the time is much.

    python -m tests.support.cluster_load busy WORKERS GAMES MILLISECONDS

has so many workers of Dask sleep through so many games. The workers share a few processes, as they
compute nothing; owner and scheduler are processes of their own.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import time

import psutil
from distributed import Client, Worker

from phantomgo.lab import cluster
from phantomgo.lab import run as loop
from phantomgo.lab.contest import Result
from phantomgo.lab.seeds import SeedGames, make_setup
from phantomgo.lab.store import Store
from phantomgo.lab.study import Listed
from phantomgo.lab.workers import Local, workers
from phantomgo.rules import Rules
from tests.support.grid import Grid, Pretended
from tests.support.places import ROOT

HOUSED = 25
"""Workers in a process."""
CALM = {
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1000s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}
"""What each worker does beside its tasks, which 25 in one process would do 25 times."""
PARTS = ("owner", "scheduler", "workers")


class Slept(Pretended):
    """Games that are slept through, those of a task in one go."""

    def play(self, games):
        time.sleep(self.seconds * len(games))
        return [Result("B+R") for _ in games]


def slept(address, games, seconds):
    """Be the owner of games that are slept through."""
    with workers(1, address) as crew:
        say(json.dumps(played(Slept(seconds), range(games), crew, [psutil.Process()])))


def played(contest, games, crew, processes):
    """What it took these processes to have so many games played."""
    tasks, begin = [], crew.submit
    crew.submit = lambda *what: tasks.append(what) or begin(*what)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(f"{folder}/m.db", contest.players, contest.terms) as store,
    ):
        began, before = time.perf_counter(), spent(processes)
        loop.run(Listed((game // 1000, game % 1000) for game in games), contest, crew, store)
        wall, cpu = time.perf_counter() - began, spent(processes) - before
    crew.submit = begin
    return {"wall": wall, "owner": cpu, "tasks": len(tasks)}


def house(address, number):
    """Be so many workers until they are ended."""

    async def stay():
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(number):
                await stack.enter_async_context(Worker(address, nthreads=1))
            await asyncio.Event().wait()

    asyncio.run(stay())


def begun(*words, environment=None):
    """This script in a process of its own."""
    command = [sys.executable, "-m", "tests.support.cluster_load", *map(str, words)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def spent(processes):
    """Seconds of processor time of these processes so far."""
    times = [psutil.Process(process.pid).cpu_times() for process in processes]
    return sum(one.user + one.system for one in times)


def busy(number, games, milliseconds):
    """How busy so many workers are, and what a task costs each part."""
    seconds = milliseconds / 1000
    with tempfile.TemporaryDirectory() as folder, Grid(folder, CALM) as grid:
        houses = [HOUSED] * (number // HOUSED) + [number % HOUSED] * (number % HOUSED > 0)
        grid.workers = [
            begun("house", grid.address, n, environment=grid.environment) for n in houses
        ]
        with Client(grid.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(number)
        before = spent([grid.scheduler]), spent(grid.workers)
        found = json.loads(begun("slept", grid.address, games, seconds).communicate()[0])
        after = spent([grid.scheduler]), spent(grid.workers)
    found["scheduler"], found["workers"] = (b - a for a, b in zip(before, after, strict=True))
    wall, tasks = found["wall"], found["tasks"]
    share = games * seconds / number / wall
    say(f"{wall:.0f} s, {share:.0%} busy; {tasks} tasks, {tasks / wall:.0f} a second")
    for part in PARTS:
        cost = found[part]
        say(f"{part}: {cost:.1f} s of processor time, {1000 * cost / tasks:.1f} ms a task")


def overhead(games, rounds, most=0):
    """What a cluster takes over what processes of this machine take."""
    if most:
        loop.MOST, cluster.TASK_SECONDS, Local.task_seconds = most, 1000, 1000
    spec, me = "flatmc:playouts=200", psutil.Process()
    contest = SeedGames(make_setup(spec, spec, "olympiad", Rules(size=7, komi=3.5)))
    with (
        tempfile.TemporaryDirectory() as folder,
        Grid(folder) as grid,
        workers(2) as home,
        workers(1, grid.address) as there,
    ):
        for _ in range(2):
            grid.hire()
        while there.number() < 2:
            time.sleep(1)
        for crew in (there, home):
            played(contest, range(50), crew, [])  # now the kernels are loaded
        theirs = [me, grid.scheduler, *grid.workers]
        ours = [me, *(one for one in me.children() if one.pid not in {p.pid for p in theirs})]
        for number in range(rounds):
            some = range(number * games, (number + 1) * games)
            found = [played(contest, some, *two) for two in ((home, ours), (there, theirs))]
            here, away = (one["owner"] for one in found)
            say(
                f"{here:.1f} and {away:.1f} s, {away / here:.3f} times;"
                f" {found[0]['tasks']} and {found[1]['tasks']} tasks"
            )


def task(tasks):
    """What a task costs, and waiting."""
    loop.MOST, me, seconds = 1, psutil.Process(), 20
    with (
        tempfile.TemporaryDirectory() as folder,
        Grid(folder) as grid,
        workers(2) as home,
        workers(1, grid.address) as there,
    ):
        grid.hire()
        for crew in (there, home):
            played(Pretended(), range(20), crew, [])
        theirs = [me, grid.scheduler, *grid.workers]
        ours = [me, *(one for one in me.children() if one.pid not in {p.pid for p in theirs})]
        before = spent(theirs)
        time.sleep(seconds)
        idle = (spent(theirs) - before) / seconds
        here, away = (
            played(Pretended(), range(tasks), *two) for two in ((home, ours), (there, theirs))
        )
    say(f"idle: {1000 * idle:.1f} ms of processor time a second")
    say(f"a task here: {1000 * here['owner'] / tasks:.2f} ms")
    cost = away["owner"] - idle * away["wall"]
    say(f"a task in a cluster: {1000 * cost / tasks:.2f} ms beside that")


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "slept":
        slept(rest[0], int(rest[1]), float(rest[2]))
    elif what == "house":
        house(rest[0], int(rest[1]))
    elif what == "busy":
        busy(*map(int, rest))
    elif what == "task":
        task(int(rest[0]))
    else:
        overhead(*map(int, rest))
