"""Services that not every operating system has, with substitutes.

Linux and macOS have them all. Elsewhere, as on Windows, bots play, learn and serve; engines, which
are other programs, need process groups and pipes as POSIX has them (gtp/channel.py).
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]
try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

UNBOUNDED: Final = 512
"""Open files and connections that a system without limits of its own is sure to allow."""


def cores() -> int:
    """The number of processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lock(file: IO[Any]) -> None:
    """Lock a file for this process until it is closed.

    Without locks nothing keeps a second process out.

    Raises:
        BlockingIOError: another process has it.
        OSError: its file system has no locks.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def after_fork(function: Callable[[], object]) -> None:
    """Have every child process call a function; without forks there are none."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def user() -> int:
    """The number of the user; 0 where users have none."""
    return os.getuid() if hasattr(os, "getuid") else 0


def open_files(most: int) -> int:
    """Raise the limit of open files and connections to this number, or as far as permitted."""
    if resource is None:
        return min(most, UNBOUNDED)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = most if hard == resource.RLIM_INFINITY else min(hard, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


@contextmanager
def signals_delayed() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until this block has ended; processes are started in it.

    They inherit SIGINT blocked, as Python loses one, or dies of it, before a process has its
    handler. A process whose parent ends before it has sent what to do prints a traceback.
    """
    with _interrupts_blocked(), _termination_delayed():
        yield


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _termination_delayed() -> Iterator[None]:
    """Only the main thread can do it, and only if the handler is Python's, or it could not be
    restored. Blocked, the signal would go to a thread of a library.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is None:
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        for number in came:
            signal.raise_signal(number)


def unblock_interrupts() -> None:
    """Let SIGINT reach this process, which may have been started with it blocked."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def stand_aside(nice: int) -> None:
    """Let other processes go first, also those of other sessions."""
    if hasattr(os, "nice"):
        os.nice(nice)
    # Linux may share processors out among sessions first: here the parent's share would be used up.
    if hasattr(os, "setsid"):
        os.setsid()
        try:
            with open("/proc/self/autogroup", "w", encoding="ascii") as file:
                file.write(str(nice))
        except OSError:
            pass


@contextmanager
def deadline(processor: float, passed: float) -> Iterator[None]:
    """End this process, even in compiled code, if the block takes more seconds than these.

    The default actions of the timers' signals do it. Without such timers nothing bounds the block.

    Args:
        processor: seconds of processor time.
        passed: seconds of elapsed time.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    timers = {signal.ITIMER_PROF: processor, signal.ITIMER_REAL: passed}
    for timer, seconds in timers.items():
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
