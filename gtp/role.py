"""What the server can be to a controller: the base of every role.

A role is the game and everything that a command can change. The session copies it before each
command and keeps the copy only if the command succeeds, so a failure leaves nothing half done.
Commands that several roles share are themes of theirs (gtp/common.py): each is a class
made of a role, and keeps nothing itself.
"""

import copy
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self, TypeVar

from bots import Bot
from bots.decision import Decision
from gtp.clock import UNLIMITED, Clock
from gtp.limits import NO_LIMITS, Limits
from gtp.syntax import Failure
from phantomgo.errors import BadBook, BadStore
from phantomgo.game import Listener
from phantomgo.outcome import Fault
from phantomgo.player import Player
from phantomgo.points import PASS, RESIGN, Colour, Move, Point, PointSet, grid, vertex
from phantomgo.record import Record
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Rules
from phantomgo.view import View

A = TypeVar("A")
"""A bot's answer."""

NO_BOOK: Final = "none"
"""What stands for no book, where a book's name may stand."""
BOOKLESS: Final = "phantom"
"""Who plays without a book, if not another bot."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What outlives a game.

    Attributes:
        rules: the rules of the next game.
        komi_given: komi was asked for, so a profile does not bring its own.
        bot: the spec of the bot that answers genmove.
        seed: the seed it plays in every game; None draws a fresh one for each.
        hide: do not tell the controller what a bot's seat knows or does.
        ruled: a ruler shows the game (gtp/gogui.py), refusals too.
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
        lines: in order; each is thought about when it is asked for.
        interval: seconds from one to the next, at least.
    """

    lines: Iterator[str]
    interval: float


class Mover(Player, Protocol):
    """Whoever answers genmove: a bot, or an engine (gtp/adapter.py)."""

    def propose_within(self, view: View, seconds: float) -> Move:
        """The move to attempt, found in about so much time."""

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        """How likely an enemy stone stands on each point where one may be hidden."""


class Services(NamedTuple):
    """What the protocol needs from outside, where it does no I/O of its own.

    Attributes:
        make_bot: the bot of a spec and a seed; raises BadText.
        read_file: the content of a file; raises OSError.
        cpu_time: seconds of processor time used so far.
        wall_time: seconds on a clock that runs, from whenever.
        name: what the `name` command answers.
        check_size: raises BadText if the bot of a spec does not play on boards of a size.
        describe: what is said of the bot of a spec to whoever asks; its spec, unless it is more.
        analyst: the bot of a spec for analysis, with a seed of its own; None where there is none.
        limits: what the controller may ask for.
        program: asks the program whose game a ruler shows; None where there is none.
        book_of: the name of the book that the bot of a spec plays from under some rules.
    """

    make_bot: Callable[[str, int], Mover]
    read_file: Callable[[str], bytes]
    cpu_time: Callable[[], float]
    wall_time: Callable[[], float]
    name: str = "phantomgo"
    check_size: Callable[[str, int], None] = lambda _spec, _size: None
    describe: Callable[[str], str] = lambda spec: spec
    analyst: Callable[[str], Bot] | None = None
    limits: Limits = NO_LIMITS
    program: Callable[[str], str | None] = lambda _line: None
    book_of: Callable[[str, Rules], str] = lambda _spec, _rules: NO_BOOK


class Role(ABC):
    """What the server is to the controller.

    Attributes:
        themes: classes with further commands of this role; each is made of it.
        way: what the controller says to come to this role.
    """

    themes: ClassVar[tuple[type[Any], ...]] = ()
    way: ClassVar[str]
    stream: Stream | None = None
    """What follows the response to the command that is being run."""

    def __init__(self, settings: Settings, services: Services) -> None:
        self.settings = settings
        self.services = services

    @classmethod
    @abstractmethod
    def asked_for(cls, word: str, settings: Settings, services: Services) -> Self | None:
        """The role if `phantom-seat WORD` asks for this one."""

    def copy(self) -> Self:
        """A twin that can be changed without changing this one."""
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
        """Begin a game under the settings; drop the one there is."""
        self.seed = secrets.randbelow(MAX_SEED + 1)
        if self.settings.seed is not None:
            self.seed = self.settings.seed
        self._bot = None
        self.settings = replace(self.settings, clock=self.settings.clock.restarted())

    def clear(self) -> None:
        """Clear the board: a new game, unless a role knows better."""
        self.new_game()

    @property
    @abstractmethod
    def begun(self) -> bool:
        """Whether a stone stands or an attempt was made."""

    @property
    @abstractmethod
    def result(self) -> str | None:
        """How the game ended, as GTP writes it; None while it goes on."""

    @property
    @abstractmethod
    def secret(self) -> bool:
        """Whether there is something to keep from the controller now."""

    @abstractmethod
    def place(self, colour: Colour, points: PointSet) -> None:
        """Put handicap stones on the empty board."""

    @abstractmethod
    def komi_changed(self) -> None:
        """Bring the komi of the settings into the game that is on."""

    @abstractmethod
    def seen(self, colour: str | None) -> View:
        """The view a query asks for; None asks for the one the controller goes by.

        Raises:
            Failure: `not your seat` where they may not have it.
        """

    @abstractmethod
    def board(self) -> str:
        """What showboard shows."""

    @abstractmethod
    def true_board(self) -> str | None:
        """The stones of both sides; None where they are not known or not to be told."""

    @abstractmethod
    def record(self) -> Record | None:
        """The game, once it is over; None where it is not, or not known.

        Raises:
            Failure: a record has no form for how this game was played.
        """

    def would_stand(self, colour: Colour, move: Move) -> bool:
        """Whether an attempt would be accepted, as far as the player's view tells.

        Raises:
            Failure: `not your seat`, or the view leaves it open.
        """
        view = self.seen(colour.letter)
        if view.result is not None:
            raise Failure("game over")
        if move < 0:
            return True
        if (view.own | view.located | view.refused_now) >> move & 1:
            return False
        raise Failure("only an attempt tells")

    def move_openly(self, side: Colour, choose: Callable[[View], Move]) -> Move:
        """Move as genmove does, by these attempts, where nothing of it is hidden.

        Raises:
            Failure: the seat is hidden, or not of this game.
        """
        del side, choose
        raise Failure("cannot analyze: a player only proposes moves")

    def forbid_in_game(self) -> None:
        """Raise Failure while a game is on."""
        if self.begun and self.result is None:
            raise Failure("game in progress")

    def propose(self, view: View) -> Move:
        """Ask the bot for a move: a point, PASS or RESIGN.

        Whatever is none of them is an attempt at one point more than there are, and is refused as
        any other (`grid(size).points`, as in gtp/player.py).

        Raises:
            Failure: it plays from a book that is for another board, or breaks down.
        """
        bot = self._player()
        points = grid(view.rules.size).points
        move = self._asked(view, bot.propose, bot.propose_within)
        return move if move in (PASS, RESIGN) or 0 <= move < points else points

    def decide(self, view: View) -> Decision:
        """Ask the bot for a move and what it came from.

        Raises:
            Failure: it is an engine, plays from a book that is for another board, or breaks down.
        """
        bot = self._player()
        if not isinstance(bot, Bot):
            raise Failure("cannot analyze")
        return self._asked(view, bot.decide, bot.decide)

    def _asked(
        self, view: View, freely: Callable[[View], A], within: Callable[[View, float], A]
    ) -> A:
        """What the bot answers, on the clock where one runs."""
        told = self.settings.clock.asked(view.colour, view.turn)
        seconds = told.budget(view.colour, grid(view.rules.size).points, view.turn)
        try:
            if seconds is None:
                return freely(view)
            seconds = min(seconds, self.services.limits.seconds)
            began = self.services.wall_time()
            answer = within(view, seconds)
        except (BadBook, BadStore, Fault) as error:
            raise Failure(str(error)) from None
        thought = self.services.wall_time() - began
        clock = told.thought(view.colour, thought, seconds)
        self.settings = replace(self.settings, clock=clock)
        return answer

    def suggest(self, view: View) -> str:
        """What reg_genmove answers: the bot's vertex, `pass` for what is none."""
        move, size = self.propose(view), view.rules.size
        return vertex(move if 0 <= move < grid(size).points else PASS, size)

    def tell_end(self, view: View) -> None:
        """Tell the bot how the game ended, if it wants to hear of it."""
        bot = self._player()
        if isinstance(bot, Listener):
            bot.hear_end(view)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        """Where the bot believes enemy stones to be; located ones are not among the points.

        Raises:
            Failure: it plays from a book that is for another board, or breaks down.
        """
        try:
            return self._player().stone_shares(view)
        except (BadBook, BadStore, Fault) as error:
            raise Failure(str(error)) from None

    def _player(self) -> Mover:
        """The bot of this game."""
        if self._bot is None:
            self._bot = self.services.make_bot(self.settings.bot, self.seed)
        return self._bot


class Theme:
    """Commands about one matter, for whatever role plays the game."""

    def __init__(self, role: GameRole) -> None:
        self.role = role
