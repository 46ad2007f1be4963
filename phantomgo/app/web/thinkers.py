"""Bots in processes of their own, so that no thought of theirs keeps the server waiting."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
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
from phantomgo.app.table.players import ADVISER_SPEC, Proposal
from phantomgo.app.web.engines import Engines
from phantomgo.app.web.tempo import LONGEST, glances
from phantomgo.app.web.terms import ENGINE
from phantomgo.errors import PhantomGoError
from phantomgo.lab.run.workers import begin_worker
from phantomgo.points import Colour, Move, Point
from phantomgo.record_json import read_record
from phantomgo.view import View

TRIES: Final = 2
"""Workers that one question may cost."""
NICE: Final = 10
"""How far bots stand back where the server wants the processor."""

T = TypeVar("T")

_longest = 0.0
"""Seconds after which this process, if it is a worker, is ended in a thought; 0 for no such end."""


@dataclass
class Question:
    """What a worker is to work out.

    Attributes:
        answer: what comes of it.
        task: a function of a module, and its arguments.
        since: when the turn began that it belongs to.
        tries: workers that it may still cost.
    """

    answer: Future[Any]
    task: tuple[Any, ...]
    since: float
    tries: int = TRIES


class Thinkers:
    """A few worker processes. They start when first asked, and end with this process.

    Who asks waits for a worker together with all others who ask: they are served in turn, however
    much each of them asks, and of each the oldest turn first.

    Attributes:
        named: the specs of bots that whoever started the server has named. Others are in the file
            of the tables only, and no module's code is run for them.
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
        """Have a function of a module called in a worker.

        If its worker dies it is asked for once more: the death need not have been its fault.

        Args:
            task: the function.
            arguments: what it is called with.
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
        """Give questions to workers while there are both."""
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
        """The oldest question of whoever has not been served for longest."""
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
        """Drop what has not begun; what has, goes on until its process ends with this one."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, {}
            workers = [*filter(None, self._idle), *self._busy]
        for question in (one for questions in waiting.values() for one in questions):
            question.answer.cancel()
        for worker in workers:
            worker.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        # Spawned, not forked: threads and compiled code survive a fork badly.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, context, initializer=_begin, initargs=(LONGEST,))


def _begin(longest: float) -> None:
    global _longest  # noqa: PLW0603  (of a process of its own)
    _longest = longest
    begin_worker()
    os.nice(NICE)


@contextmanager
def _bounded() -> Iterator[None]:
    """A block that ends its worker, even in compiled code, if it takes too long.

    The default action of SIGALRM ends the process; whoever asked is told that it failed.
    """
    if _longest:
        signal.setitimer(signal.ITIMER_REAL, _longest)
    try:
        yield
    finally:
        if _longest:
            signal.setitimer(signal.ITIMER_REAL, 0)


class PooledPlayers:
    """`Players` of one game in processes that all tables share.

    Bots are pure, so any worker will do. Engines are told their game anew where it has to be.
    """

    failure: PhantomGoError | None = None

    def __init__(
        self, table: int, game: Game, thinkers: Thinkers, engines: Engines, who: str = ""
    ) -> None:
        """Sit down.

        Args:
            table: the number of the table.
            game: what is played.
            thinkers: where bots think.
            engines: who else may play.
            who: on whose behalf bots think.
        """
        self._table, self._game, self._who = table, game, who
        self._thinkers, self._engines = thinkers, engines
        self._turn = (-1, 0.0)

    def begin(self) -> None:
        """Nobody needs a seat before being asked."""

    def ask(self, colour: Colour) -> Future[Proposal]:
        game, side = self._game, self._game.start.side(colour)
        view = game.view(colour)
        if side.name.startswith(ENGINE):
            name, one = side.name.removeprefix(ENGINE), (self._table, colour)
            return self._engines.ask(name, one, side.seed or 0, view, game.left(colour))
        if self._turn[0] != view.turn:
            self._turn = view.turn, time.monotonic()
        named = side.name in self._thinkers.named
        return self._thinkers.ask(
            propose, side.name, side.seed or 0, view, named, who=self._who, since=self._turn[1]
        )

    def hear_end(self) -> None:
        """Tell the engines; no bot of ours listens."""
        for colour in Colour:
            name = self._game.name(colour)
            if name.startswith(ENGINE):
                view = self._game.view(colour)
                self._engines.hear_end(name.removeprefix(ENGINE), (self._table, colour), view)

    def wait(self) -> None:
        """They sit at once."""


def propose(spec: str, seed: int, view: View, named: bool = False) -> Proposal:
    """What a bot attempts, and the seconds it took.

    It looks at no clock: a level is as strong with one as without one.

    Raises:
        BadText: it is a module's bot, and nobody has named it who may.
    """
    bot = make(spec, seed) if named else make_installed(spec, seed)
    _warm_up(bot, view)
    began = time.perf_counter()
    with _bounded():
        move = bot.within(glances(view.refusals)).propose(view)
    return move, time.perf_counter() - began


def _warm_up(bot: Bot, view: View) -> None:
    """Have kernels compiled and the book checked, once: that takes longer than a bot may."""
    size = view.rules.size
    if (bot.name, size) not in _warm:
        bot.warm_up(size)
        _warm.add((bot.name, size))
    if isinstance(bot, Delegate):
        bot.player(view)


_warm: set[tuple[str, int]] = set()


def hint(view: View) -> Move:
    """What the adviser would attempt."""
    return advice.hint(view, ADVISER_SPEC).move


def belief(view: View) -> dict[Point, float]:
    """How likely enemy stones stand where."""
    return dict(make(ADVISER_SPEC, 0).stone_shares(view))


def chances(record: str) -> dict[str, list[float]]:
    """Black's winning chance at each moment of a finished game, which comes as its record.

    By the true board (`truth`), and as each player had to see it (`black`, `white`).
    """
    game = Game.resumed(read_record(record))
    found = {"truth": advice.chances(game, lambda _number: None)}
    for colour in Colour:
        found[str(colour).lower()] = advice.view_chances(game, colour)
    return {name: [round(chance, 3) for chance in shares] for name, shares in found.items()}
