"""The workers of a Dask cluster: processes on many machines, which may come and go.

Dask watches the workers and reassigns the tasks of those that leave. This module does what Dask
doesn't: it rejects workers that run other code, finds tasks that kill their workers, and submits
everything again to a restarted scheduler. Dask is imported here and in remote.py alone.
"""

import asyncio
import logging
import pickle
import uuid
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeAlias

import dask
from distributed import Client, KilledWorker, LocalCluster

from phantomgo.errors import BadText
from phantomgo.lab.identity import sources
from phantomgo.lab.players import close_engines
from phantomgo.lab.run.contest import Contest, G
from phantomgo.lab.run.remote import Answer, apply, perform
from phantomgo.lab.run.tasks import Deadly, Lost, Stopped, T, Task
from phantomgo.wording import counted

TASK_SECONDS: Final = 2.0
"""The shortest task."""
TASKS_A_SECOND: Final = 50
"""Tasks that all workers together should finish per second: each costs the client time."""
LATE: Final = 3
"""A task that takes this many times its expected time is also given to an idle worker."""
CONNECT: Final = 60
"""Seconds to wait for a scheduler, at the start and after it has gone."""
WATCH: Final = 1.0
"""Seconds between two checks of the cluster's state."""
LOCAL: Final = "local:"
SETTINGS: Final = {
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.scheduler.allowed-failures": 10,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
}
"""Settings of `local:N`, recommended for all clusters by docs/cluster.md: hanging workers are given
up sooner, a task may kill more workers, and workers monitor themselves less often."""
MOST_LOCAL: Final = 1000
STRANGERS: Final = 20
"""Workers with other code that are dismissed before any has played; after that a run stops."""
SILENT: Final = logging.CRITICAL + 1
ENGINES: Final = {"engines": 1}
"""The resource that a worker needs for games of engines, one such game at a time."""
warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)

Found: TypeAlias = tuple[str, str, Any]
"""A worker's place and address, and its result."""


@contextmanager
def cluster(address: str, note: Callable[[str], None]) -> Iterator["Cluster"]:
    """The workers of a scheduler, or of `local:N`, which is started and ended here.

    Raises:
        BadText: this is not an address.
        Stopped: no scheduler answers.
    """
    for name in ("distributed", "distributed.client", "asyncio"):  # what matters goes to `note`
        logging.getLogger(name).setLevel(SILENT)
    if address.startswith(LOCAL):
        number = address.removeprefix(LOCAL)
        if not (number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= MOST_LOCAL):
            raise BadText(f"workers {address[:60]}: N of local:N is from 1 to {MOST_LOCAL}")
        with (
            dask.config.set(SETTINGS),
            LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                resources=ENGINES,
                silence_logs=SILENT,
            ) as ours,
            _connected(ours.scheduler_address, note) as found,
        ):
            yield found
    else:
        with _connected(address, note) as found:
            yield found


@contextmanager
def _connected(address: str, note: Callable[[str], None]) -> Iterator["Cluster"]:
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Stopped(f"workers {address[:60]}: no scheduler answers there ({error})") from None
    found = Cluster(client, address, note)
    note(f"cluster {address}; dashboard {client.dashboard_link}")
    try:
        yield found
    finally:
        found.close()


class _Failed(Exception):
    """One worker failed at a task; another may succeed."""

    def __init__(self, place: str, address: str, traceback: str) -> None:
        super().__init__(f"{place} failed:\n{traceback}")
        self.place, self.address = place, address
        self.reason = traceback.strip().rpartition("\n")[2]


class _Shared:
    """Data shared by many tasks, sent to the cluster once."""

    def __init__(self, content: object) -> None:
        self.content = pickle.dumps(content)
        self.remote: Any = None


class Cluster:
    """Dask's workers, behind the interface `tasks.Workers`."""

    def __init__(self, client: Any, address: str, note: Callable[[str], None]) -> None:
        self._client, self._address, self._note = client, address, note
        self._code = sources()
        self._running: dict[Future[Any], Future[None]] = {}
        self._games: dict[str, int] = {}
        self._places: dict[str, str] = {}
        self._workers = self._threads = self._lost = 0
        self._engines = self._good = False
        self._gone = set[str]()
        self._packed: tuple[object, bytes] = (None, b"")
        self._watching = self._in_loop(self._watch())

    def _in_loop(self, coroutine: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._client.loop.asyncio_loop)

    def close(self) -> None:
        """Leave the cluster."""
        self._watching.cancel()
        self.drop(list(self._running))
        if self._engines:
            with suppress(Exception):  # engines end with their workers at the latest
                self._client.run(close_engines, wait=False)
        with suppress(ValueError):
            self._client.unsubscribe_topic("all")
        self._client.close()

    # As workers

    @property
    def task_seconds(self) -> float:
        return max(TASK_SECONDS, self.number() / TASKS_A_SECOND)

    def number(self) -> int:
        return max(1, self._threads)

    def state(self) -> str:
        lost = f", {counted(self._lost, 'game')} lost with workers" if self._lost else ""
        return counted(self._workers, "worker") + lost

    def submit(
        self, contest: Contest[G], games: Sequence[G], apart: str | None = None
    ) -> Future[Task]:
        if contest.engines and not self._engines:
            self._engines = True
            self._note("engines play: only on workers started with --resources engines=1")
        return self._begin(self._play(contest, list(games), apart))

    def drop(self, tasks: Collection[Future[Any]]) -> None:
        for task in tasks:
            work = self._running.get(task)
            if work is not None:
                work.cancel()

    def map(
        self, function: Callable[[Any, Any], T], shared: object, items: Sequence[object]
    ) -> Iterator[T]:
        common = _Shared(shared)
        tasks = [self._begin(self._apply(function, common, item)) for item in items]
        try:
            for task in tasks:
                yield task.result()
        except BrokenExecutor as error:
            raise Stopped(str(error)) from None
        finally:
            self.drop(tasks)

    # Tasks

    def _begin(self, work: Any) -> Future[Any]:
        """Run a coroutine; return its result as a future that can't be cancelled."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self._running[future] = self._in_loop(self._finish(future, work))
        future.add_done_callback(self._running.pop)
        return future

    async def _finish(self, future: Future[Any], work: Any) -> None:
        try:
            found = await work
        except asyncio.CancelledError:
            future.set_exception(Lost())
            raise
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(found)

    async def _play(self, contest: Contest[G], games: Sequence[G], apart: str | None) -> Task:
        options: dict[str, Any] = {"resources": ENGINES} if contest.engines else {}
        others = [where for place, where in self._places.items() if apart not in (None, place)]
        if others:
            options |= {"workers": others, "allow_other_workers": True}
        arguments = self._pack(contest), games
        place, address, task = await self._call(len(games), perform, *arguments, **options)
        self._places[place] = address
        found: Task = task
        results = [result._replace(place=place) for result in found.results]
        return found._replace(results=results)

    def _pack(self, contest: Contest[G]) -> bytes:
        if self._packed[0] is not contest:
            self._packed = contest, pickle.dumps(contest)
        return self._packed[1]

    async def _apply(self, function: Callable[[Any, Any], T], shared: _Shared, item: object) -> T:
        while True:
            if shared.remote is None or shared.remote.cancelled():
                # A task, because scattered data is lost with the last worker that holds it.
                shared.remote = self._client.submit(bytes, shared.content, pure=False)
            try:
                found: T = (await self._call(0, apply, function, shared.remote, item))[2]
            except Lost:
                await asyncio.sleep(WATCH)
            except Deadly as error:
                raise BrokenExecutor(f"a task kills its workers: {error}") from None
            else:
                return found

    async def _call(
        self, games: int, function: Callable[..., Answer], *arguments: Any, **options: Any
    ) -> Found:
        """Run a function on some worker; return the worker and the result.

        A hanging worker must not hold up the rest, so a late call is submitted again, and once more
        after twice the time, while there are idle workers; the first answer counts. If a worker
        fails it is dismissed and another one tries; if two fail, the task is to blame.

        Args:
            games: the number of games that are lost if the worker dies.
            function: the function.
            arguments: its arguments.
            options: options for Dask's `submit`.

        Raises:
            Lost: it was not run: the scheduler has forgotten it, or the worker was rejected.
            Deadly: it killed its workers.
            BrokenExecutor: no worker can run it.
        """
        calls: set[asyncio.Task[Found]] = set()
        patience, failed = LATE * self.task_seconds, ""
        try:
            while True:
                if not calls or len(self._games) < self._threads:
                    once = self._call_once(games, function, *arguments, **options)
                    calls.add(asyncio.ensure_future(once))
                done, _ = await asyncio.wait(
                    calls, timeout=patience, return_when=asyncio.FIRST_COMPLETED
                )
                for call in done:
                    try:
                        return call.result()
                    except _Failed as error:
                        if failed not in ("", error.address) or self._workers < 2:
                            raise BrokenExecutor(str(error)) from None
                        failed = error.address
                        await self._send_away(error.place, failed, f"set aside: {error.reason}")
                calls -= done
                if not done:
                    patience *= 2
        finally:
            for call in calls:
                call.cancel()

    async def _call_once(
        self, games: int, function: Callable[..., Answer], *arguments: Any, **options: Any
    ) -> Found:
        if self._client.status == "closed":
            raise BrokenExecutor(f"the scheduler {self._address} does not answer any more")
        key = f"phantomgo-{uuid.uuid4().hex}"
        self._games[key] = games
        remote = self._client.submit(function, self._code, *arguments, key=key, **options)
        try:
            answer: Answer = (await self._client.gather([remote], asynchronous=True))[0]
        except KilledWorker as error:
            raise Deadly(error.allowed_failures + 1) from None
        except (CancelledError, OSError):  # the scheduler is gone or was restarted
            await asyncio.sleep(WATCH)
            raise Lost from None
        except Exception as error:  # the worker could not start it
            raise BrokenExecutor(f"a worker has no phantomgo, or an old one: {error!r}") from None
        finally:
            remote.release()
            del self._games[key]
        place, address, code, found, wrong = answer
        if code != self._code:
            here = f"sent away: its code is {code[:16]}, not {self._code[:16]}"
            await self._send_away(place, address, here)
            if not self._good and len(self._gone) > STRANGERS:
                raise BrokenExecutor("all workers have other code than this process")
            raise Lost
        if wrong is not None:
            raise _Failed(place, address, wrong)
        self._good = True
        return place, address, found

    async def _send_away(self, place: str, address: str, how: str) -> None:
        """Retire a worker from the cluster."""
        if address in self._gone:
            await asyncio.sleep(WATCH)
            return
        self._gone.add(address)
        self._note(f"{place} is {how}")
        with suppress(OSError):
            await self._client.scheduler.retire_workers(workers=[address], close_workers=True)

    # The cluster

    async def _watch(self) -> None:
        """Keep count of the workers, and notice a restarted scheduler."""
        scheduler, told = None, False
        while self._client.status != "closed":
            try:
                found = await self._client.scheduler.identity(n_workers=0)
            except Exception:
                self._workers = self._threads = 0
            else:
                self._workers, self._threads = found["n_workers"], found["total_threads"]
                if found["id"] != scheduler:
                    if scheduler is not None:
                        self._note("the scheduler is a new one; its tasks are handed over again")
                    scheduler = found["id"]
                    self._client.subscribe_topic("all", self._happened)
            if not self._workers and not told:
                self._note(f"waiting for workers: dask worker {self._address}")
            told = not self._workers
            await asyncio.sleep(WATCH)
        for work in list(self._running.values()):
            work.cancel()

    def _happened(self, event: tuple[float, dict[str, Any]]) -> None:
        message = event[1]
        if message.get("action") == "remove-worker":
            gone = message["worker"]
            self._lost += sum(self._games.get(key, 0) for key in message["processing-tasks"])
            self._places = {place: at for place, at in self._places.items() if at != gone}
