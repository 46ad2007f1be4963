"""What the two roles of the server share: settings, rules, time, bots, and looking at a view.

A role is the game and everything that a command can change. The session copies it before each
command and keeps the copy only if the command succeeds, so a failure leaves nothing half done.
"""

import copy
import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol, Self

import phantomgo
from gtp import clock, display, handicap, syntax
from gtp.clock import UNLIMITED, Clock
from gtp.syntax import Failure
from gtp.table import command
from phantomgo import wording
from phantomgo.errors import BadBook, BadRules, BadText
from phantomgo.player import Player
from phantomgo.points import (
    BLACK,
    MAX_SIZE,
    MIN_SIZE,
    PASS,
    RESIGN,
    Colour,
    Move,
    PointSet,
    grid,
    parse_points,
    point_set,
    vertex,
)
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True, slots=True)
class Settings:
    """What outlives a game.

    Attributes:
        rules: the rules of the next game.
        komi_given: komi was asked for, so a profile does not bring its own.
        bot: the spec of the bot that answers genmove.
        seed: the seed it plays in every game; None draws a fresh one for each.
        hide: do not tell the controller what a bot's seat knows or does.
        clock: the time settings.
    """

    rules: Rules
    komi_given: bool = False
    bot: str = "random"
    seed: int | None = None
    hide: bool = True
    clock: Clock = UNLIMITED


class Mover(Player, Protocol):
    """Whoever answers genmove: a bot, or an engine (gtp/adapter.py)."""

    def propose_within(self, view: View, seconds: float) -> Move:
        """The move to attempt, found in about so much time."""


class Services(NamedTuple):
    """What the protocol needs from outside, where it does no I/O of its own.

    Attributes:
        make_bot: the bot of a spec and a seed; raises BadText.
        read_file: the content of a file; raises OSError.
        cpu_time: seconds of processor time used so far.
        wall_time: seconds on a clock that runs, from whenever.
        name: what the `name` command answers.
        check_size: raises BadText if the bot of a spec does not play on boards of a size.
    """

    make_bot: Callable[[str, int], Mover]
    read_file: Callable[[str], bytes]
    cpu_time: Callable[[], float]
    wall_time: Callable[[], float]
    name: str = "phantomgo"
    check_size: Callable[[str, int], None] = lambda _spec, _size: None


# Without GoGui's %m: the colour to move may be the bot's, and every second query would fail.
ANALYZE: Final = """\
dboard/Belief/phantom-belief
gfx/Referee view/phantom-gfx
string/Last announcement/phantom-last
hstring/Log/phantom-log
hstring/True board/phantom-reveal_board
param/Settings/phantom-param"""


class Role(ABC):
    """The commands both roles know; see gtp/README.md for what each one does."""

    def __init__(self, settings: Settings, services: Services) -> None:
        self.settings = settings
        self.services = services
        self.seed = 0
        self._bot: Mover | None = None
        self.new_game()

    def copy(self) -> Self:
        """A twin that can be changed without changing this one."""
        return copy.copy(self)

    @abstractmethod
    def new_game(self) -> None:
        """Begin a game under the settings; drop the one there is."""
        self.seed = secrets.randbelow(MAX_SEED + 1)
        if self.settings.seed is not None:
            self.seed = self.settings.seed
        self._bot = None
        self.settings = replace(self.settings, clock=self.settings.clock.restarted())

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
            Failure: `not your seat` where he may not have it.
        """

    @abstractmethod
    def board(self) -> str:
        """What showboard shows."""

    @abstractmethod
    def true_board(self) -> str | None:
        """The stones of both sides; None where they are not known or not to be told."""

    def propose(self, view: View) -> Move:
        """Ask the bot for a move: a point of the board, PASS or RESIGN.

        Raises:
            Failure: it plays from a book that is for another board.
        """
        if self._bot is None:
            self._bot = self.services.make_bot(self.settings.bot, self.seed)
        points = grid(view.rules.size).points
        told = self.settings.clock.asked(view.colour, view.turn)
        seconds = told.budget(view.colour, points, view.turn)
        try:
            if seconds is None:
                move = self._bot.propose(view)
            else:
                began = self.services.wall_time()
                move = self._bot.propose_within(view, seconds)
                thought = self.services.wall_time() - began
                self._set_clock(told.thought(view.colour, thought, seconds))
        except BadBook as error:
            raise Failure(str(error)) from None
        if move not in (PASS, RESIGN) and not 0 <= move < points:
            raise ValueError(f"{self._bot.name} proposes {move}, no move on {points} points")
        return move

    # Settings of the game

    @command("boardsize")
    def boardsize(self, size: str) -> None:
        """A new game on a board of this size."""
        if not size.removeprefix("-").isdecimal() or not size.isascii():
            raise Failure("syntax error")
        if len(size) > 4 or not MIN_SIZE <= int(size) <= MAX_SIZE:
            raise Failure("unacceptable size")
        try:
            self.services.check_size(self.settings.bot, int(size))
        except BadText as error:
            raise Failure(f"unacceptable size: {error}") from None
        self.settings = replace(self.settings, rules=replace(self.settings.rules, size=int(size)))
        self.new_game()

    @command("clear_board")
    def clear_board(self) -> None:
        self.new_game()

    @command("komi")
    def komi(self, komi: str) -> None:
        rules = replace(self.settings.rules, komi=syntax.decimal(komi))
        self.settings = replace(self.settings, rules=rules, komi_given=True)
        if self.result is None:
            self.komi_changed()

    @command("phantom-rules")
    def rules(self, profile: str) -> None:
        old = self.settings.rules
        komi = old.komi if self.settings.komi_given else None
        try:
            self._change_rules(Rules.profile(profile, size=old.size, komi=komi))
        except BadRules:
            raise Failure("unsupported rules") from None

    @command("phantom-rule")
    def rule(self, key: str, value: str) -> None:
        try:
            self._change_rules(self.settings.rules.with_text(key, value))
        except BadRules:
            raise Failure("unsupported rule") from None

    @command("phantom-get_rules")
    def get_rules(self) -> str:
        return json.dumps(self.settings.rules.as_dict())

    def _change_rules(self, rules: Rules) -> None:
        self._forbid_in_game()
        self.settings = replace(self.settings, rules=rules)
        if not self.begun:
            self.new_game()

    def _forbid_in_game(self) -> None:
        if self.begun and self.result is None:
            raise Failure("game in progress")

    # Handicap

    @command("fixed_handicap")
    def fixed_handicap(self, stones: str) -> str:
        size, count = self.settings.rules.size, syntax.whole(stones)
        if size < 7 or not 2 <= count <= handicap.most(size):
            raise Failure("invalid number of stones")
        return self._place_stars(count)

    @command("place_free_handicap")
    def place_free_handicap(self, stones: str) -> str:
        """Place at most as many stones as `fixed_handicap` has places for."""
        size, count = self.settings.rules.size, syntax.whole(stones)
        if not 2 <= count < size * size:
            raise Failure("invalid number of stones")
        return self._place_stars(min(count, handicap.most(size)))

    @command("set_free_handicap")
    def set_free_handicap(self, *stones: str) -> None:
        size = self.settings.rules.size
        try:
            points = parse_points(stones, size)
        except BadText:
            raise Failure("bad vertex list") from None
        if not 2 <= len(stones) < size * size:
            raise Failure("bad vertex list")
        self._place_black(points)

    def _place_stars(self, count: int) -> str:
        size = self.settings.rules.size
        points = handicap.star_points(size, count)
        self._place_black(point_set(points))
        return " ".join(vertex(point, size) for point in points)

    def _place_black(self, points: PointSet) -> None:
        if self.begun:
            raise Failure("board not empty")
        self.place(BLACK, points)

    # Time

    @command("time_settings")
    def time_settings(self, main: str, byo_yomi: str, stones: str) -> None:
        self._set_clock(clock.gtp_clock((main, byo_yomi, stones)))

    @command("kgs-time_settings")
    def kgs_time_settings(self, kind: str, *times: str) -> None:
        self._set_clock(clock.named_clock((kind, *times), extended=False))

    @command("kata-time_settings")
    def kata_time_settings(self, kind: str, *times: str) -> None:
        self._set_clock(clock.named_clock((kind, *times), extended=True))

    @command("kata-list_time_settings")
    def kata_list_time_settings(self) -> str:
        return " ".join(clock.KINDS)

    @command("time_left")
    def time_left(self, colour: str, seconds: str, stones: str) -> None:
        side, left = syntax.colour(colour), syntax.decimal(seconds)
        self._set_clock(self.settings.clock.told(side, left, syntax.whole(stones)))

    def _set_clock(self, value: Clock) -> None:
        self.settings = replace(self.settings, clock=value)

    # The end

    @command("undo", listed=False)
    def undo(self) -> None:
        """Never: taking a move back would let a player explore what is hidden."""
        raise Failure("cannot undo")

    @command("final_score")
    def final_score(self) -> str:
        if self.result is None:
            raise Failure("cannot score")
        return self.result

    @command("phantom-reveal_board")
    def reveal_board(self) -> str:
        board = self.true_board()
        if board is None:
            raise Failure("game not over")
        return "\n" + board

    # Looking

    @command("showboard")
    def showboard(self) -> str:
        return "\n" + self.board()

    @command("phantom-view")
    def view_rows(self, colour: str | None = None) -> str:
        return "\n" + display.view_rows(self.seen(colour))

    @command("phantom-belief")
    def belief(self, colour: str | None = None) -> str:
        return "\n" + display.belief_rows(self.seen(colour))

    @command("phantom-gfx")
    def graphics(self, colour: str | None = None) -> str:
        return "\n" + display.graphics(self.seen(colour))

    @command("phantom-last")
    def last(self, colour: str | None = None) -> str:
        return display.last(self.seen(colour))

    @command("phantom-log")
    def log(self, colour: str | None = None) -> str:
        """The messages of a view as the commands that tell them."""
        view = self.seen(colour)
        lines = [wording.line(m, view.colour, view.rules.size) for m in view.events]
        return "\n".join(["", *lines]) if lines else ""

    @command("gogui-analyze_commands")
    def analyze_commands(self) -> str:
        return ANALYZE

    # The bot

    @command("phantom-param")
    def param(self, key: str | None = None, value: str | None = None) -> str | None:
        """All settings in GoGui's format, or one of them, or a new value for one."""
        values = {
            "hide": "pass" if self.settings.hide else "off",
            "bot": self.settings.bot,
            "seed": "random" if self.settings.seed is None else str(self.settings.seed),
        }
        if key is None:
            kinds = {"hide": "[list/pass/off]", "bot": "[string]", "seed": "[string]"}
            return "\n".join(f"{kinds[name]} {name} {values[name]}" for name in values)
        if key not in values:
            raise Failure(f"no parameter {key[:40]!r}; there are {', '.join(values)}")
        if value is None:
            return values[key]
        self._forbid_in_game()
        self.settings = self._with_param(key, value)
        if not self.begun:
            self.new_game()
        return None

    def _with_param(self, key: str, value: str) -> Settings:
        if key == "hide":
            if value not in ("pass", "off"):
                raise Failure("hide is pass or off")
            return replace(self.settings, hide=value == "pass")
        if key == "bot":
            try:
                self.services.make_bot(value, 0)
            except BadText as error:
                raise Failure(str(error)) from None
            return replace(self.settings, bot=value)
        if value == "random":
            return replace(self.settings, seed=None)
        if not (value.isascii() and value.isdecimal() and len(value) <= 19):
            raise Failure(f"seed is random or a number from 0 to {MAX_SEED}")
        if int(value) > MAX_SEED:
            raise Failure(f"seed is random or a number from 0 to {MAX_SEED}")
        return replace(self.settings, seed=int(value))

    @command("gomill-describe_engine")
    def describe_engine(self) -> str:
        hidden = self.secret and self.settings.seed is None
        return "\n".join(
            [
                f"phantomgo {phantomgo.__version__}",
                f"bot {self.settings.bot}",
                f"seed {'hidden until the game is over' if hidden else self.seed}",
                f"rules {self.get_rules()}",
            ]
        )

    @command("cputime")
    @command("gomill-cpu_time")
    def cpu_time(self) -> str:
        """Refused while a hidden bot plays: how long it thought tells what it thought about."""
        if self.secret:
            raise Failure("game not over")
        return f"{self.services.cpu_time():.3f}"
