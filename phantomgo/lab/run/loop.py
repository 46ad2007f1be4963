"""The only loop that has games played: issues them, waits, saves, stops."""

import signal
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, Generic, NamedTuple

from phantomgo.errors import Abandoned
from phantomgo.lab.run.contest import Contest, G, Result
from phantomgo.lab.run.progress import SILENT, Advance, Progress
from phantomgo.lab.run.store import Results
from phantomgo.lab.run.study import MANY, Study
from phantomgo.lab.run.tasks import Deadly, Lost, Stopped, Task, Workers
from phantomgo.wording import counted

MOST: Final = 4096
"""Games to a task."""
AT_HAND: Final = 2
"""Tasks handed over for each worker: the one it carries out, and the next one."""
MAX_VOIDS: Final = 3
"""Void games in a row, after which a run stops."""
MAX_DEATHS: Final = 8
"""Workers that may die with a game that they have taken alone."""
AUDITED: Final = 100
"""One in this many games of other machines is played once more, by another worker."""
AUDITS: Final = 10
"""As many of them as a tenth of a task has make a task of their own, if one worker played them."""
SPLIT: Final = 8
"""Tasks become smaller towards the end, so that all workers end together: to so small a part."""
BEAT: Final = 10.0
"""Seconds after which a run that has claimed nothing says that it is still there."""
GLANCE: Final = 0.2
"""Seconds between two looks at whether Ctrl-C was pressed."""
FINISHING: Final = 2.0
"""Seconds after Ctrl-C in which games that are being played may come to their end.

The command is to end within five, and to end its processes may take two on a busy machine.
"""
LOOK: Final = 1.0
"""Seconds between two looks at what other runs on the same store have played."""
KEPT: Final = "the finished games are kept, and the same command plays the rest"


class Handed(NamedTuple, Generic[G]):
    """The purpose of a task: games, or a second run of games of one place."""

    games: list[G]
    firsts: Sequence[Result] = ()


def run(
    study: Study[G],
    contest: Contest[G],
    workers: Workers,
    store: Results[G],
    *,
    progress: Progress = SILENT,
    advance: Advance = lambda _: None,
    kept: Callable[[Sequence[tuple[G, Result]]], None] = lambda _: None,
    over: Callable[[], bool] = lambda: False,
) -> int:
    """Have the games played that a study asks for, until it has no more or is settled.

    Every result is saved before it counts. Whatever stops a run, running it again over the same
    store comes to the same end.

    Args:
        study: who asks.
        contest: what is played.
        workers: who plays.
        store: the results there are, and where new ones go.
        progress: receives notes on void games, and on what is being finished after Ctrl-C.
        advance: called with the number of games just saved.
        kept: called with the games just saved.
        over: True once no more games are to begin; the run ends with those being played.

    Returns:
        How many games were played now.

    Raises:
        Stopped: too many games in a row were void, nobody plays any more, a game ends every
            worker that begins it, or two workers come to different results.
        KeyboardInterrupt: Ctrl-C; what was being played then has been saved.
        Abandoned: Ctrl-C again, or games that took longer than `FINISHING`; they have not.
    """
    loop = _Loop(study, contest, workers, store, progress, advance, kept)
    try:
        with _interrupts() as pressed:
            while loop.ask_and_tell() and not pressed():
                if not over():
                    loop.hand_over()
                elif not loop.recall():
                    break
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


@contextmanager
def _interrupts() -> Iterator[Callable[[], int]]:
    """Count how often Ctrl-C is pressed in this block, rather than raise at any line of it.

    An exception between two lines would leave the store or a pool half-way, and compiled code that
    calls back into Python swallows it. Only the main thread of a process can do this.
    """
    count = 0

    def press(*_: object) -> None:
        nonlocal count
        count += 1

    if threading.current_thread() is not threading.main_thread():
        yield lambda: 0
        return
    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: count
    finally:
        signal.signal(signal.SIGINT, before)


class _Loop(Generic[G]):
    """One run.

    A game is in `asked` until its result has been passed to the study. Until the result is known it
    is in `todo`, in one of the tasks of `pending`, or `elsewhere`: claimed by another run.
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
        self._elsewhere: list[G] = []
        self._pending: dict[Future[Task], Handed[G]] = {}
        self._known: dict[G, str | None] = {}
        self._times: Counter[G] = Counter()
        self._deaths: Counter[G] = Counter()
        self._size = 1
        self._voids = 0
        self._claimed = self._looked = time.monotonic()
        self._unaudited = 0
        self._audits: dict[str, list[tuple[G, Result]]] = defaultdict(list)
        self.played = 0

    def ask_and_tell(self) -> bool:
        """Ask for games and report results; returns True if there is something to wait for."""
        study = self._study
        while not study.settled:
            while self._more() and (game := study.ask()) is not None:
                self._ask(game)
            if not self._asked:
                break
            if self._known[self._asked[0]] is None:
                return True
            game = self._asked.popleft()
            result = self._known[game]
            self._times[game] -= 1
            if not self._times[game]:
                del self._times[game], self._known[game]
            assert result is not None
            study.tell(game, result)
        # What is played a second time only is waited for: it may come to another result.
        return not study.settled and bool(self._pending or self._audits)

    def _more(self) -> bool:
        """True if a game should be asked for now."""
        if self._study.ahead < MANY:  # when it is asked decides what it knows by then
            return len(self._asked) < self._study.ahead
        return len(self._todo) < self._most * self._size

    @property
    def _most(self) -> int:
        """The number of tasks that the workers should have."""
        return AT_HAND * self._workers.number()

    def _ask(self, game: G) -> None:
        self._asked.append(game)
        self._times[game] += 1  # the same game may be asked for again
        if self._times[game] == 1:
            self._known[game] = self._store.get(game)
            if self._known[game] is None:
                self._todo.append(game)

    def hand_over(self) -> None:
        """Give the workers as many tasks as they should have at hand, and audits."""
        while self._todo and (free := self._most - len(self._pending)) > 0:
            groups = self._groups(free)
            ours = self._claim([game for group in groups for game in group])
            for group in groups:
                if games := [game for game in group if game in ours]:
                    self._hand(Handed(games))
        for place, audits in list(self._audits.items()):
            if len(audits) >= self._size / AUDITS or not self._todo:
                del self._audits[place]
                again, firsts = zip(*audits, strict=True)
                self._hand(Handed(list(again), firsts))

    def _groups(self, number: int) -> list[list[G]]:
        """The games of this many tasks, taken from those to be played."""
        size = min(self._size, max(self._size // SPLIT, -(-len(self._todo) // self._most)))
        groups: list[list[G]] = []
        while self._todo and len(groups) < number:
            groups.append([self._todo.popleft()])
            alone = groups[-1][0] in self._deaths
            while self._todo and len(groups[-1]) < size and not alone:
                if self._todo[0] in self._deaths:
                    break
                groups[-1].append(self._todo.popleft())
        return groups

    def _claim(self, games: list[G]) -> set[G]:
        """Those of these games that no other run plays, or has played."""
        self._claimed = time.monotonic()
        ours = set()
        for game, is_ours in zip(games, self._store.claim(games), strict=True):
            if is_ours:
                ours.add(game)
            elif (result := self._store.get(game)) is None:
                self._elsewhere.append(game)
            else:
                self._known[game] = result
                self._advance(1)
        return ours

    def _hand(self, handed: Handed[G]) -> None:
        apart = handed.firsts[0].place if handed.firsts else None
        self._pending[self._workers.submit(self._contest, handed.games, apart)] = handed

    def take_back(self) -> None:
        """Wait for tasks, and save what came of them."""
        if self._pending:
            done = wait(self._pending, timeout=GLANCE, return_when=FIRST_COMPLETED).done
            ended = [task for task in self._pending if task in done]  # in their order
            self._save([found for task in ended if (found := self._found(task))])
        elif self._elsewhere:
            time.sleep(GLANCE)
        now = time.monotonic()
        if self._elsewhere and now - self._looked >= LOOK:
            self._looked = now
            self._todo.extend(self._elsewhere)
            self._elsewhere.clear()
        if now - self._claimed >= BEAT:
            self._claim([])

    def _found(self, task: Future[Task]) -> tuple[Handed[G], Task] | None:
        """The results of a task; None if it has to be done again."""
        handed = self._pending.pop(task)
        try:
            return handed, task.result()
        except Lost:
            if not handed.firsts:
                self._todo.extendleft(reversed(handed.games))
        except Deadly as error:
            self._suspect(handed, error)
        return None

    def _suspect(self, handed: Handed[G], error: Deadly) -> None:
        """From now on a worker is given each of these games alone, to find the one it may be.

        Workers die for other reasons too, and often where they are preempted.

        Raises:
            Stopped: too many have died with a game that was alone.
        """
        alone = len(handed.games) == 1
        for game in handed.games:
            self._deaths[game] += error.workers if alone else 0
            if self._deaths[game] > MAX_DEATHS:
                raise Stopped(
                    f"game {game} ends whoever begins it: {self._deaths[game]} workers have died"
                    " with it"
                )
        if not handed.firsts:
            self._todo.extendleft(reversed(handed.games))

    def _save(self, done: Sequence[tuple[Handed[G], Task]]) -> None:
        for handed, task in done:
            for compared in zip(handed.games, handed.firsts, task.results, strict=False):
                self._compare(*compared)
        tasks = [(handed.games, task) for handed, task in done if not handed.firsts]
        found = [pair for games, task in tasks for pair in zip(games, task.results, strict=True)]
        if not found:
            return
        self._store.add(found)
        good = [(game, result) for game, result in found if result.void is None]
        self._kept(good)
        self._advance(len(good))
        self.played += len(good)
        self._known.update((game, result.text) for game, result in good)
        pace = len(found) / max(sum(task.seconds for _, task in tasks), 1e-6)
        # Some games take far less than others: no task has more than were played before.
        self._size = max(1, min(MOST, self.played, int(self._workers.task_seconds * pace)))
        for game, result in found:
            self._voids = self._voids + 1 if result.void else 0
            if result.void:
                self._todo.appendleft(game)
                self._progress.note(f"void: {result.void}")
                if self._voids >= MAX_VOIDS:
                    raise Stopped(
                        f"stopped: {self._voids} void games in a row; in the last one {result.void}"
                    )
        self._audit(good)

    def _audit(self, good: Sequence[tuple[G, Result]]) -> None:
        """Choose one in `AUDITED` games that other machines have played, to be played again."""
        for game, result in good:
            if result.place is None or self._contest.certain(result.text) is None:
                continue
            self._unaudited += 1
            if self._unaudited >= AUDITED:
                self._unaudited = 0
                self._audits[result.place].append((game, result))

    def _compare(self, game: G, first: Result, second: Result) -> None:
        """See that both workers who have played a game came to the same.

        Raises:
            Stopped: they did not. The game has been played here as well then, and what was
                played where it came out otherwise has been taken out of the store.
        """
        certain = self._contest.certain
        if certain(first.text) == certain(second.text):
            return
        here = certain(self._contest.play([game])[0].text)
        said = " and ".join(
            f"{certain(result.text)} by {result.place}" for result in (first, second)
        )
        wrong = [
            f"{result.place} plays wrongly, and {counted(self._store.forget(result.place), 'game')}"
            " of it will be played again"
            for result in (first, second)
            if result.place is not None and certain(result.text) != here
        ]
        raise Stopped(
            f"game {game} came out as {said}, and here as {here}: {'; '.join(wrong)}. End that"
            f" worker; the other games are kept, and the same command plays the rest"
        )

    def recall(self) -> bool:
        """Cancel the tasks that nobody has begun; True if others are being carried out."""
        for task in [task for task in self._pending if task.cancel()]:
            del self._pending[task]
        return bool(self._pending)

    def finish(self, pressed: Callable[[], int]) -> None:
        """After Ctrl-C: save what is being played; a second one drops it, and so does time.

        Raises:
            Abandoned: something was dropped.
        """
        self.recall()
        number = sum(len(handed.games) for handed in self._pending.values())
        if number:
            games = counted(number, "game")
            self._progress.note(f"finishing {games}; Ctrl-C again drops what is running")
        last = time.monotonic() + FINISHING
        while self._pending:
            self.take_back()
            if pressed() > 1 or time.monotonic() > last:
                self._pending.clear()
                raise Abandoned

    def drop(self) -> None:
        """Take back what nobody has begun, and leave the games to other runs."""
        self._workers.drop(self._pending)
        self._store.release()
