"""Tasks: games handed to a worker together. What the one loop asks of whoever plays."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol, TypeVar

from phantomgo.errors import PhantomGoError
from phantomgo.lab.run.contest import Contest, G, Result

T = TypeVar("T")


class Stopped(PhantomGoError):
    """Long work does not come to its end; the message says why, and whose fault it was."""


class Lost(Exception):
    """A task failed through no fault of its own and has to be handed out again."""


class Deadly(Exception):
    """Several workers that took a task have died, one after another."""

    def __init__(self, workers: int) -> None:
        super().__init__(f"{workers} workers have died with it")
        self.workers = workers


class Task(NamedTuple):
    """The results of some games, in their order, and the seconds they took together."""

    results: list[Result]
    seconds: float


def carry_out(contest: Contest[G], games: Sequence[G]) -> Task:
    """Play games, in a worker."""
    began = time.perf_counter()
    return Task(contest.play(games), time.perf_counter() - began)


class Workers(Protocol):
    """Workers play games."""

    @property
    def task_seconds(self) -> float:
        """Seconds that a task should take: long beside its overhead, short beside its loss."""

    def number(self) -> int:
        """The number of tasks carried out at a time; at least one."""

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
        """The workers' state in a few words; empty for processes of this machine."""
