"""Engines as opponents: a few processes of each, which all tables share.

Only the operator can configure engines. A table knows its engine by name: no command comes from a
request or from the file of tables, and none gets into a record. A fault ends a game as in matches
(gtp/player.py); an engine that does not take part at all can be asked again.
"""

import shlex
import threading
import time
from concurrent.futures import Future
from functools import partial

from gtp.channel import ChannelError, ProcessChannel
from gtp.player import PATIENT, EnginePlayer, Patience
from phantomgo.app import background
from phantomgo.app.table.players import Proposal
from phantomgo.app.web.turn_time import engine_seconds
from phantomgo.errors import PhantomGoError
from phantomgo.lab.players import Program
from phantomgo.outcome import Ending, Fault
from phantomgo.view import View


class EnginePool:
    """The processes of one engine."""

    def __init__(
        self, name: str, program: Program, processes: int = 1, patience: Patience = PATIENT
    ) -> None:
        """Configure the engine; no process is started yet.

        Args:
            name: of the engine at tables.
            program: how it is started.
            processes: at a time; tables wait for one.
            patience: how long it may take before it is killed.
        """
        self._name, self._program, self._patience = name, program, patience
        self._places = threading.Semaphore(processes)
        self._lock = threading.Lock()
        self._idle: list[tuple[object, EnginePlayer]] = []
        self._closed = False

    def check(self) -> None:
        """Start one process.

        Raises:
            PhantomGoError: it does not speak GTP; the error names it.
        """
        player = self._made()
        try:
            player.check()
        except ChannelError as error:
            raise PhantomGoError(f"{shlex.join(self._program.words)[:80]}: {error}") from None
        self._idle.append((None, player))

    def ask(self, game: object, seed: int, view: View, left: float | None) -> Future[Proposal]:
        """Have the engine think; return its attempt, and the seconds it took.

        Args:
            game: the same in every question about one game, and in no other.
            seed: for engines that take one.
            view: everything that the engine is sent.
            left: seconds left on its clock; None without a clock.
        """

        def propose() -> Proposal:
            with self._places:
                before, player = self._taken(game)
                try:
                    if before != game:
                        player.new_game(seed)
                    return self._asked(player, view, left)
                finally:
                    self._put_back(game, player)

        return background.begin(f"{self._name} thinks", propose)

    def _asked(self, player: EnginePlayer, view: View, left: float | None) -> Proposal:
        try:
            player.join(view)  # start-up and messages are off the clock
        except Fault as fault:
            if fault.ending is not Ending.VOID:
                raise
            raise PhantomGoError(f"{self._name} {fault}") from None
        began = time.monotonic()
        if left is None:
            move = player.propose(view)
        else:
            longest = left + self._patience.overrun
            move = player.propose_within(view, engine_seconds(view, left), longest)
        seconds = time.monotonic() - began
        if left is not None and seconds > left:
            raise Fault(Ending.TIME, "ran out of time")
        return move, seconds

    def hear_end(self, game: object, view: View) -> None:
        """Tell the processes that still know this game how it ended."""
        with self._lock:
            mine = [player for known, player in self._idle if known == game]
            self._idle = [place for place in self._idle if place[0] != game]

        def hear() -> None:
            for player in mine:
                player.hear_end(view)
                self._put_back(None, player)

        if mine:
            background.begin(f"{self._name} hears", hear)

    def _taken(self, game: object) -> tuple[object, EnginePlayer]:
        """An idle process: that of this game, else any, else a new one."""
        with self._lock:
            if not self._idle:
                return None, self._made()
            return self._idle.pop(next((n for n, (g, _) in enumerate(self._idle) if g == game), 0))

    def _put_back(self, game: object, player: EnginePlayer) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append((game, player))
                return
        player.close()

    def _made(self) -> EnginePlayer:
        start = partial(ProcessChannel, *self._program)
        return EnginePlayer(start, self._name, patience=self._patience)

    def close(self) -> None:
        """End idle processes; those that think end with this process (gtp/reaper.py)."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for _, player in idle:
            player.close()
