"""Workers: processes of this machine or of a cluster. They are created only here."""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final

from phantomgo.checks import cores, whole
from phantomgo.errors import Abandoned, Interrupted, MissingExtra
from phantomgo.lab.run.contest import Contest, G
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.tasks import T, Task, Workers, carry_out

LOCAL_SECONDS: Final = 0.5


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
        del apart  # there is one place, this machine
        with _ctrl_c_held_back():
            return self.executor.submit(carry_out, contest, games)

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        wait([task for task in tasks if not task.cancel()])

    def map(
        self, function: Callable[[Any, Any], T], shared: object, items: Sequence[object]
    ) -> Iterator[T]:
        if not isinstance(self.executor, ProcessPoolExecutor):  # threads need no copy
            yield from self.executor.map(partial(function, shared), items)
            return
        with tempfile.TemporaryDirectory(prefix="phantomgo-") as folder:
            file = Path(folder, "shared")
            file.write_bytes(pickle.dumps(shared))
            with _ctrl_c_held_back():
                results = self.executor.map(partial(_apply, function, file), items)
            yield from results

    def state(self) -> str:
        return ""


def _apply(function: Callable[[Any, Any], T], file: Path, item: object) -> T:
    """Call a function with the value in a file and an item, in a worker."""
    return function(_loaded(file), item)


@lru_cache(maxsize=1)
def _loaded(file: Path) -> Any:
    """The value shared by the tasks of a `map`, read once by each worker."""
    return pickle.loads(file.read_bytes())


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Block SIGINT in this block; processes started in it inherit that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def checked_jobs(jobs: int) -> int:
    """The number of processes, checked.

    Raises:
        BadText: this machine can't run that many.
    """
    return whole("jobs", jobs, 1, 8 * cores())


@contextmanager
def workers(
    jobs: int, dask: str | None = None, note: Callable[[str], None] = lambda _: None
) -> Iterator[Workers]:
    """Workers for a block: processes, a thread for one job, or those of a Dask cluster.

    Work that hasn't begun is dropped if the block raises. The processes end with this one, however
    it ends.

    Args:
        jobs: the number of processes.
        dask: the address of a scheduler, or `local:N`; `jobs` is ignored then.
        note: receives messages on the state of a cluster.

    Raises:
        BadText: `dask` is not an address.
        MissingExtra: Dask is not installed.
        Stopped: no scheduler answers.
    """
    if dask is not None:
        try:
            from phantomgo.lab.run.cluster import cluster  # noqa: PLC0415  (Dask, half a second)
        except ModuleNotFoundError as error:
            raise MissingExtra("--dask", "distributed", "dask") from error
        with cluster(dask, note) as many:
            yield many
        return
    executor: Executor
    if jobs == 1:
        executor = ThreadPoolExecutor(1)
    else:
        # Spawned, not forked: threads and compiled code survive a fork badly.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(jobs, context, initializer=begin_worker)
    wait_for_them = True
    try:
        yield Local(executor, jobs)
    except Abandoned:
        wait_for_them = False
        raise
    finally:
        executor.shutdown(wait_for_them, cancel_futures=True)


@contextmanager
def crew(
    jobs: int, dask: str | None, progress: Progress, store: str | Path | None = None
) -> Iterator[Workers]:
    """Workers for a verb, whose progress shows the cluster's state; the arguments are the verb's.

    With a store, the same call resumes from it.

    Raises:
        BadText: this machine can't run that many jobs, or `dask` is not an address.
        Interrupted: Ctrl-C in the block.
    """
    with workers(checked_jobs(jobs), dask, progress.note) as found:
        progress.watch(found.state)
        try:
            yield found
        except (Abandoned, Interrupted):
            raise
        except KeyboardInterrupt:
            raise Interrupted(None, saved=store is not None) from None


@cache
def spare_the_collector() -> None:
    """Exempt everything loaded so far from garbage collection, once per process.

    Scanning the compiler's objects again and again took a twelfth of a game on 5x5. Collections
    are also made rarer, as games leave hardly any cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)


def begin_worker() -> None:
    """Prepare a worker process: it ignores Ctrl-C, prints nothing and ends with the main process.

    It was started with SIGINT blocked, as one would kill it during its imports.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what somebody's own bot prints
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
