"""The only loop that plays games: it hands them to workers, waits, saves results, and stops."""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Final

from phantomgo.errors import Abandoned
from phantomgo.game.wording import counted
from phantomgo.interrupts import presses
from phantomgo.lab.run.contest import Contest, GameNumber, Result
from phantomgo.lab.run.progress import SILENT, Advance, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.study import MANY, Study
from phantomgo.lab.run.tasks import Deadly, Lost, Stopped, Task, Workers

MOST: Final = 4096
"""The most games in a task."""
AT_HAND: Final = 2
"""Tasks submitted per worker: the one it is working on, and the next."""
MAX_VOIDS: Final = 3
"""A run stops after this many consecutive void games."""
MAX_DEATHS: Final = 8
"""The number of workers that may die while playing the same game."""
SPLIT: Final = 8
"""Tasks shrink towards the end, to 1/8 of their size, so that all workers finish together."""
POLL: Final = 0.2
"""Seconds between two checks for Ctrl-C."""
FINISHING: Final = 2.0
"""Seconds after Ctrl-C in which games in progress may finish.

The command should end within five, and ending its processes may take two on a busy machine.
"""
KEPT: Final = "the finished games are kept, and the same command plays the rest"


def run(
    study: Study,
    contest: Contest,
    workers: Workers,
    store: Store,
    *,
    progress: Progress = SILENT,
    advance: Advance = lambda _: None,
    saved: Callable[[Sequence[tuple[GameNumber, Result]]], None] = lambda _: None,
    deadline: float = math.inf,
) -> int:
    """Play the games that a study asks for, until it has no more or is settled.

    Every result is saved before it counts. An interrupted run that is repeated on the same store
    ends with the same results.

    Args:
        study: asks for the games.
        contest: plays them.
        workers: run the contest.
        store: contains the known results and stores the new ones.
        progress: receives notes on void games, and on what is being finished after Ctrl-C.
        advance: called with the number of games just saved.
        saved: called with the games just saved.
        deadline: the time (`time.monotonic`) after which no more results are waited for.

    Returns:
        The number of games played now.

    Raises:
        Stopped: too many consecutive games were void, no workers are left, or a game kills every
            worker that begins it.
        KeyboardInterrupt: Ctrl-C; games in progress have been saved.
        Abandoned: a second Ctrl-C, or games that took longer than `FINISHING`; they are lost.
    """
    loop = _Loop(study, contest, workers, store, progress, advance, saved, deadline)
    try:
        with presses() as pressed:
            while loop.ask_and_tell() and not pressed():
                loop.hand_over()
                loop.take_back()
            if pressed():
                loop.finish(pressed)
                raise KeyboardInterrupt
    except BrokenProcessPool as error:
        raise Stopped(f"a process that played was killed; {KEPT}") from error
    except BrokenExecutor as error:
        raise Stopped(f"{error}; {KEPT}") from error
    finally:
        loop.drop()
    return loop.played


@dataclass
class _Loop:
    """One run.

    A game is in `asked` until its result has been passed to the study. Until the result is known it
    is in `todo`, or in one of the tasks of `pending`.
    """

    study: Study
    contest: Contest
    workers: Workers
    store: Store
    progress: Progress
    advance: Advance
    saved: Callable[[Sequence[tuple[GameNumber, Result]]], None]
    deadline: float
    asked: deque[GameNumber] = field(default_factory=deque)
    todo: deque[GameNumber] = field(default_factory=deque)
    pending: dict[Future[Task], list[GameNumber]] = field(default_factory=dict)
    known: dict[GameNumber, str | None] = field(default_factory=dict)
    times: Counter[GameNumber] = field(default_factory=Counter)
    deaths: Counter[GameNumber] = field(default_factory=Counter)
    size: int = 1
    voids: int = 0
    played: int = 0

    def ask_and_tell(self) -> bool:
        """Ask for games and report results; returns True if there is something to wait for."""
        study = self.study
        while not self._over:
            while self._more() and (game := study.ask()) is not None:
                self._ask(game)
            if not self.asked:
                break
            if self.known[self.asked[0]] is None:
                return True
            game = self.asked.popleft()
            result = self.known[game]
            self.times[game] -= 1
            if not self.times[game]:
                del self.times[game], self.known[game]
            assert result is not None
            study.tell(game, result)
        return not self._over and bool(self.pending)

    @property
    def _over(self) -> bool:
        """True if no more results are needed, or there is no time for them."""
        return self.study.settled or time.monotonic() >= self.deadline

    def _more(self) -> bool:
        """True if a game should be asked for now."""
        if self.study.ahead < MANY:  # it must know earlier results when asked
            return len(self.asked) < self.study.ahead
        return len(self.todo) < self._most * self.size

    @property
    def _most(self) -> int:
        """The number of tasks that the workers should have at hand."""
        return AT_HAND * self.workers.number()

    def _ask(self, game: GameNumber) -> None:
        self.asked.append(game)
        self.times[game] += 1  # the same game may be asked for again
        if self.times[game] == 1:
            self.known[game] = self.store.get(game)
            if self.known[game] is None:
                self.todo.append(game)

    def hand_over(self) -> None:
        """Submit tasks until the workers have enough at hand."""
        while self.todo and (free := self._most - len(self.pending)) > 0:
            for games in self._groups(free):
                self.pending[self.workers.submit(self.contest, games)] = games

    def _groups(self, number: int) -> list[list[GameNumber]]:
        """Take the games of this many tasks from those to be played."""
        size = min(self.size, max(self.size // SPLIT, -(-len(self.todo) // self._most)))
        groups: list[list[GameNumber]] = []
        while self.todo and len(groups) < number:
            groups.append([self.todo.popleft()])
            alone = groups[-1][0] in self.deaths
            while self.todo and len(groups[-1]) < size and not alone:
                if self.todo[0] in self.deaths:
                    break
                groups[-1].append(self.todo.popleft())
        return groups

    def take_back(self) -> None:
        """Wait for tasks and save their results."""
        if self.pending:
            done = wait(self.pending, timeout=POLL, return_when=FIRST_COMPLETED).done
            ended = [task for task in self.pending if task in done]  # in their order
            self._save([pair for task in ended if (pair := self._result_of(task))])

    def _result_of(self, task: Future[Task]) -> tuple[list[GameNumber], Task] | None:
        """The games of a task and their results; None if it has to be repeated."""
        games = self.pending.pop(task)
        try:
            return games, task.result()
        except Lost:
            self.todo.extendleft(reversed(games))
        except Deadly as error:
            self._suspect(games, error)
        return None

    def _suspect(self, games: list[GameNumber], error: Deadly) -> None:
        """Submit each of these games as a task of its own from now on, to find the one that kills
        workers.

        Workers also die for other reasons, often on preemptible machines.

        Raises:
            Stopped: too many have died while playing the same game.
        """
        alone = len(games) == 1
        for game in games:
            self.deaths[game] += error.workers if alone else 0
            if self.deaths[game] > MAX_DEATHS:
                raise Stopped(
                    f"game {game} kills its workers: {self.deaths[game]} of them have died"
                )
        self.todo.extendleft(reversed(games))

    def _save(self, done: Sequence[tuple[list[GameNumber], Task]]) -> None:
        played = [pair for games, task in done for pair in zip(games, task.results, strict=True)]
        if not played:
            return
        self.store.add(played)
        good = [(game, result) for game, result in played if result.void is None]
        self.saved(good)
        self.advance(len(good))
        self.played += len(good)
        self.known.update((game, result.text) for game, result in good)
        pace = len(played) / max(sum(task.seconds for _, task in done), 1e-6)
        # Some games are far shorter than others: no task has more than were played before.
        self.size = max(1, min(MOST, self.played, int(self.workers.task_seconds * pace)))
        for game, result in played:
            self.voids = self.voids + 1 if result.void else 0
            if result.void:
                self.todo.appendleft(game)
                self.progress.note(f"void: {result.void}")
                if self.voids >= MAX_VOIDS:
                    raise Stopped(
                        f"stopped: {self.voids} void games in a row; in the last one {result.void}"
                    )

    def finish(self, pressed: Callable[[], int]) -> None:
        """Save the games in progress after Ctrl-C, unless it is pressed again or they take long."""
        for task in [task for task in self.pending if task.cancel()]:
            del self.pending[task]
        number = sum(map(len, self.pending.values()))
        if number:
            games = counted(number, "game")
            self.progress.note(f"finishing {games}; Ctrl-C again drops what is running")
        last = time.monotonic() + FINISHING
        while self.pending:
            self.take_back()
            if pressed() > 1 or time.monotonic() > last:
                self.pending.clear()
                raise Abandoned

    def drop(self) -> None:
        """Cancel tasks that haven't begun."""
        self.workers.drop(self.pending)
