"""Worker processes on this machine, which end with this process, however it ends."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Final

from phantomgo.errors import Abandoned
from phantomgo.system import unblock_interrupts

ENDING: Final = 1.0
"""Seconds after Ctrl-C until processes that are still at work are killed."""
QUIET: Final = "ignore:resource_tracker:UserWarning"
"""An option of Python."""


@contextmanager
def spawned(number: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of worker processes for a block; after Ctrl-C they end within seconds.

    The processes and their engines shut down in order, unless they are still at work then.
    """
    executor = process_pool(number, begin_worker)
    try:
        yield executor
    except KeyboardInterrupt as error:
        processes = [*(executor._processes or {}).values()]
        killer = threading.Timer(0 if isinstance(error, Abandoned) else ENDING, kill, [processes])
        killer.start()
        try:
            executor.shutdown(cancel_futures=True)
        except KeyboardInterrupt:
            kill(processes)
            raise Abandoned from None
        finally:
            killer.cancel()
        raise
    except BaseException:
        executor.shutdown(cancel_futures=True)
        raise
    executor.shutdown()


def process_pool(
    number: int, initializer: Callable[..., None], *arguments: object
) -> ProcessPoolExecutor:
    """Return a pool of processes, each of which starts with this call.

    They are spawned, not forked: threads and compiled code survive a fork badly. Python's helper
    that removes their semaphores warns of those that a killed or interrupted process has left to
    it, which is its purpose, and nobody's fault.
    """
    if QUIET not in sys.warnoptions:
        sys.warnoptions.append(QUIET)  # the helper is started with these options
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(number, context, initializer=initializer, initargs=arguments)


def kill(processes: Iterable[BaseProcess]) -> None:
    """Kill processes that may be at work, as a game cannot be interrupted.

    From Python 3.14 on pools have a method for it.
    """
    for process in processes:
        process.kill()


def begin_worker() -> None:
    """Prepare a worker process: it ignores Ctrl-C, prints nothing and ends with the main process.

    It was started with SIGINT blocked, as one would kill it during its imports.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what somebody's own bot prints
    unblock_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
