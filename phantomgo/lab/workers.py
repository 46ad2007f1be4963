"""Who plays the games: processes of this machine, or any other executor. Made in this one place."""

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from phantomgo.errors import Abandoned, BadText


class Workers(NamedTuple):
    """Where games are played.

    Attributes:
        executor: takes the tasks.
        number: how many it carries out at a time.
    """

    executor: Executor
    number: int


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
    wait = True
    try:
        yield Workers(executor, jobs)
    except Abandoned:
        wait = False
        raise
    finally:
        executor.shutdown(wait, cancel_futures=True)


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
