"""An engine at the end of a channel as a player.

    player = EnginePlayer(lambda: ProcessChannel(["gnugo", "--mode", "gtp"]), "gnugo")
    play_game(rules, player, bots.make("flatmc", 1))

The engine is told nothing but what the view holds, and only when it is its turn: how often and how
long the opponent thinks does not reach it. What it was told so far is compared with the view it is
asked with, so a view of another game, or of the same game after a crash, is set up from the start.

What goes wrong is a `Fault`: while the game is set up it makes it void, after that the engine has
lost.

    it refuses a command, or breaks the protocol    illegal protocol
    it is gone                                      crash
    it does not answer in time                      stall, or time where a clock runs
"""

import logging
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from gtp.channel import Broken, Channel, ChannelError, Crashed, Refused, Stalled
from gtp.drivers import PHANTOM, CompatDriver, Driver, PhantomDriver
from phantomgo.errors import BadText
from phantomgo.outcome import Ending, Fault
from phantomgo.points import PASS, RESIGN, Colour, Move, grid, parse_move
from phantomgo.rules import Rules
from phantomgo.trail import Trail
from phantomgo.view import Events, View

log = logging.getLogger(__name__)


class Patience(NamedTuple):
    """Seconds an engine may take, and after which it is killed.

    Attributes:
        start: for each command that sets up a game; the first one waits for it to load.
        message: to acknowledge a message or a stone.
        move: for a move where no clock runs.
        overrun: past the end of its time before it is interrupted.
    """

    start: float = 60.0
    message: float = 10.0
    move: float = 600.0
    overrun: float = 1.0


PATIENT: Final = Patience()

_ENDINGS: Final = {
    Refused: Ending.PROTOCOL,
    Broken: Ending.PROTOCOL,
    Crashed: Ending.CRASH,
    Stalled: Ending.STALL,
}


class EnginePlayer:
    """An engine as a player; keep it for many games and close it after them.

    Attributes:
        name: what it is called in records.
    """

    def __init__(
        self,
        start: Callable[[], Channel],
        name: str,
        *,
        patience: Patience = PATIENT,
        seconds: int | None = None,
    ) -> None:
        """`start` opens a channel to a new engine; `seconds` is its time for a whole game."""
        self.name = name
        self._start, self._patience, self._main_time = start, patience, seconds
        self._channel: Channel | None = None
        self._commands: frozenset[str] = frozenset()
        self._game: _Game | None = None
        self._seed: int | None = None

    def new_game(self, seed: int | None) -> None:
        """The next view is of a new game; `seed` goes to engines that take one."""
        self._game, self._seed = None, seed

    def join(self, view: View) -> None:
        """Start the engine, if it is not, and have it in the game of this view, before its move.

        Raises:
            Fault: it does not take part; a game that has not begun is void.
        """
        self._ready(view)

    def check(self) -> None:
        """Start the engine now, and see whether it speaks GTP.

        Raises:
            ChannelError: it cannot be started, or does not answer as it should.
        """
        try:
            self._connect()
        except ChannelError:
            self._drop()
            raise

    def told(self, command: str) -> str | None:
        """What the engine answers to a command; None if it does not run, know it or answer."""
        if self._channel is None or command not in self._commands:
            return None
        try:
            return self._channel.ask(command, self._patience.message)
        except Refused:
            return None
        except ChannelError:
            self._drop()
            return None

    def propose(self, view: View) -> Move:
        game = self._ready(view)
        ending_at_stall = Ending.STALL
        try:
            self._tell(game, view)
            limit = self._patience.move
            if game.left is not None:
                game.driver.time_left(view.colour, max(game.left, 0))
                if game.left + self._patience.overrun < limit:
                    limit, ending_at_stall = game.left + self._patience.overrun, Ending.TIME
            return self._genmove(game, view, limit)
        except ChannelError as error:
            raise self._fault(error, game, ending_at_stall) from None

    def propose_within(self, view: View, seconds: float, longest: float | None = None) -> Move:
        """Ask for a move that is to take about so long, as one stone in so much byo-yomi.

        After the `longest` time it is ended, and has lost on time.
        """
        game = self._ready(view)
        limit, at_stall = self._patience.move, Ending.STALL
        if longest is not None and longest < limit:
            limit, at_stall = longest, Ending.TIME
        try:
            self._tell(game, view)
            game.driver.time_left(view.colour, max(seconds, 1), 1)
            return self._genmove(game, view, limit)
        except ChannelError as error:
            raise self._fault(error, game, at_stall) from None

    def hear_end(self, view: View) -> None:
        """Tell what is left to tell; a game that has ended cannot be lost any more."""
        game, self._game = self._game, None
        if game is None or self._channel is None:
            return
        try:
            game.driver.tell(view, len(game.heard))
        except Refused:
            pass
        except ChannelError:
            self._drop()

    def close(self) -> None:
        """End the engine."""
        if self._channel is not None:
            self._channel.close()
        self._channel = self._game = None

    def _drop(self) -> None:
        """End an engine that is at fault; what it said on stderr may tell why."""
        if self._channel is not None:
            self._channel.kill()
            last_lines = self._channel.errors.strip().split("\n")[-10:]
            if any(last_lines):
                log.warning(
                    "the last that %s wrote to stderr: %s", self.name, "\n".join(last_lines)
                )
        self._channel = self._game = None

    def _ready(self, view: View) -> "_Game":
        """The game this view is of, set up with the engine."""
        game = self._game
        if game is not None and game.continues_in(view):
            return game
        begun = game is not None and game.asked
        try:
            self._game = self._set_up(view)
        except ChannelError as error:
            self._drop()
            kind = type(error) if begun else None
            ending = Ending.VOID if kind is None else _ENDINGS.get(kind, Ending.PROTOCOL)
            raise Fault(ending, f"does not take part: {error}") from None
        return self._game

    def _set_up(self, view: View) -> "_Game":
        self._connect()
        kind = PhantomDriver if self._commands >= PHANTOM else CompatDriver
        game = _Game(view.rules, view.colour, left=self._main_time)
        game.driver = kind(self._asker(game, self._patience.start), self._commands)
        game.driver.set_up(view.rules, view.colour, self._seed, self._main_time)
        game.driver.ask = self._asker(game, self._patience.message)
        return game

    def _connect(self) -> None:
        if self._channel is None:
            self._channel = self._start()
            self._commands = self._list_commands()

    def _list_commands(self) -> frozenset[str]:
        assert self._channel is not None
        try:
            text = self._channel.ask("list_commands", self._patience.start)
        except Refused:
            return frozenset()
        return frozenset(text.split())

    def _asker(self, game: "_Game", seconds: float) -> Callable[[str], str]:
        def ask(command: str) -> str:
            assert self._channel is not None
            game.command = command
            try:
                return self._channel.ask(command, seconds)
            except Refused as refusal:
                raise Refused(f"refused `{command[:60]}`: {refusal}") from None

        return ask

    def _tell(self, game: "_Game", view: View) -> None:
        game.driver.tell(view, len(game.heard))
        game.heard = view.events

    def _genmove(self, game: "_Game", view: View, seconds: float) -> Move:
        game.asked = True
        began = time.monotonic()
        text = self._asker(game, seconds)(f"genmove {view.colour.letter}")
        if game.left is not None:
            game.left -= time.monotonic() - began
            if game.left < 0:
                raise Fault(Ending.TIME, self._out_of_time)
        move = read_move(text, view.rules.size)
        return PASS if game.driver.insists(view, move) else move

    @property
    def _out_of_time(self) -> str:
        whole = self._main_time
        return "ran out of time" + ("" if whole is None else f": {whole} s for the game")

    def _fault(self, error: ChannelError, game: "_Game", at_stall: Ending) -> Fault:
        """An error of the channel as the end of the game; the engine is ended too."""
        self._drop()
        if isinstance(error, Refused):
            return Fault(Ending.PROTOCOL, str(error))
        if isinstance(error, Stalled) and at_stall is Ending.TIME:
            return Fault(Ending.TIME, self._out_of_time)
        return Fault(_ENDINGS[type(error)], f"{error} at `{game.command[:60]}`")


class _Game:
    """A game the engine is in.

    Attributes:
        heard: the messages it was told.
        asked: it was asked for a move.
        left: seconds left to it; None without a clock.
        command: the last command it was sent.
    """

    driver: Driver

    def __init__(self, rules: Rules, colour: Colour, left: float | None) -> None:
        self.rules, self.colour, self.left = rules, colour, left
        self.heard: Events = Trail()
        self.asked, self.command = False, ""

    def continues_in(self, view: View) -> bool:
        return (self.rules, self.colour) == (view.rules, view.colour) and (
            view.events[: len(self.heard)] == self.heard
        )


def read_move(text: str, size: int) -> Move:
    """What an engine answered to genmove. What is not a vertex is an attempt beside the board."""
    if text.lower() == "resign":
        return RESIGN
    try:
        return parse_move(text, size)
    except BadText:
        return grid(size).points
