"""Engines as opponents: a few processes of each, which all tables share.

Only whoever starts the server names engines. A table knows its engine by name: no command comes out
of a request, out of the file of the tables, or into a record. What goes wrong ends a game as in
matches (gtp/player.py); where the engine does not take part at all it can be asked again.
"""

import shlex
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from functools import partial

from gtp.channel import ChannelError, ProcessChannel
from gtp.player import PATIENT, EnginePlayer, Patience
from phantomgo.app.table import background
from phantomgo.app.table.players import Proposal
from phantomgo.app.web.tempo import engine_seconds
from phantomgo.errors import PhantomGoError
from phantomgo.lab.players import Program
from phantomgo.outcome import Ending, Fault
from phantomgo.view import View


class Engines:
    """The engines of a server, by name."""

    def __init__(
        self,
        programs: Mapping[str, Program],
        processes: int = 1,
        patience: Patience = PATIENT,
    ) -> None:
        """No process is started yet.

        Args:
            programs: how each engine is started, by its name.
            processes: of each engine at a time; tables wait for one.
            patience: how long an engine may take before it is ended.
        """
        self._stables = {
            name: Stable(name, program, processes, patience) for name, program in programs.items()
        }

    def check(self) -> None:
        """Start one process of each, and see whether it speaks GTP.

        Raises:
            PhantomGoError: one of them does not; the error names it.
        """
        for stable in self._stables.values():
            stable.check()

    def ask(
        self, name: str, game: object, seed: int, view: View, left: float | None
    ) -> Future[Proposal]:
        """What an engine attempts, and the seconds it took.

        Args:
            name: the engine's.
            game: what is the same in every question about one game, and in no other.
            seed: for engines that take one.
            view: all that the engine is told.
            left: seconds left on its clock; None without a clock.
        """
        if name in self._stables:
            question = partial(self._stables[name].propose, game, seed, view, left)
            return background.begin(f"{name} thinks", question)
        answer: Future[Proposal] = Future()
        answer.set_exception(PhantomGoError(f"this server has no engine {name!r} now"))
        return answer

    def hear_end(self, name: str, game: object, view: View) -> None:
        """Tell an engine how a game ended, if it is still in it."""
        if name in self._stables:
            background.begin(f"{name} hears", partial(self._stables[name].hear_end, game, view))

    def close(self) -> None:
        """End the engines that do not think; the others end with this process (gtp/reaper.py)."""
        for stable in self._stables.values():
            stable.close()


class Stable:
    """The processes of one engine."""

    def __init__(self, name: str, program: Program, processes: int, patience: Patience) -> None:
        self._name, self._program, self._patience = name, program, patience
        self._places = threading.Semaphore(processes)
        self._lock = threading.Lock()
        self._idle: list[tuple[object, EnginePlayer]] = []
        self._closed = False

    def check(self) -> None:
        player = self._made()
        try:
            player.check()
        except ChannelError as error:
            raise PhantomGoError(f"{shlex.join(self._program.words)[:80]}: {error}") from None
        self._idle.append((None, player))

    def propose(self, game: object, seed: int, view: View, left: float | None) -> Proposal:
        """Runs in a thread; waits for a process."""
        with self._places:
            before, player = self._taken(game)
            try:
                if before != game:
                    player.new_game(seed)
                return self._asked(player, view, left)
            finally:
                self._put_back(game, player)

    def _asked(self, player: EnginePlayer, view: View, left: float | None) -> Proposal:
        try:
            player.join(view)  # to start and to listen is no thinking
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
        """Runs in a thread."""
        with self._lock:
            mine = [place for place in self._idle if place[0] == game]
            self._idle = [place for place in self._idle if place[0] != game]
        for _, player in mine:
            player.hear_end(view)
            self._put_back(None, player)

    def _taken(self, game: object) -> tuple[object, EnginePlayer]:
        """A process that nobody asks: that of this game, else any, else a new one."""
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
        return EnginePlayer(
            partial(ProcessChannel, *self._program), self._name, patience=self._patience
        )

    def close(self) -> None:
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for _, player in idle:
            player.close()
