"""The bot that answers genmove, under the settings of the server and on its clock.

A `Thinker` is a part of every role (gtp/role.py) and survives a change of role. It makes the bot of
a game when it is first asked. What it is given (`Services`) does all input and output.
"""

import errno
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from bots import Bot
from gtp.clock import UNLIMITED, Clock
from gtp.limits import NO_LIMITS, ControllerLimits
from gtp.syntax import Failure
from phantomgo.errors import BadBook, BadStore
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Fault
from phantomgo.game.player import Decision, Player
from phantomgo.game.playing import Listener
from phantomgo.game.points import PASS, RESIGN, Move, Point, grid, vertex
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import fresh_seed


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings, which outlive a game.

    Attributes:
        rules: the rules of the next game.
        komi_given: the controller or the command line set komi, so a profile does not change it.
        bot: the spec of the bot that answers genmove.
        seed: the bot's seed in every game; None draws a fresh one for each.
        hide: hide the moves and the knowledge of a bot's seat from the controller.
        clock: the time settings.
        komi_before: the komi before a file brought its own, for files that bring none; None while
            the komi comes from elsewhere.
    """

    rules: Rules
    komi_given: bool = False
    bot: str = "random"
    seed: int | None = None
    hide: bool = True
    clock: Clock = UNLIMITED
    komi_before: float | None = None


class Mover(Player, Protocol):
    """The player that answers genmove: a bot, or an engine (gtp/adapter.py)."""

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        """The probability of an enemy stone on each point where one may be hidden."""


@runtime_checkable
class ClockReader(Protocol):
    """A player that divides its time itself, as engines do."""

    def decide_on(self, view: View, clock: Clock) -> Decision:
        """The move to attempt; on the clock, the side's turn has begun (`Clock.asked`)."""


class Services(NamedTuple):
    """Functions that the protocol core is given, as it does no input or output of its own.

    Attributes:
        make_bot: the bot of a spec, for a game and with a seed; raises BadText and BadBook.
        read_file: the content of a file; raises OSError and BadText.
        cpu_time: seconds of processor time used so far.
        wall_time: seconds on a running clock, from any origin.
        name: the answer to `name`.
        describe: a description of the bot of a spec.
        analyst: the bot of a spec for analysis of a game, with a seed of its own; None if there is
            none.
        limits: bounds on what the controller may ask for.
        program: the answer of the program whose game a ruler shows; None if there is no program.
    """

    make_bot: Callable[[str, Game, int], Mover]
    read_file: Callable[[str], bytes]
    cpu_time: Callable[[], float]
    wall_time: Callable[[], float]
    name: str = "phantomgo"
    describe: Callable[[str], str] = lambda spec: spec
    analyst: Callable[[str, Game], Bot] | None = None
    limits: ControllerLimits = NO_LIMITS
    program: Callable[[str], str | None] = lambda _line: None


def no_files(path: str) -> bytes:
    """Refuses to read any file."""
    raise PermissionError(errno.EACCES, "this server reads no files", path)


@contextmanager
def bot_failures() -> Iterator[None]:
    """Raise Failure for a bot that breaks down or plays from a book for another board."""
    try:
        yield
    except (BadBook, BadStore, Fault) as error:
        raise Failure(str(error)) from None


class Thinker:
    """Settings, services, and the bot of the current game with its spec and seed.

    Decisions raise Failure if the bot plays from a book for another board, or breaks down.
    """

    def __init__(self, settings: Settings, services: Services) -> None:
        self.settings, self.services = settings, services
        self.seed, self.spec = 0, settings.bot
        self._bot: tuple[Game, Mover] | None = None

    def change(self, **values: Any) -> None:
        """Change these settings."""
        self.settings = replace(self.settings, **values)

    def new_game(self) -> None:
        """Draw the seed of a new game, make no bot yet, and restart the clock."""
        seed = self.settings.seed
        self.seed = fresh_seed() if seed is None else seed
        self._bot, self.spec = None, self.settings.bot
        self.change(clock=self.settings.clock.restarted())

    def bot(self, view: View) -> Mover:
        """The bot that plays the game of a view; with other komi or handicap it is made again."""
        game = Game.of(view)
        if self._bot is None or self._bot[0] != game:
            self._bot = game, self.services.make_bot(self.settings.bot, game, self.seed)
        return self._bot[1]

    def propose(self, view: View) -> Move:
        """The bot's move: a point, PASS or RESIGN."""
        return self.decide(view).move

    def decide(self, view: View) -> Decision:
        """The bot's decision, within its share of the time if a clock runs.

        Any other move than a point, PASS or RESIGN becomes `grid(size).points`, an attempt off the
        board, which is refused like any other (as in gtp/engine.py).
        """
        decision, points = self._on_the_clock(view), grid(view.rules.size).points
        if decision.move in (PASS, RESIGN) or 0 <= decision.move < points:
            return decision
        return Decision(points)

    def _on_the_clock(self, view: View) -> Decision:
        clock, longest = self.settings.clock, self.services.limits.seconds
        with bot_failures():
            bot = self.bot(view)

            def decide(view: View, seconds: float) -> Decision:
                if isinstance(bot, ClockReader):
                    return bot.decide_on(view, clock.asked(view.colour, view.turn))
                return bot.decide(view, seconds)

            if not clock.runs(view.colour):
                return decide(view, math.inf)
            decision, after = clock.timed(view, decide, self.services.wall_time, longest)
        self.change(clock=after)
        return decision

    def suggest(self, view: View) -> str:
        """The answer to reg_genmove: the bot's vertex, or `pass` for anything else."""
        move, size = self.propose(view), view.rules.size
        return vertex(move if 0 <= move < grid(size).points else PASS, size)

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        """The bot's belief about enemy stones that are not located."""
        with bot_failures():
            return self.bot(view).stone_probabilities(view)

    def opens_from(self, view: View) -> str | None:
        """The opening book that the bot uses in a game that begins with this view."""
        with bot_failures():
            bot = self.bot(view)
            return bot.opens_from(view) if isinstance(bot, Bot) else None

    def report_end(self, view: View) -> None:
        """Pass the end of the game on to a bot that listens for it."""
        bot = self.bot(view)
        if isinstance(bot, Listener):
            bot.hear_end(view)
