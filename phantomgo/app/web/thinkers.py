"""Bots in processes of their own, so that the server never waits for one to think."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from bots import Bot, make, make_installed
from bots.delegate import Delegate
from phantomgo.app.table import advice
from phantomgo.app.table.game import Game
from phantomgo.app.table.players import Proposal
from phantomgo.app.web.engines import Engine
from phantomgo.app.web.tempo import LONGEST, glances
from phantomgo.app.web.terms import ENGINE
from phantomgo.errors import PhantomGoError
from phantomgo.lab.run.workers import begin_worker
from phantomgo.points import Colour, Move
from phantomgo.view import View

TRIES: Final = 2
"""Workers that may die over a question before it fails."""
NICE: Final = 10
"""The niceness of workers, so that the server comes first."""

T = TypeVar("T")


@dataclass
class Question:
    """Work for a worker.

    Attributes:
        answer: its result.
        task: a function of a module, and its arguments.
        since: when its turn began.
        tries: workers that it may still cost.
    """

    answer: Future[Any]
    task: tuple[Any, ...]
    since: float
    tries: int = TRIES


class Thinkers:
    """A few worker processes. They start when first asked, and end with this process.

    Callers take turns, however much each of them asks; of each, the oldest turn comes first.

    Attributes:
        named: the specs of bots that the operator has named. Others come from the file of tables,
            and no module's code is run for them.
    """

    def __init__(self, processes: int, named: Collection[str] = ()) -> None:
        self.named = named
        self._idle: list[ProcessPoolExecutor | None] = [None] * processes
        self._busy: set[ProcessPoolExecutor] = set()
        self._waiting: dict[str, list[Question]] = {}
        self._closed = False
        self._lock = threading.Lock()

    def ask(
        self, task: Callable[..., T], *arguments: Any, who: str = "", since: float | None = None
    ) -> Future[T]:
        """Have a worker call a function of a module.

        If the worker dies another one is asked: the death need not have been its fault.

        Args:
            task: the function.
            arguments: of the call.
            who: on whose behalf; workers are shared out evenly among them.
            since: when their turn began; None for now.
        """
        answer: Future[T] = Future()
        since = time.monotonic() if since is None else since
        self._wait(who, Question(answer, (task, *arguments), since))
        return answer

    def _wait(self, who: str, question: Question) -> None:
        with self._lock:
            self._waiting.setdefault(who, []).append(question)
        self._serve()

    def _serve(self) -> None:
        """Give questions to idle workers as long as there are any of both."""
        while True:
            with self._lock:
                if self._closed or not self._idle or not self._waiting:
                    return
                who, question = self._next()
                answer = question.answer
                if not (answer.running() or answer.set_running_or_notify_cancel()):
                    continue
                worker = self._idle.pop() or self._started()
                self._busy.add(worker)
            try:
                inner = worker.submit(*question.task)
            except BrokenProcessPool as error:  # it died while it had nothing to do
                inner = Future()
                inner.set_exception(error)
            inner.add_done_callback(partial(self._done, worker, who, question))

    def _next(self) -> tuple[str, Question]:
        """The oldest question of the caller who has waited longest since being served."""
        who = next(iter(self._waiting))
        questions = self._waiting.pop(who)
        question = min(questions, key=lambda question: question.since)
        questions.remove(question)
        if questions:
            self._waiting[who] = questions  # behind all others
        return who, question

    def _done(
        self, worker: ProcessPoolExecutor, who: str, question: Question, inner: Future[Any]
    ) -> None:
        error = CancelledError() if inner.cancelled() else inner.exception()
        broken = isinstance(error, BrokenProcessPool)
        with self._lock:
            self._busy.discard(worker)
            self._idle.append(None if broken else worker)
            if self._closed:  # nobody waits for the answer
                return
        question.tries -= 1
        if broken and question.tries:
            self._wait(who, question)
            return
        if error is not None:
            question.answer.set_exception(error)
        else:
            question.answer.set_result(inner.result())
        self._serve()

    def close(self) -> None:
        """Cancel the waiting questions, and kill the workers: a search cannot be interrupted.

        Otherwise Python would wait for them when it exits. Their threads have ended when this
        returns, so none is still closing a pipe by then.
        """
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, {}
            workers = [*filter(None, self._idle), *self._busy]
        for questions in waiting.values():
            for question in questions:
                question.answer.cancel()
        for worker in workers:
            # From Python 3.14 on there is `kill_workers`.
            for process in [*(worker._processes or {}).values()]:
                process.kill()
            worker.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        # Spawned, not forked: threads and compiled code survive a fork badly.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(LONGEST,))


# In a worker

_longest = 0.0
"""Seconds after which a thought ends this process; 0 for never, outside of workers."""
_warm: set[tuple[str, int]] = set()
"""The bots and board sizes whose kernels have been compiled."""


def _begin(longest: float) -> None:
    global _longest  # noqa: PLW0603  (of a process of its own)
    _longest = longest
    begin_worker()
    os.nice(NICE)


@contextmanager
def _bounded() -> Iterator[None]:
    """A block that ends its worker, even in compiled code, if it takes too long.

    The default action of SIGALRM ends the process; the question then fails.
    """
    if _longest:
        signal.setitimer(signal.ITIMER_REAL, _longest)
    try:
        yield
    finally:
        if _longest:
            signal.setitimer(signal.ITIMER_REAL, 0)


def propose(spec: str, seed: int, view: View, named: bool = False) -> Proposal:
    """Return a bot's attempt, and the seconds it took.

    It looks at no clock: a level is as strong with one as without one.

    Raises:
        BadText: it is a module's bot that the operator has not named.
    """
    bot = make(spec, seed) if named else make_installed(spec, seed)
    _warm_up(bot, view)
    began = time.perf_counter()
    with _bounded():
        move = bot.within(glances(view.refusals)).decide(view).move
    return move, time.perf_counter() - began


def _warm_up(bot: Bot, view: View) -> None:
    """Have kernels compiled and the book checked, once: that takes longer than a bot may."""
    size = view.rules.size
    if (bot.name, size) not in _warm:
        bot.warm_up(size)
        _warm.add((bot.name, size))
    if isinstance(bot, Delegate):
        bot.player(view)


def hint(view: View) -> Move:
    """Return what the adviser would attempt."""
    return advice.hint(view).move


class PooledPlayers:
    """`Players` of one game in processes that all tables share.

    Bots are pure, so any worker will do. Engines are sent their game anew where necessary.
    """

    failure: PhantomGoError | None = None

    def __init__(
        self, table: int, game: Game, thinkers: Thinkers, engines: Mapping[str, Engine], who: str
    ) -> None:
        """Sit down at the table of this number; bots think on behalf of `who`."""
        self._table, self._game, self._who = table, game, who
        self._thinkers, self._engines = thinkers, engines
        self._turn = (-1, 0.0)

    def begin(self) -> None:
        """Do nothing: workers need no seats."""

    def wait(self) -> None:
        """Do nothing, for the same reason."""

    def ask(self, colour: Colour) -> Future[Proposal]:
        side, view = self._game.start.side(colour), self._game.view(colour)
        seed = side.seed or 0
        if side.name.startswith(ENGINE):
            engine = self._engines.get(name := side.name.removeprefix(ENGINE))
            if engine is not None:
                return engine.ask((self._table, colour), seed, view, self._game.left(colour))
            missing: Future[Proposal] = Future()
            missing.set_exception(PhantomGoError(f"this server has no engine {name!r} now"))
            return missing
        if self._turn[0] != view.turn:
            self._turn = view.turn, time.monotonic()
        words = side.name, seed, view, side.name in self._thinkers.named
        return self._thinkers.ask(propose, *words, who=self._who, since=self._turn[1])

    def hear_end(self) -> None:
        """Tell the engines; no bot of ours listens."""
        for colour in Colour:
            engine = self._engines.get(self._game.name(colour).removeprefix(ENGINE))
            if engine is not None and self._game.name(colour).startswith(ENGINE):
                engine.hear_end((self._table, colour), self._game.view(colour))
