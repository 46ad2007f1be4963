"""Bots in processes of their own, so that no thought of theirs keeps the server waiting."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, Final, TypeVar

from bots import make, make_installed
from phantomgo.app.table import advice
from phantomgo.app.table.game import Game
from phantomgo.app.table.players import ADVISER, Proposal
from phantomgo.app.web.engines import Engines, share
from phantomgo.app.web.terms import ENGINE
from phantomgo.errors import PhantomGoError
from phantomgo.lab.workers import begin_worker
from phantomgo.outcome import Ending, Fault
from phantomgo.points import Colour, Move, Point
from phantomgo.record_json import read_record
from phantomgo.view import View

TRIES: Final = 2
"""Workers that one question may cost."""
NICE: Final = 10
"""How far bots stand back where the server wants the processor."""

T = TypeVar("T")


class Thinkers:
    """A few worker processes. They start when first asked, and end with this process.

    Attributes:
        named: the specs of bots that whoever started the server has named. Others are in the file
            of the tables only, and no module's code is run for them.
    """

    def __init__(self, processes: int, named: Collection[str] = ()) -> None:
        self._processes, self.named = processes, named
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    def ask(self, task: Callable[..., T], *arguments: Any) -> Future[T]:
        """Have a function of a module called in a worker.

        If its worker dies it is asked for once more: the death need not have been its fault.
        """
        answer: Future[T] = Future()
        self._submit(answer, TRIES, task, *arguments)
        return answer

    def _submit(self, answer: Future[T], tries: int, task: Callable[..., T], *rest: Any) -> None:
        with self._lock:
            pool = self._pool = self._pool or self._started()
            try:
                inner = pool.submit(task, *rest)
            except BrokenProcessPool:
                pool = self._pool = self._started()
                inner = pool.submit(task, *rest)

        def done(inner: Future[T]) -> None:
            error = None if inner.cancelled() else inner.exception()
            if isinstance(error, BrokenProcessPool) and tries > 1:
                with self._lock:
                    self._pool = None if self._pool is pool else self._pool
                self._submit(answer, tries - 1, task, *rest)
            elif inner.cancelled():
                answer.cancel()
            elif error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(inner.result())

        inner.add_done_callback(done)

    def close(self) -> None:
        """Drop what has not begun; what has, goes on until its process ends with this one."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        # Spawned, not forked: threads and compiled code survive a fork badly.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, context, initializer=_begin)


def _begin() -> None:
    begin_worker()
    os.nice(NICE)


class PooledPlayers:
    """`Players` of one game in processes that all tables share.

    Bots are pure, so any worker will do. Engines are told their game anew where it has to be.
    """

    failure: PhantomGoError | None = None

    def __init__(self, table: int, game: Game, thinkers: Thinkers, engines: Engines) -> None:
        """Args: table: its number; game, thinkers, engines: what is played, and who may play."""
        self._table, self._game = table, game
        self._thinkers, self._engines = thinkers, engines

    def begin(self) -> None:
        """Nobody needs a seat before being asked."""

    def ask(self, colour: Colour) -> Future[Proposal]:
        game, side = self._game, self._game.start.side(colour)
        view, left = game.view(colour), game.left(colour)
        if side.name.startswith(ENGINE):
            name, one = side.name.removeprefix(ENGINE), (self._table, colour)
            return self._engines.ask(name, one, side.seed or 0, view, left)
        named = side.name in self._thinkers.named
        return self._thinkers.ask(propose, side.name, side.seed or 0, view, left, named)

    def hear_end(self) -> None:
        """Tell the engines; no bot of ours listens."""
        for colour in Colour:
            name = self._game.name(colour)
            if name.startswith(ENGINE):
                view = self._game.view(colour)
                self._engines.hear_end(name.removeprefix(ENGINE), (self._table, colour), view)

    def wait(self) -> None:
        """They sit at once."""


def propose(spec: str, seed: int, view: View, left: float | None, named: bool = False) -> Proposal:
    """What a bot attempts, and the seconds it took; in a share of the seconds left on a clock.

    Raises:
        BadText: it is a module's bot, and nobody has named it who may.
        Fault: it took more than it had left.
    """
    bot = make(spec, seed) if named else make_installed(spec, seed)
    task = partial(bot.propose, view)
    if left is not None:
        bot.warm_up(view.rules.size)  # compiling is not its time
        task = partial(bot.propose_within, view, share(view, left))
    began = time.perf_counter()
    move = task()
    seconds = time.perf_counter() - began
    if left is not None and seconds > left:
        raise Fault(Ending.TIME, "ran out of time")
    return move, seconds


def hint(view: View) -> Move:
    """What the adviser would attempt."""
    return advice.hint(view, ADVISER).move


def belief(view: View) -> dict[Point, float]:
    """How likely enemy stones stand where."""
    return dict(make(ADVISER, 0).stone_shares(view))


def chances(record: str) -> dict[str, list[float]]:
    """Black's winning chance at each moment of a finished game, which comes as its record.

    By the true board (`truth`), and as each player had to see it (`black`, `white`).
    """
    game = Game.resumed(read_record(record))
    found = {"truth": advice.chances(game, lambda _number: None)}
    for colour in Colour:
        found[str(colour).lower()] = advice.view_chances(game, colour)
    return {name: [round(chance, 3) for chance in shares] for name, shares in found.items()}
