"""The base classes of the server's roles.

A role holds a game and everything that a command can change. The session copies it before each
command and keeps the copy only if the command succeeds, so a failed command changes nothing.
Commands that several roles share are methods of base classes, one for each subject (gtp/common.py).
"""

import copy
import math
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple, Protocol, Self

from bots import Bot
from gtp.clock import UNLIMITED, Clock
from gtp.limits import NO_LIMITS, Limits
from gtp.syntax import Failure
from phantomgo.errors import BadBook, BadStore
from phantomgo.game import Listener
from phantomgo.outcome import Fault
from phantomgo.player import Decision, Player
from phantomgo.points import PASS, RESIGN, Colour, Move, Point, PointSet, grid, vertex
from phantomgo.record import Record
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Rules
from phantomgo.view import View

"""A bot's answer."""

NO_BOOK: Final = "none"
"""Stands for no book where the name of a book may stand."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings, which outlive a game.

    Attributes:
        rules: the rules of the next game.
        komi_given: komi was set explicitly, so a profile does not change it.
        bot: the spec of the bot that answers genmove.
        seed: the bot's seed in every game; None draws a fresh one for each.
        hide: hide the moves and the knowledge of a bot's seat from the controller.
        ruled: a ruler shows the game (gtp/gogui.py), refusals included.
        clock: the time settings.
    """

    rules: Rules
    komi_given: bool = False
    bot: str = "random"
    seed: int | None = None
    hide: bool = True
    ruled: bool = False
    clock: Clock = UNLIMITED


@dataclass(frozen=True)
class Stream:
    """Lines that follow a response until the next line of input.

    Attributes:
        lines: in order; each is computed when it is requested.
        interval: least number of seconds between two lines.
    """

    lines: Iterator[str]
    interval: float


class Mover(Player, Protocol):
    """The player that answers genmove: a bot, or an engine (gtp/adapter.py)."""

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        """The probability of an enemy stone on each point where one may be hidden."""


class Services(NamedTuple):
    """Functions that the protocol core is given, as it does no input or output of its own.

    Attributes:
        make_bot: the bot of a spec and a seed; raises BadText.
        read_file: the content of a file; raises OSError.
        cpu_time: seconds of processor time used so far.
        wall_time: seconds on a running clock, from any origin.
        name: the answer to `name`.
        describe: a description of the bot of a spec.
        analyst: the bot of a spec for analysis, with a seed of its own; None if there is none.
        limits: bounds on what the controller may ask for.
        program: the answer of the program whose game a ruler shows; None if there is no program.
    """

    make_bot: Callable[[str, int], Mover]
    read_file: Callable[[str], bytes]
    cpu_time: Callable[[], float]
    wall_time: Callable[[], float]
    name: str = "phantomgo"
    describe: Callable[[str], str] = lambda spec: spec
    analyst: Callable[[str], Bot] | None = None
    limits: Limits = NO_LIMITS
    program: Callable[[str], str | None] = lambda _line: None


def no_files(path: str) -> bytes:
    """Refuses to read any file, as if none existed."""
    raise FileNotFoundError(path)


@contextmanager
def bot_failures() -> Iterator[None]:
    """Raise Failure for a bot that breaks down or plays from a book for another board."""
    try:
        yield
    except (BadBook, BadStore, Fault) as error:
        raise Failure(str(error)) from None


class Role(ABC):
    """One of the roles that the server can take towards the controller.

    Attributes:
        way: how the controller asks for this role.
        stream: the lines that follow the response to the current command.
    """

    way: ClassVar[str]
    stream: Stream | None = None

    def __init__(self, settings: Settings, services: Services) -> None:
        self.settings = settings
        self.services = services

    @property
    def size(self) -> int:
        """Points per side."""
        return self.settings.rules.size

    def copy(self) -> Self:
        """A copy that can be changed without changing this role."""
        return copy.copy(self)


class GameRole(Role):
    """A role that plays a game."""

    def __init__(self, settings: Settings, services: Services) -> None:
        super().__init__(settings, services)
        self.seed = 0
        self._bot: Mover | None = None
        self.new_game()

    @abstractmethod
    def new_game(self) -> None:
        """Start a game under the settings; the current one is lost."""
        self.seed = secrets.randbelow(MAX_SEED + 1)
        if self.settings.seed is not None:
            self.seed = self.settings.seed
        self._bot = None
        self.settings = replace(self.settings, clock=self.settings.clock.restarted())

    def clear(self) -> None:
        """Clear the board, which starts a new game unless a role overrides this."""
        self.new_game()

    @property
    @abstractmethod
    def begun(self) -> bool:
        """True if there is a stone on the board or an attempt was made."""

    @property
    @abstractmethod
    def result(self) -> str | None:
        """The result in GTP's notation; None during the game."""

    @property
    def secret(self) -> bool:
        """True if something is hidden from the controller now."""
        return self.settings.hide and self.result is None

    @abstractmethod
    def place(self, colour: Colour, points: PointSet) -> None:
        """Put handicap stones on the empty board."""

    @abstractmethod
    def komi_changed(self) -> None:
        """Apply the komi of the settings to the current game."""

    @abstractmethod
    def seen(self, colour: str | None) -> View:
        """The view that a query asks for; None is the controller's own.

        Raises:
            Failure: `not your seat` if the controller may not see it.
        """

    @abstractmethod
    def board(self) -> str:
        """The text of `showboard`."""

    @abstractmethod
    def true_board(self) -> str | None:
        """The stones of both sides; None if they are unknown or still hidden."""

    @abstractmethod
    def record(self) -> Record | None:
        """The finished game; None if it is not finished, or its referee is elsewhere.

        Raises:
            Failure: a record cannot hold a game played like this.
        """

    def would_stand(self, colour: Colour, move: Move) -> bool:
        """True if an attempt would be accepted, from the player's view alone.

        Raises:
            Failure: `not your seat`, or the view does not say.
        """
        view = self.seen(colour.letter)
        self.forbid_after_end()
        if move < 0:
            return True
        if (view.own | view.located | view.refused_now) >> move & 1:
            return False
        raise Failure("not known before an attempt")

    def move_openly(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        """Let `choose` move for a side whose moves are not hidden; returns the move.

        Raises:
            Failure: the seat is hidden, or not part of this game.
        """
        del side, choose
        raise Failure("cannot analyze: a player only proposes moves")

    def forbid_in_game(self) -> None:
        """Raise Failure during a game."""
        if self.begun and self.result is None:
            raise Failure("game in progress")

    def forbid_after_end(self) -> None:
        """Raise Failure after the end of the game."""
        if self.result is not None:
            raise Failure("game over")

    def propose(self, view: View) -> Move:
        """The bot's move: a point, PASS or RESIGN.

        Any other answer becomes `grid(size).points`, an attempt beside the board, which is refused
        like any other (as in gtp/player.py).

        Raises:
            Failure: the bot plays from a book for another board, or breaks down.
        """
        points = grid(view.rules.size).points
        move = self._asked(view, self._player()).move
        return move if move in (PASS, RESIGN) or 0 <= move < points else points

    def decide(self, view: View) -> Decision:
        """The bot's move and what it came from.

        Raises:
            Failure: as `propose`, or `cannot analyze` for an engine.
        """
        bot = self._player()
        if not isinstance(bot, Bot):
            raise Failure("cannot analyze")
        return self._asked(view, bot)

    def _asked(self, view: View, bot: Mover) -> Decision:
        """The bot's decision, within its share of the time if a clock runs."""
        clock, longest = self.settings.clock, self.services.limits.seconds
        with bot_failures():
            if not clock.runs(view.colour):
                return bot.decide(view)
            answer, clock = clock.timed(view, bot.decide, self.services.wall_time, longest)
        self.settings = replace(self.settings, clock=clock)
        return answer

    def suggest(self, view: View) -> str:
        """The answer to reg_genmove: the bot's vertex, or `pass` for anything else."""
        move, size = self.propose(view), view.rules.size
        return vertex(move if 0 <= move < grid(size).points else PASS, size)

    def opens_from(self) -> str | None:
        """The book from which the bot opens, as either colour, games like this under this clock.

        Raises:
            Failure: the bot cannot be made.
        """
        rules, clock = self.settings.rules, self.settings.clock
        seconds = 1.0 if any(map(clock.runs, Colour)) else math.inf
        with bot_failures():
            bot = self._player()
            if not isinstance(bot, Bot):
                return None
            found = (bot.opens_from(View(rules, colour), seconds) for colour in Colour)
            return next(filter(None, found), None)

    def report_end(self, view: View) -> None:
        """Pass the end of the game on to a bot that listens for it."""
        bot = self._player()
        if isinstance(bot, Listener):
            bot.hear_end(view)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        """The bot's belief about enemy stones that are not located.

        Raises:
            Failure: as `propose`.
        """
        with bot_failures():
            return self._player().stone_shares(view)

    def _player(self) -> Mover:
        """The bot of this game."""
        if self._bot is None:
            self._bot = self.services.make_bot(self.settings.bot, self.seed)
        return self._bot
