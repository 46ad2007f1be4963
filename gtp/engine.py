"""An engine at the end of a channel as a player.

    player = EnginePlayer(lambda: ProcessChannel(["gnugo", "--mode", "gtp"]), "gnugo")
    play_game(rules, player, bots.make("flatmc", Game(rules), 1))

The engine is sent only what is in the view, and only when it is its turn, so it cannot notice how
often or how long the opponent thinks. If the view does not continue the messages sent so far, as in
another game or after a crash, the game is set up from its start.

An error of the engine is a `Fault`. While a game is set up it voids the game, later it loses it:

    a refused command, or broken protocol    illegal protocol
    an engine that is gone                   crash
    no answer in time                        stall, or time if a clock runs
"""

import logging
import math
import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, Self

from gtp.channel import Channel, ChannelError, CommandRefused, Stalled
from gtp.clock import Clock, Limit
from gtp.drivers import PHANTOM, CompatDriver, Driver, PhantomDriver
from phantomgo.errors import BadText
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS, RESIGN, Move, grid, parse_move
from phantomgo.game.view import View
from phantomgo.records.record_json import MAX_SECONDS
from phantomgo.values import checked_number

log = logging.getLogger(__name__)


class Patience(NamedTuple):
    """Seconds that an engine may take before it is killed.

    Attributes:
        start: for each command that sets up a game; the engine may load at the first one.
        message: to acknowledge a message or a stone.
        move: for a move without a clock.
        overrun: beyond the end of its time.
    """

    start: float = 60.0
    message: float = 10.0
    move: float = 600.0
    overrun: float = 1.0

    @classmethod
    def of(cls, seconds: float) -> Self:
        """The patience of somebody who waits this long for a move, and no longer for a start."""
        checked_number("patience", seconds, 0.001, MAX_SECONDS)
        usual = cls()
        return usual._replace(move=seconds, start=min(usual.start, seconds))


PATIENT: Final = Patience()


class EnginePlayer:
    """An engine as a player of any number of games; close it after them.

    Attributes:
        name: its name in records.
    """

    def __init__(
        self,
        start: Callable[[], Channel],
        name: str,
        *,
        patience: Patience = PATIENT,
        limit: Limit | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """An engine that is not started yet.

        Args:
            start: opens a channel to a new process of it.
            name: its name in records.
            patience: how long it may take.
            limit: its time in each game.
            now: seconds on a running clock, from any origin.
        """
        self.name = name
        self._now = now
        self._start, self._patience, self._limit = start, patience, limit
        self._channel: Channel | None = None
        self._commands: frozenset[str] = frozenset()
        self._game: Driver | None = None
        self._seed: int | None = None
        self._last = ""
        """The last command of a game."""

    def new_game(self, seed: int | None) -> None:
        """The next view is of a new game; `seed` goes to engines that take one."""
        self._game, self._seed = None, seed

    def join(self, view: View) -> None:
        """Start the engine unless it runs, and set up the game of this view."""
        self._ready(view)

    def check(self) -> None:
        """Start the engine unless it runs, and check that it speaks GTP."""
        try:
            self._connect()
        except ChannelError:
            self._drop()
            raise

    def answer(self, command: str) -> str | None:
        """The engine's answer to a command; None if it does not run, know it or answer."""
        if self._channel is None or command not in self._commands:
            return None
        try:
            return self._channel.ask(command, self._patience.message)
        except CommandRefused:
            return None
        except ChannelError:
            self._drop()
            return None

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        """The engine's move, on the clock of its game if that has one.

        It loses on time when that is used up, and is killed soon after.
        """
        game = self._ready(view)
        began, clock = self._now(), game.clock.asked(view.colour, view.turn)
        allowed = clock.allowed(view.colour)
        move = self._propose(view, clock, allowed + self._patience.overrun)
        # From the first message on, as in the record: an engine may think before it answers one.
        spent = self._now() - began
        game.clock = clock.thought(view.colour, spent, spent)
        if spent > allowed:
            raise self._out_of_time()
        return Decision(move)

    def decide_on(self, view: View, clock: Clock) -> Decision:
        """The engine's move on the clock of a controller, who judges whether it is in time."""
        return Decision(self._propose(view, clock, math.inf))

    def _propose(self, view: View, clock: Clock, longest: float) -> Move:
        """Send the new messages and the time left, if any, and request a move."""
        game, patience = self._ready(view), self._patience.move
        try:
            game.update(view)
            game.tell_time(clock)
            return self._genmove(game, view, min(longest, patience))
        except ChannelError as error:
            self._drop()
            if isinstance(error, Stalled) and longest < patience:
                raise self._out_of_time() from None
            where = "" if isinstance(error, CommandRefused) else f" at `{self._last[:60]}`"
            raise Fault(error.ending, f"{error}{where}") from None

    def _genmove(self, game: Driver, view: View, seconds: float) -> Move:
        game.moved = True
        text = self._ask(f"genmove {view.colour.letter}", seconds)
        move = read_move(text, view.rules.size)
        return PASS if game.must_pass(view, move) else move

    def _out_of_time(self) -> Fault:
        limit = "" if self._limit is None else f": {self._limit}"
        return Fault(Ending.TIME, f"ran out of time{limit}")

    def hear_end(self, view: View) -> None:
        """Send the remaining messages; errors of the engine no longer count."""
        game, self._game = self._game, None
        if game is None or self._channel is None:
            return
        try:
            game.update(view)
        except CommandRefused:
            pass
        except ChannelError:
            self._drop()

    def close(self) -> None:
        """End the engine."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._game = None

    def _drop(self) -> None:
        """Kill a faulty engine, and log the end of its stderr."""
        if self._channel is not None:
            self._channel.kill()
            last_lines = self._channel.errors.strip().split("\n")[-10:]
            if any(last_lines):
                log.warning("last lines of %s on stderr: %s", self.name, "\n".join(last_lines))
        self._channel = self._game = None

    def _ready(self, view: View) -> Driver:
        """The game of this view, set up with the engine."""
        game = self._game
        if game is not None and game.continues_in(view):
            return game
        begun = game is not None and game.moved
        try:
            self._game = self._set_up(view)
        except ChannelError as error:
            self._drop()
            ending = error.ending if begun else Ending.VOID
            raise Fault(ending, f"does not take part: {error}") from None
        return self._game

    def _set_up(self, view: View) -> Driver:
        self._connect()
        kind = PhantomDriver if self._commands >= PHANTOM else CompatDriver
        ask = partial(self._ask, seconds=self._patience.start)
        game = kind(ask, self._commands, view.rules, view.colour)
        game.set_up(self._seed, self._limit)
        game.ask = partial(self._ask, seconds=self._patience.message)
        return game

    def _connect(self) -> None:
        if self._channel is not None:
            return
        self._channel = self._start()
        try:
            text = self._channel.ask("list_commands", self._patience.start)
        except CommandRefused:
            text = ""
        self._commands = frozenset(text.split())

    def _ask(self, command: str, seconds: float) -> str:
        assert self._channel is not None
        self._last = command
        try:
            return self._channel.ask(command, seconds)
        except CommandRefused as refusal:
            raise CommandRefused(f"refused `{command[:60]}`: {refusal}") from None


def read_move(text: str, size: int) -> Move:
    """The move of an answer to genmove; anything else is an attempt off the board."""
    if text.lower() == "resign":
        return RESIGN
    try:
        return parse_move(text, size)
    except BadText:
        return grid(size).points
