"""Bots in processes of their own, so that the server never waits for one to think."""

import logging
import sys
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bots import Bot, make, make_installed
from phantomgo.app.table import advice
from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN, Players, Proposal
from phantomgo.app.web.turn_time import LONGEST, probes
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour, Move
from phantomgo.game.view import View
from phantomgo.lab.players import ready
from phantomgo.lab.processes import begin_worker, kill, process_pool
from phantomgo.system import deadline, stand_aside

TRIES: Final = 2
"""Workers that may die over a question before it fails."""
NICE: Final = 5
"""The niceness of workers, so that the server comes first."""
SLOWEST: Final = 60
"""The bound of a thought by the clock, in multiples of the one by processor time."""

T = TypeVar("T")


@dataclass
class Question:
    """Work for a worker: a task, which is a function of a module with its arguments.

    Attributes:
        answer: its result.
        task: the function, and its arguments.
        since: when its turn began.
    """

    answer: Future[Any]
    task: tuple[Any, ...]
    since: float


class BotWorkers:
    """A few worker processes. They start when first asked, and end with this process.

    Whoever asks is served in turn, however much each of them asks; of each, the oldest turn comes
    first. A thread hands questions to its process one at a time.

    Attributes:
        named: the specs of bots that the operator has named. Others come from the file of tables,
            and no module's code is run for them.
    """

    def __init__(self, processes: int, named: Collection[str] = ()) -> None:
        self.named = named
        self._pools: list[ProcessPoolExecutor | None] = [None] * processes
        self._waiting: dict[str, list[Question]] = {}
        self._closed = False
        self._change = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, args=(number,), daemon=True)
            for number in range(processes)
        ]
        for thread in self._threads:
            thread.start()

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
        with self._change:
            question = Question(answer, (task, *arguments), since)
            self._waiting.setdefault(who, []).append(question)
            self._change.notify()
        return answer

    def prepare(self, *asked: Any, who: str) -> None:
        """Have all workers `prepare` for a `propose` with these arguments."""
        for _ in self._threads:
            self.ask(prepare, *asked, who=who)

    def _work(self, number: int) -> None:
        """Answer questions by the process of this number, until all is closed."""
        while (question := self._next()) is not None:
            for tries_left in reversed(range(TRIES)):
                try:
                    question.answer.set_result(self._submit(number, question).result())
                    break
                except BrokenProcessPool as error:
                    self._pools[number] = None
                    if not tries_left:
                        question.answer.set_exception(error)
                except Exception as error:
                    question.answer.set_exception(error)
                    break

    def _next(self) -> Question | None:
        """Wait for a question: the oldest one of the asker who was served longest ago."""
        with self._change:
            while True:
                self._change.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return None
                who = next(iter(self._waiting))
                questions = self._waiting.pop(who)
                question = min(questions, key=lambda question: question.since)
                questions.remove(question)
                if questions:
                    self._waiting[who] = questions  # behind all others
                if question.answer.set_running_or_notify_cancel():
                    return question

    def _submit(self, number: int, question: Question) -> Future[Any]:
        with self._change:
            if self._closed:
                raise CancelledError
            pool = self._pools[number] = self._pools[number] or self._started()
            return pool.submit(*question.task)

    def close(self) -> None:
        """Cancel the waiting questions, and kill the workers: a search cannot be interrupted.

        Otherwise Python would wait for them when it exits. Their threads have ended when this
        returns, so none is still closing a pipe by then.
        """
        with self._change:
            self._closed = True
            waiting, self._waiting = self._waiting, {}
            self._change.notify_all()
        for questions in waiting.values():
            for question in questions:
                question.answer.cancel()
        for pool in filter(None, self._pools):
            kill([*(pool._processes or {}).values()])
            pool.shutdown(cancel_futures=True)
        for thread in self._threads:
            thread.join()

    def _started(self) -> ProcessPoolExecutor:
        return process_pool(1, _begin, LONGEST)


# In a worker

_longest: list[float] = []
"""Seconds of a thought after which this process ends; none outside of workers."""


def _begin(longest: float) -> None:
    _longest[:] = [longest]
    begin_worker()
    logging.basicConfig(stream=sys.stderr, format="phantomgo web: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says what is prepared
    stand_aside(NICE)


def _bounded() -> AbstractContextManager[None]:
    """A block that ends its worker if it takes too long; the question then fails."""
    for longest in _longest:
        return deadline(longest, SLOWEST * longest)
    return nullcontext()


def propose(spec: str, seed: int, view: View, named: bool = False) -> Proposal:
    """Return a bot's attempt, and the seconds it took.

    It looks at no clock: a level is as strong with one as without one.
    """
    bot = _made(spec, seed, view, named)
    began = time.perf_counter()
    with _bounded():
        move = bot.with_budget(probes(view.refusals)).decide(view).move
    return move, time.perf_counter() - began


def prepare(spec: str, seed: int, view: View, named: bool = False) -> None:
    """Do what a bot's first attempt would have to wait for."""
    _made(spec, seed, view, named)


def _made(spec: str, seed: int, view: View, named: bool) -> Bot:
    """Return a bot, with kernels compiled and its book checked: that takes longer than it may."""
    game = Game.of(view)
    bot = make(spec, game, seed) if named else make_installed(spec, game, seed)
    ready.get_ready(spec, game)
    bot.warm_up()
    return bot


def hint(view: View) -> tuple[Move, float]:
    """Return what the adviser would attempt, and how likely an enemy stone is there."""
    move = advice.hint(view).move
    return move, advice.belief(view).get(move, 0.0)


class PooledPlayers(Players):
    """`Players` of one game in processes that all tables share.

    Bots are deterministic, so any worker will do.
    """

    def __init__(self, game: TableGame, bots: BotWorkers, who: str) -> None:
        """Seat the bots of a game, who think on behalf of `who`."""
        self._game, self._bots, self._who = game, bots, who
        self._turn = (-1, 0.0)

    def begin(self) -> None:
        for colour in Colour:
            if self._game.outcome is None and self._game.name(colour) != HUMAN:
                self._bots.prepare(*self._asked(colour), who=self._who)

    def ask(self, colour: Colour) -> Future[Proposal]:
        turn = self._game.view(colour).turn
        if self._turn[0] != turn:
            self._turn = turn, time.monotonic()
        return self._bots.ask(propose, *self._asked(colour), who=self._who, since=self._turn[1])

    def _asked(self, colour: Colour) -> tuple[str, int, View, bool]:
        side = self._game.start.side(colour)
        return side.name, side.seed or 0, self._game.view(colour), side.name in self._bots.named
