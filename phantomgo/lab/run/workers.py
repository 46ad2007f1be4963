"""Workers: processes of this machine or of a cluster. They are created only here."""

import gc
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from phantomgo.errors import Abandoned, BadText, Interrupted, MissingExtra
from phantomgo.lab.processes import spawned
from phantomgo.lab.run.contest import Contest, GameNumber
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.tasks import Task, Workers, carry_out
from phantomgo.system import cores, signals_delayed
from phantomgo.values import checked_int

T = TypeVar("T")

LOCAL_SECONDS: Final = 0.5


class Local:
    """Any executor of this machine as workers."""

    task_seconds = LOCAL_SECONDS

    def __init__(self, executor: Executor, number: int) -> None:
        self.executor, self._number = executor, number

    def number(self) -> int:
        return self._number

    def submit(self, contest: Contest, games: Sequence[GameNumber]) -> Future[Task]:
        with signals_delayed():
            return self.executor.submit(carry_out, contest, games)

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        wait([task for task in tasks if not task.cancel()])

    def map(
        self, function: Callable[[Any, Any], T], shared: object, items: Sequence[object]
    ) -> Iterator[T]:
        """Yield `function(shared, item)` for each item in order."""
        with signals_delayed():
            results = self.executor.map(partial(function, shared), items)
        yield from results

    def state(self) -> str:
        return ""


@dataclass(frozen=True)
class Run:
    """The workers that play the games of a verb, and the file that stores them.

    Attributes:
        workers: games to play in parallel, or the address of the scheduler of a Dask cluster that
            plays them.
        progress: receives reports of progress.
        store: store the games in this file; the same command resumes from it.

    Raises:
        BadText: this machine can't run that many processes, or it is not an address.
    """

    workers: int | str = 1
    progress: Progress = SILENT
    store: str | Path | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.store, str | Path | None) or "\0" in str(self.store):
            raise BadText(f"store {self.store!r:.60} is not the name of a file")
        if not isinstance(self.progress, Progress):
            raise BadText(f"progress {self.progress!r:.60} is not a Progress")
        if isinstance(self.workers, int):
            checked_int("workers", self.workers, 1, 8 * cores())
        elif not isinstance(self.workers, str) or ":" not in self.workers:
            raise BadText(
                f"workers {self.workers!r:.60} is neither a number of processes nor the address of"
                " a Dask cluster, as tcp://HOST:PORT"
            )

    @contextmanager
    def begin(self) -> Iterator[Workers]:
        """The workers, for a block; a cluster's state is shown next to the progress.

        Work that hasn't begun is dropped if the block raises. Processes end with this one, however
        it ends.

        Raises:
            MissingExtra: Dask is not installed.
            Stopped: no scheduler answers.
            Interrupted: Ctrl-C in the block.
        """
        clustered = isinstance(self.workers, str)
        with self._cluster() if clustered else _processes(int(self.workers)) as workers:
            self.progress.watch(workers.state)
            try:
                yield workers
            except (Abandoned, Interrupted):
                raise
            except KeyboardInterrupt:
                raise Interrupted(None, saved=self.store is not None) from None

    def _cluster(self) -> AbstractContextManager[Workers]:
        try:
            from phantomgo.lab.run.cluster import cluster  # noqa: PLC0415  (Dask, half a second)
        except ModuleNotFoundError as error:
            raise MissingExtra("workers on a cluster", "distributed", "dask") from error
        return cluster(str(self.workers), self.progress.note)


HERE: Final = Run()
"""One game at a time on this machine, without a store or progress reports."""


@contextmanager
def _processes(number: int) -> Iterator[Workers]:
    """Processes on this machine; for one worker, a thread."""
    if number > 1:
        with spawned(number) as pool:
            yield Local(pool, number)
        return
    executor = ThreadPoolExecutor(1)
    wait_for_it = True
    try:
        yield Local(executor, number)
    except Abandoned:
        wait_for_it = False
        raise
    finally:
        executor.shutdown(wait_for_it, cancel_futures=True)


@cache
def spare_the_collector() -> None:
    """Exempt everything loaded so far from garbage collection, once per process.

    Scanning the compiler's objects again and again took a twelfth of a game on 5x5. Collections
    are also made rarer, as games leave hardly any cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000)
