"""Who plays the games: processes of this machine, or of many. Made in this one place."""

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from phantomgo.errors import Abandoned, BadText, PhantomGoError
from phantomgo.lab.contest import Contest, G, Result

T = TypeVar("T")
LOCAL_SECONDS: Final = 0.5


class Stopped(PhantomGoError):
    """Long work does not come to its end; the message says why, and whose fault it was."""


class Lost(Exception):
    """A task came to nothing through no fault of its own: it is to be handed over again."""


class Deadly(Exception):
    """Worker after worker that took a task has died; the message says how many."""


class Task(NamedTuple):
    """The results of some games, in their order, and the seconds they took together."""

    results: list[Result]
    seconds: float


def carry_out(contest: Contest[G], games: Sequence[G]) -> Task:
    """Play games, in a worker."""
    began = time.perf_counter()
    return Task(contest.play(games), time.perf_counter() - began)


class Workers(Protocol):
    """Who plays games."""

    @property
    def task_seconds(self) -> float:
        """How long a task should take: long next to handing it over, short next to losing it."""

    def number(self) -> int:
        """How many tasks are carried out at a time now; at least one."""

    def submit(
        self, contest: Contest[G], games: Sequence[G], apart: str | None = None
    ) -> Future[Task]:
        """Have games played.

        Args:
            contest: what is played.
            games: which games.
            apart: a place to avoid, as results name it, if there is another one.

        Raises:
            BrokenExecutor: nobody plays any more; the future may raise it as well, or Lost or
                Deadly.
        """

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        """Take back what nobody has begun, and see that the rest disturbs nobody."""

    def map(
        self, function: Callable[[Any, Any], T], shared: object, items: Sequence[object]
    ) -> Iterator[T]:
        """`function(shared, item)` for each item, in their order; `shared` travels once."""

    def state(self) -> str:
        """How they are, in a few words; nothing of processes of this machine."""


class Local:
    """Any executor of this machine as workers."""

    task_seconds = LOCAL_SECONDS

    def __init__(self, executor: Executor, number: int) -> None:
        self.executor, self._number = executor, number

    def number(self) -> int:
        return self._number

    def submit(
        self, contest: Contest[G], games: Sequence[G], apart: str | None = None
    ) -> Future[Task]:
        del apart  # all are this machine
        return self.executor.submit(carry_out, contest, games)

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        wait([task for task in tasks if not task.cancel()])

    def map(
        self, function: Callable[[Any, Any], T], shared: object, items: Sequence[object]
    ) -> Iterator[T]:
        return self.executor.map(partial(function, shared), items)

    def state(self) -> str:
        return ""


def cores() -> int:
    """How many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked_jobs(jobs: int) -> int:
    """The number that `--jobs` asks for.

    Raises:
        BadText: this machine is not for so many.
    """
    if not 1 <= jobs <= 8 * cores():
        raise BadText(f"--jobs {jobs} is not from 1 to {8 * cores()} on this machine")
    return jobs


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """So many processes; for one job, a thread of this process.

    Work not yet begun is dropped when the block is left by an exception. The processes end with
    this one however it ends.
    """
    executor: Executor
    if jobs == 1:
        executor = ThreadPoolExecutor(1)
    else:
        # Spawned, not forked: threads and compiled code survive a fork badly.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, context, initializer=_begin_worker)
    wait_for_them = True
    try:
        yield Local(executor, jobs)
    except Abandoned:
        wait_for_them = False
        raise
    finally:
        executor.shutdown(wait_for_them, cancel_futures=True)


@cache
def spare_the_collector() -> None:
    """Keep all that is loaded by now out of the garbage collector's rounds, once in a process.

    Above all the compiler: to look through it again and again took a twelfth of a game on 5x5.
    The rounds themselves are rarer, as games leave hardly any cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def _begin_worker() -> None:
    """Leave Ctrl-C to the main process, and do not outlive it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
