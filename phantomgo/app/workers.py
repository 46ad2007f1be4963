"""Processes that work in parallel, and the game they play: one seed against another."""

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache

import bots
from phantomgo.errors import BadText
from phantomgo.game import play_game
from phantomgo.rules import Rules


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
def workers(jobs: int) -> Iterator[Executor]:
    """An executor of `jobs` processes; for one job, of a thread in this process.

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
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def play_seeds(rules: Rules, black: str, white: str, black_seed: int, white_seed: int) -> str:
    """Play one game between two bot specs with these seeds; the result as GTP writes it."""
    record = play_game(rules, bots.make(black, black_seed), bots.make(white, white_seed))
    spare_the_collector()
    return record.outcome.result


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
