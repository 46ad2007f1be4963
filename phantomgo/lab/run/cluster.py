"""The workers of a Dask cluster: processes on many machines, which may come and go.

Dask watches the workers and gives the tasks of those that leave to others. This module does what
Dask doesn't: it turns away workers that run other code, names tasks that kill their
workers, and reports tasks that a restarted scheduler has forgotten, which are submitted again.
Only this module imports Dask.
"""

import asyncio
import logging
import os
import pickle
import socket
import threading
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from distributed import Client, KilledWorker, Security, get_worker
from distributed.comm.core import connect
from distributed.utils import LoopRunner

from phantomgo.game.wording import counted
from phantomgo.lab.players.identity import sources
from phantomgo.lab.players.seating import close_engines
from phantomgo.lab.run.contest import Contest, GameNumber
from phantomgo.lab.run.tasks import Deadly, Lost, Stopped, Task, carry_out

TASK_SECONDS: Final = 2.0
"""The shortest task."""
TASKS_A_SECOND: Final = 50
"""Tasks that all workers together should finish per second: each costs the client time."""
RETRIES: Final = 3
"""The number of times that Dask submits a task again that a worker could not begin."""
CONNECT: Final = 60
"""Seconds to wait for a scheduler, at the start and after it has gone."""
SILENCE: Final = 5
"""Seconds after which a message says who is being waited for."""
WATCH: Final = 1.0
"""Seconds between two checks of the cluster's state."""
STRANGERS: Final = 20
"""Workers with other code that are dismissed before any has played; after that a run stops."""
SILENT: Final = logging.CRITICAL + 1
ENGINES: Final = {"engines": 1}
"""The resource that a worker needs to play games of engines, one at a time."""


class Answer(NamedTuple):
    """The answer of a worker to a task.

    Attributes:
        place: the machine and process.
        address: the worker's address in the cluster.
        code: the digest of its sources.
        task: the results, if the code is the client's.
        failure: the traceback, if it failed. Errors travel as values, because Dask's client hangs
            on an exception whose traceback it cannot unpickle.
    """

    place: str
    address: str
    code: str
    task: Task | None = None
    failure: str | None = None


_unpacked = lru_cache(2)(pickle.loads)


def play_games(code: str, contest: bytes, games: Sequence[GameNumber]) -> Answer:
    """Play games on a worker, if its code is the client's."""
    place = f"{socket.gethostname()} process {os.getpid()}"
    answer = Answer(place, get_worker().address, sources())
    if answer.code != code:
        return answer
    try:
        task = carry_out(_unpacked(contest), games)
    except Exception:
        return answer._replace(failure=traceback.format_exc())
    results = [result._replace(place=place) for result in task.results]
    return answer._replace(task=task._replace(results=results))


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask while a cluster is used; important messages go to `note`."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "asyncio")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
        for logger in loggers:
            logger.setLevel(SILENT)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


async def _greet(address: str) -> None:
    """Connect to a scheduler, whose greeting it waits for."""
    arguments = Security().get_connection_args("client")
    comm = await connect(address, timeout=CONNECT, **arguments)
    await comm.close()


@contextmanager
def cluster(address: str, note: Callable[[str], None]) -> Iterator["Cluster"]:
    """The workers of a scheduler; Stopped if none answers."""
    with _quiet():
        waiting = f"workers {address[:60]}: no scheduler answers there yet; it has {CONNECT} s"
        named = threading.Timer(SILENCE, note, [waiting])
        named.daemon = True
        named.start()
        try:
            # A client would wait for ever for a server that takes connections and says nothing.
            LoopRunner().run_sync(_greet, address, callback_timeout=CONNECT)
            client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise Stopped(f"workers {address[:60]}: no scheduler answers there ({error})") from None
        except Exception:  # whatever Dask raises when it misreads another protocol, such as HTTP
            why = "no scheduler answers there, but another server"
            raise Stopped(f"workers {address[:60]}: {why}") from None
        finally:
            named.cancel()
        cluster = Cluster(client, address, note)
        note(f"cluster {address}; dashboard {client.dashboard_link}")
        try:
            yield cluster
        finally:
            cluster.close()


class Cluster:
    """Dask's workers, behind the interface `tasks.Workers`."""

    def __init__(self, client: Any, address: str, note: Callable[[str], None]) -> None:
        self._client, self._address, self._note = client, address, note
        self._code = sources()
        self._remotes: dict[Future[Task], Any] = {}
        self._workers = self._threads = 0
        self._engines = False  # whether any were to play
        self._answered = False  # whether a worker with the client's code has
        self._turned_away = set[str]()
        self._packed: tuple[object, bytes] = (None, b"")
        loop = client.loop.asyncio_loop
        self._watching = asyncio.run_coroutine_threadsafe(self._watch(), loop)

    def close(self) -> None:
        """Leave the cluster."""
        self._watching.cancel()
        self.drop(list(self._remotes))
        if self._engines:
            with suppress(Exception):  # engines end with their workers at the latest
                self._client.run(close_engines, wait=False)
        self._client.close()

    # As workers

    @property
    def task_seconds(self) -> float:
        return max(TASK_SECONDS, self.number() / TASKS_A_SECOND)

    def number(self) -> int:
        return max(1, self._threads)

    def state(self) -> str:
        return counted(self._workers, "worker")

    def submit(self, contest: Contest, games: Sequence[GameNumber]) -> Future[Task]:
        if contest.engines and not self._engines:
            self._engines = True
            self._note("engines play: only on workers started with --resources engines=1")
        if self._packed[0] is not contest:
            self._packed = contest, pickle.dumps(contest)
        task: Future[Task] = Future()
        task.set_running_or_notify_cancel()  # nobody else cancels it
        if self._client.status == "closed":
            raise BrokenExecutor(f"the scheduler {self._address} does not answer any more")
        remote = self._client.submit(
            play_games,
            self._code,
            self._packed[1],
            list(games),
            pure=False,
            retries=RETRIES,
            resources=ENGINES if contest.engines else None,
        )
        self._remotes[task] = remote
        remote.add_done_callback(partial(self._receive, task))
        return task

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        for task in tasks:
            if (remote := self._remotes.get(task)) is not None:
                remote.cancel()

    # Tasks

    def _receive(self, task: Future[Task], remote: Any) -> None:
        """Pass on a worker's answer, in a thread of Dask's."""
        try:
            task.set_result(self._accepted(remote))
        except BaseException as error:
            task.set_exception(error)
        finally:
            del self._remotes[task]

    def _accepted(self, remote: Any) -> Task:
        """The games of a worker that runs the client's code and hasn't failed.

        Raises:
            Lost: the scheduler has forgotten the task, or the worker is turned away.
            Deadly: the task killed its workers.
            BrokenExecutor: no worker can carry it out.
        """
        try:
            answer: Answer = remote.result()
        except KilledWorker as error:
            raise Deadly(error.allowed_failures + 1) from None
        except (CancelledError, OSError):  # the scheduler is gone or was restarted
            raise Lost from None
        except Exception as error:  # the worker could not start it
            raise BrokenExecutor(f"a worker has no phantomgo, or an old one: {error!r}") from None
        if answer.code != self._code:
            self._turn_away(answer)
            if not self._answered and len(self._turned_away) > STRANGERS:
                raise BrokenExecutor("all workers have other code than this process")
            raise Lost
        if answer.failure is not None:
            raise BrokenExecutor(f"{answer.place} failed:\n{answer.failure}")
        self._answered = True
        assert answer.task is not None
        return answer.task

    def _turn_away(self, answer: Answer) -> None:
        """Retire a worker with other code from the cluster."""
        if answer.address not in self._turned_away:
            self._turned_away.add(answer.address)
            code = f"its code is {answer.code[:16]}, not {self._code[:16]}"
            self._note(f"{answer.place} is sent away: {code}")
            with suppress(OSError):
                self._client.retire_workers(workers=[answer.address], close_workers=True)

    # The cluster

    async def _watch(self) -> None:
        """Keep count of the workers, and say when there are none."""
        told = False
        while self._client.status != "closed":
            try:
                scheduler = await self._client.scheduler.identity(n_workers=0)
                self._workers, self._threads = scheduler["n_workers"], scheduler["total_threads"]
            except Exception:
                self._workers = self._threads = 0
            if not self._workers and not told:
                self._note(f"waiting for workers: dask worker {self._address}")
            told = not self._workers
            await asyncio.sleep(WATCH)
