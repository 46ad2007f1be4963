"""Work in background threads, so that no interface has to wait.

A bot cannot be interrupted, but its answer can be awaited later, or not at all: these threads do
not prevent the process from ending.
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Final, TypeVar

from bots import make
from phantomgo.errors import PhantomGoError
from phantomgo.game.beginning import Game
from phantomgo.lab.players.ready import get_ready

T = TypeVar("T")

log = logging.getLogger(__name__)
_NAME: Final = "phantomgo: "


def start(what: str, work: Callable[[], None]) -> threading.Thread:
    """Call a function in a thread of its own; return the thread."""
    thread = threading.Thread(target=work, name=_NAME + what, daemon=True)
    thread.start()
    return thread


def begin(what: str, work: Callable[[], T]) -> Future[T]:
    """Call a function in a thread of its own; return the future of its result or exception."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    start(what, run)
    return future


def running() -> bool:
    """Return whether a thread is still at work; then only `os._exit` ends the process safely.

    Kernels and their compiler, which are C++, crash if the interpreter shuts down while they run.
    """
    return any(thread.name.startswith(_NAME) for thread in threading.enumerate())


class Latest:
    """A thread that does the latest work it was given, after what it is doing, and then ends."""

    def __init__(self, what: str) -> None:
        self._what, self._lock = what, threading.Lock()
        self._waiting: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None

    def do(self, work: Callable[[], None]) -> None:
        """Call a function, unless a newer one comes before it is its turn."""
        with self._lock:
            self._waiting = work
            if self._thread is None:
                self._thread = start(self._what, self._run)

    def wait(self) -> None:
        """Wait until there is nothing to do."""
        while (thread := self._thread) is not None and thread.is_alive():
            thread.join(0.1)  # a press of Ctrl-C may come just before a longer wait begins

    def _run(self) -> None:
        while True:
            with self._lock:
                work, self._waiting = self._waiting, None
                if work is None:
                    self._thread = None
                    return
            try:
                work()
            except Exception:
                log.exception("%s failed", self._what)


class WarmUp(Latest):
    """A thread in which bots prepare for their first attempt."""

    def __init__(self) -> None:
        super().__init__("a bot warms up")
        self._wanted: tuple[str, Game] | None = None

    def begin(self, spec: str, game: Game) -> None:
        """Warm up this bot for a game, unless that was the latest to begin."""
        if (spec, game) != self._wanted:
            self._wanted = spec, game
            self.do(partial(self._warm_up, spec, game))

    def _warm_up(self, spec: str, game: Game) -> None:
        with contextlib.suppress(PhantomGoError):  # reported when an attempt is asked for
            make(spec, game, 0)  # meanwhile a controller may ask for another board
            if (spec, game) == self._wanted:
                get_ready(spec, game)
