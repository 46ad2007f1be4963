"""Tasks: games handed to a worker together. The interface between the loop and the workers."""

import time
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from typing import Final, NamedTuple, Protocol

from phantomgo.errors import PhantomGoError
from phantomgo.lab.run.contest import Contest, GameNumber, Result

SHARED: Final = 3
"""The largest ratio of elapsed to processor time of a task that waits for no other program."""


class Stopped(PhantomGoError):
    """Long work cannot be finished; the message names the cause."""


class Lost(Exception):
    """A task failed through no fault of its own and has to be submitted again."""


class Deadly(Exception):
    """Several workers that took a task have died, one after another."""

    def __init__(self, workers: int) -> None:
        super().__init__(f"{workers} workers have died with it")
        self.workers = workers


class Task(NamedTuple):
    """The results of some games, in their order, and the seconds they took together."""

    results: list[Result]
    seconds: float


def carry_out(contest: Contest, games: Sequence[GameNumber]) -> Task:
    """Play games, in a worker, and time them.

    Tasks are sized by processor time, so that they don't shrink on a busy machine. Games that wait
    for other programs use little of it, so at least a third of the elapsed time counts.
    """
    began, busy = time.perf_counter(), time.thread_time()
    results = contest.play(games)
    return Task(results, max(time.thread_time() - busy, (time.perf_counter() - began) / SHARED))


class Workers(Protocol):
    """Processes or threads that play games."""

    @property
    def task_seconds(self) -> float:
        """Seconds that a task should take: far above its overhead, and short enough to lose."""

    def number(self) -> int:
        """The number of tasks carried out at a time; at least one."""

    def submit(self, contest: Contest, games: Sequence[GameNumber]) -> Future[Task]:
        """Submit games.

        Raises:
            BrokenExecutor: no workers are left; the future may raise it as well, or Lost or
                Deadly.
        """

    def drop(self, tasks: Collection[Future[Task]]) -> None:
        """Cancel tasks that haven't begun, and wait for the others if they would be in the way."""

    def state(self) -> str:
        """The workers' state in a few words; empty for processes of this machine."""
