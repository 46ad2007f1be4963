"""The only loop that has games played: issues them, waits, saves, stops."""

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import Final, Generic, NamedTuple

from phantomgo.errors import Abandoned, PhantomGoError
from phantomgo.lab.contest import Contest, G, Result
from phantomgo.lab.progress import SILENT, Advance, Progress
from phantomgo.lab.store import Results
from phantomgo.lab.study import Study
from phantomgo.lab.workers import Workers
from phantomgo.wording import counted

TASK_SECONDS: Final = 0.5
"""How long a task should take: long next to handing it over, short next to losing it."""
MOST: Final = 256
"""Games to a task."""
AT_HAND: Final = 2
"""Tasks handed over for each worker: the one it carries out, and the next one."""
MAX_VOIDS: Final = 3
"""Void games in a row, after which a run stops."""


class Stopped(PhantomGoError):
    """Games do not come about; the message says why, and whose fault it was."""


class Task(NamedTuple):
    """The results of some games, in their order, and the seconds they took together."""

    results: list[Result]
    seconds: float


def carry_out(contest: Contest[G], games: Sequence[G]) -> Task:
    """Play games, in a worker."""
    began = time.perf_counter()
    return Task(contest.play(games), time.perf_counter() - began)


def run(
    study: Study[G],
    contest: Contest[G],
    workers: Workers,
    store: Results[G],
    *,
    progress: Progress = SILENT,
    advance: Advance = lambda _: None,
    kept: Callable[[Sequence[tuple[G, Result]]], None] = lambda _: None,
) -> int:
    """Have the games played that a study asks for, until it has no more or is settled.

    Every result is saved before it counts. Whatever stops a run, running it again over the same
    store comes to the same end.

    Args:
        study: who asks.
        contest: what is played.
        workers: who plays.
        store: the results there are, and where new ones go.
        progress: told of void games, and of what is being finished after Ctrl-C.
        advance: told the number of games just saved.
        kept: told the games just saved.

    Returns:
        How many games were played now.

    Raises:
        Stopped: too many games in a row were void, or a worker was killed.
        KeyboardInterrupt: Ctrl-C; what was being played then has been saved.
        Abandoned: Ctrl-C again; it has not.
    """
    loop = _Loop(study, contest, workers, store, progress, advance, kept)
    try:
        while loop.ask_and_tell():
            loop.hand_over()
            loop.take_back()
    except KeyboardInterrupt:
        loop.finish()
        raise
    except BrokenExecutor as error:
        raise Stopped(
            "a process that played was killed; the finished games are kept, and the same command"
            " plays the rest"
        ) from error
    finally:
        loop.drop()
    return loop.played


class _Loop(Generic[G]):
    """One run.

    Every game is in `asked` from being asked for to being told. Until its result is known it is
    in `todo` or in one of the tasks of `pending` as well.
    """

    def __init__(
        self,
        study: Study[G],
        contest: Contest[G],
        workers: Workers,
        store: Results[G],
        progress: Progress,
        advance: Advance,
        kept: Callable[[Sequence[tuple[G, Result]]], None],
    ) -> None:
        self._study, self._contest, self._workers, self._store = study, contest, workers, store
        self._progress, self._advance, self._kept = progress, advance, kept
        self._asked: deque[G] = deque()
        self._todo: deque[G] = deque()
        self._pending: dict[Future[Task], list[G]] = {}
        self._known: dict[G, str | None] = {}
        self._times: Counter[G] = Counter()
        self._size = 1
        self._voids = 0
        self.played = 0

    def ask_and_tell(self) -> bool:
        """Ask and tell all that can be; whether something is to be waited for."""
        study = self._study
        while not study.settled:
            while len(self._asked) < study.ahead and (game := study.ask()) is not None:
                self._ask(game)
            if not self._asked or self._known[self._asked[0]] is None:
                return bool(self._asked)
            game = self._asked.popleft()
            result = self._known[game]
            self._times[game] -= 1
            if not self._times[game]:
                del self._times[game], self._known[game]
            assert result is not None
            study.tell(game, result)
        return False

    def _ask(self, game: G) -> None:
        self._asked.append(game)
        self._times[game] += 1  # the same game may be asked for again
        if self._times[game] == 1:
            self._known[game] = self._store.get(game)
            if self._known[game] is None:
                self._todo.append(game)

    def hand_over(self) -> None:
        """Give the workers as many tasks as they should have at hand."""
        most = AT_HAND * self._workers.number
        while self._todo and len(self._pending) < most:
            share = -(-len(self._todo) // most)
            games = [self._todo.popleft() for _ in range(min(self._size, share))]
            task = self._workers.executor.submit(carry_out, self._contest, games)
            self._pending[task] = games

    def take_back(self) -> None:
        """Wait for a task, and save what came of it."""
        for task in wait(self._pending, return_when=FIRST_COMPLETED).done:
            self._save(self._pending.pop(task), task.result())

    def _save(self, games: Sequence[G], task: Task) -> None:
        found = list(zip(games, task.results, strict=True))
        self._store.add(found)
        good = [(game, result) for game, result in found if result.void is None]
        self._kept(good)
        self._advance(len(good))
        self.played += len(good)
        self._known.update((game, result.text) for game, result in good)
        self._size = max(1, min(MOST, int(TASK_SECONDS * len(games) / max(task.seconds, 1e-6))))
        for game, result in found:
            self._voids = self._voids + 1 if result.void else 0
            if result.void:
                self._todo.appendleft(game)
                self._progress.note(f"void: {result.void}")
                if self._voids >= MAX_VOIDS:
                    raise Stopped(
                        f"stopped: {self._voids} void games in a row; in the last one {result.void}"
                    )

    def finish(self) -> None:
        """After Ctrl-C: save what is being played; a second one drops it."""
        for task in [task for task in self._pending if task.cancel()]:
            del self._pending[task]
        number = sum(map(len, self._pending.values()))
        if number:
            games = counted(number, "game")
            self._progress.note(f"finishing {games}; Ctrl-C again drops what is running")
        try:
            while self._pending:
                self.take_back()
        except KeyboardInterrupt:
            self._pending.clear()
            raise Abandoned from None

    def drop(self) -> None:
        """Take back what nobody has begun, and wait until nothing is being played."""
        wait([task for task in self._pending if not task.cancel()])
