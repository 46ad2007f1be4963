"""The dialogue with an engine: the commands that bring it up to a view.

An engine that lists the three phantom commands is sent the referee's messages. Any other engine is
shown the board as the player knows it, before every move, with guessed enemy stones on refused
points. So every Go engine can play Phantom Go, though not well.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from gtp.channel import BrokenProtocol, CommandRefused
from gtp.clock import UNLIMITED, Clock, Limit
from phantomgo.game import wording
from phantomgo.game.board import Board, Played
from phantomgo.game.log import Log
from phantomgo.game.messages import Ended, Message, Note, Placed
from phantomgo.game.points import BLACK, WHITE, Colour, members, vertex, vertices
from phantomgo.game.rules import CHOICES, Rules
from phantomgo.game.view import Events, View

Ask = Callable[[str], str]
"""Sends a command and returns the text of the response; raises ChannelError."""

PHANTOM: Final = frozenset({wording.ACCEPT, wording.ILLEGAL, wording.OPPONENT})
"""An engine that lists these is sent the referee's messages."""
KATA_TIME: Final = "kata-time_settings"
"""An engine that lists it takes fractions of seconds."""
VERSION: Final = "1"
"""The answer to `phantom-protocol_version`."""


class Driver(ABC):
    """One game of one engine, which a driver for the next game replaces.

    Attributes:
        clock: the time of a game whose time controls are known from its start.
        heard: the messages that it knows of.
        moved: whether it was asked for a move.
    """

    def __init__(self, ask: Ask, commands: frozenset[str], rules: Rules, colour: Colour) -> None:
        """`commands` are the engine's commands."""
        self.ask, self.commands = ask, commands
        self.rules, self.colour = rules, colour
        self.clock = UNLIMITED
        self._told: Limit | None = None
        """The time controls that the engine was sent."""
        self.heard: Events = Log()
        self.moved = False

    def set_up(self, seed: int | None, limit: Limit | None) -> None:
        """Start the game with these time controls, if any."""
        self.ask(f"boardsize {self.rules.size}")
        self.ask("clear_board")
        self.ask(f"komi {self.rules.komi:g}")
        if limit is not None:
            self.clock = Clock(limit)
            self._time_settings(limit)
        self._seat()
        if seed is None:
            return
        # GNU Go's command takes 31 bits, ours any seed.
        if "phantom-param" in self.commands:
            self.ask(f"phantom-param seed {seed}")
        elif "set_random_seed" in self.commands:
            self.ask(f"set_random_seed {seed % (1 << 31)}")

    def continues_in(self, view: View) -> bool:
        """True if the view is of this game, and of no earlier time than the engine knows."""
        same = (self.rules, self.colour) == (view.rules, view.colour)
        return same and view.events[: len(self.heard)] == self.heard

    def update(self, view: View) -> None:
        """Bring the engine up to a view."""
        self._send(view)
        self.heard = view.events

    def tell_time(self, clock: Clock) -> None:
        """Send the time that its side has left, and the time controls if they are new to it.

        An engine with KataGo's command for time controls gets hundredths of a second, any other
        whole seconds, rounded down.
        """
        if clock.limit != self._told:
            self._time_settings(clock.limit)
        left = clock.left.get(self.colour)
        if left is None or "time_left" not in self.commands:
            return
        hundredths = int(100 * max(left.seconds, 0))
        seconds = f"{hundredths / 100:.10g}" if KATA_TIME in self.commands else hundredths // 100
        stones = min(left.stones, 1) if clock.periods else left.stones
        self.ask(f"time_left {self.colour.letter} {seconds} {stones}")

    def _time_settings(self, limit: Limit | None) -> None:
        """Send the time controls, as far as the engine has commands for them.

        GTP's own command has whole seconds and no increment; KataGo's has both.
        """
        self._told = limit
        main, period, moves, increment, longest = limit or Limit(0)
        whole = main == int(main) and period == int(period)
        if KATA_TIME in self.commands and (increment or longest or not whole):
            if longest:
                kind = f"fischer-capped {main:g} {increment:g} -1 {longest:g}"
            elif increment:
                kind = f"fischer {main:g} {increment:g}"
            else:
                kind = f"canadian {main:g} {period:g} {moves}" if period else f"absolute {main:g}"
            self.ask(f"{KATA_TIME} {kind}")
        elif "time_settings" in self.commands:
            # A period without stones means no limit in GTP, and so do three zeros.
            periods = f"{max(1, int(period))} {moves}" if period else "0 0"
            told = f"{max(1, int(main)) if main else 0} {periods}" if limit else "0 1 0"
            self.ask(f"time_settings {told}")

    def _seat(self) -> None:  # noqa: B027  (not all need it)
        """Send what plain GTP has no commands for."""

    @abstractmethod
    def _send(self, view: View) -> None:
        """Send what the engine does not know of a view."""

    def must_pass(self, view: View, move: int) -> bool:  # noqa: ARG002
        """True if the engine has to pass instead of attempting this move."""
        return False


class PhantomDriver(Driver):
    """Sends the referee's messages, as the commands of gtp/README.md."""

    def _seat(self) -> None:
        if "phantom-protocol_version" in self.commands:
            version = self.ask("phantom-protocol_version")
            if version != VERSION:
                raise BrokenProtocol(
                    f"speaks version {version[:20]!r} of the phantom commands, not {VERSION}"
                )
        self.ask(f"phantom-seat {self.colour.letter}")
        if "phantom-rules" not in self.commands:
            return
        name = self.rules.profile_name
        self.ask(f"phantom-rules {name or 'olympiad'}")
        if name is None:
            for key in (*CHOICES, "max_tries", "max_moves"):
                value = getattr(self.rules, key)
                if value != getattr(Rules(), key):
                    self.ask(f"phantom-rule {key} {value}")

    def _send(self, view: View) -> None:
        for message in view.events[len(self.heard) :]:
            line = self._line(message, view)
            if line is not None:
                self.ask(line)

    def _line(self, message: Message, view: View) -> str | None:
        """The command for a message; None if it is optional and the engine does not list it."""
        size = view.rules.size
        match message:
            case Note() if wording.NOTE not in self.commands:
                return None
            case Ended() if wording.GAME_OVER not in self.commands:
                return None
            case Placed(side, points) if wording.PLACED not in self.commands and side is BLACK:
                return f"set_free_handicap {vertices(points, size)}"
        return wording.line(message, view.colour, size)


class CompatDriver(Driver):
    """Sets up the board as the player knows it before every move."""

    def _send(self, view: View) -> None:
        if view.result is not None:
            return
        self.ask("clear_board")
        # In no order of play can part of a true position have a chain without liberties.
        for colour, stones in ((view.colour, view.own), (view.colour.other, view.located)):
            for point in members(stones):
                self._play(colour, vertex(point, view.rules.size))
        self._play_guesses(view)
        if view.opponent_passed:
            self._play(view.colour.other, "pass")

    def _play_guesses(self, view: View) -> None:
        """Put enemy stones on refused points where they are legal and capture nothing."""
        enemy, size = view.colour.other, view.rules.size
        stones = {view.colour: view.own, enemy: view.located}
        for refusal in view.refused:
            board = Board(size, stones[BLACK], stones[WHITE])
            played = board.play(enemy, refusal.point)
            if not isinstance(played, Played) or played.captured:
                continue
            try:
                self._play(enemy, vertex(refusal.point, size))
            except CommandRefused:
                continue
            stones[enemy] |= 1 << refusal.point

    def _play(self, colour: Colour, where: str) -> None:
        self.ask(f"play {colour.letter} {where}")

    def must_pass(self, view: View, move: int) -> bool:
        """True for a refused move, which it would repeat until the attempts run out."""
        known = view.own | view.located | view.refused_now
        return move >= 0 and bool(known >> move & 1)
