"""Player specs: our bots, and any engine as `gtp:COMMAND LINE`.

An engine may be given a folder and environment variables as in a shell:
`gtp:cd engines && LANG=C ./engine --gtp`.

Engines are started by the process that plays the game, kept for its next games, and end with it at
the latest.
"""

import atexit
import math
import re
import shlex
import shutil
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

import bots
from bots import Bot
from bots.spec import ENGINE, is_engine, learns
from gtp.channel import ProcessChannel
from gtp.clock import Clock, Limit
from gtp.engine import PATIENT, EnginePlayer, Patience
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.player import Decision, Player
from phantomgo.game.playing import Listener
from phantomgo.game.points import Colour
from phantomgo.game.view import View
from phantomgo.lab.players.ready import get_ready

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class Conditions(NamedTuple):
    """The conditions of every game.

    Attributes:
        game: the rules, and how every game begins.
        limit: the player's time for a game; None for no clock.
        patience: seconds after which an engine that doesn't answer is killed.
    """

    game: Game
    limit: Limit | None = None
    patience: Patience = PATIENT


def player_name(spec: str, game: Game) -> str:
    """The name of a spec's player in records and tables."""
    if not spec.isprintable():  # no record or store could hold it
        raise BadText(f"player {spec[:60]!r} has a character that cannot be shown")
    if is_engine(spec):
        program(spec)
        return spec
    return bots.make(spec, game, 0).name


class Program(NamedTuple):
    """The command, folder and environment that start an engine.

    Attributes:
        words: the command.
        variables: variables added to our environment.
        folder: the working folder; None for ours.
    """

    words: list[str]
    variables: Mapping[str, str]
    folder: str | None


def program(spec: str) -> Program:
    """The engine of a spec `gtp:[cd FOLDER &&] [NAME=VALUE ...] COMMAND LINE`.

    It is parsed like a shell command, but no shell is started.
    """
    try:
        words = shlex.split(spec.removeprefix(ENGINE))
    except ValueError as error:
        raise BadText(f"player {spec[:60]!r}: {error}") from None
    folder = None
    if len(words) > 2 and (words[0], words[2]) == ("cd", "&&"):
        folder, words = words[1], words[3:]
    variables = list(takewhile(_VARIABLE.match, words))
    words = words[len(variables) :]
    if not words:
        raise BadText(f"player {spec[:60]!r} names no command")
    return Program(words, dict(word.split("=", 1) for word in variables), folder)


def check_program(spec: str) -> None:
    """Check that an engine's program exists on this machine, without starting it."""
    if not is_engine(spec):
        return
    words, variables, folder = program(spec)
    if folder is not None and not Path(folder).is_dir():
        raise BadText(f"there is no folder {folder}")
    place = str(Path(folder or "", words[0]).absolute()) if "/" in words[0] else words[0]
    if shutil.which(place, path=variables.get("PATH")) is None:
        raise BadText(f"there is no program {words[0]!r} that could be started")


def runs_code(spec: str) -> bool:
    """True for an engine, for a bot whose module is not installed, and for a bot that learns.

    A bot that learns writes a file that the spec names. Such specs are accepted from the person
    who types them, not from files.
    """
    return is_engine(spec) or learns(spec) or bots.needs_code(spec)


class SeatedBot:
    """A bot of this process in a game with a clock: each move gets a share of the time left."""

    def __init__(
        self, bot: Bot, limit: Limit, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._bot, self._clock, self._now = bot, Clock(limit), now
        self.name = bot.name

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        clock, began = self._clock.asked(view.colour, view.turn), self._now()
        decision, self._clock = clock.timed(view, self._bot.decide, self._now)
        if self._now() - began > clock.allowed(view.colour):
            raise Fault(Ending.TIME, f"ran out of time: {clock.limit}")
        return decision

    def hear_end(self, view: View) -> None:
        if isinstance(self._bot, Listener):
            self._bot.hear_end(view)


_engines: dict[tuple[str, int, Conditions], EnginePlayer] = {}


def seat_player(spec: str, place: int, seed: int, colour: Colour, conditions: Conditions) -> Player:
    """A spec's player, ready for a new game.

    `place` is the player's number in the match: an engine named twice is two processes.

    Raises:
        Fault: an engine fails.
    """
    if is_engine(spec):
        engine = _engine(spec, place, conditions)
        engine.new_game(seed)
        engine.join(View(conditions.game.rules, colour))
        return engine
    get_ready(spec, conditions.game)  # before its clock runs
    bot = bots.make(spec, conditions.game, seed)
    return bot if conditions.limit is None else SeatedBot(bot, conditions.limit)


def _engine(spec: str, place: int, conditions: Conditions) -> EnginePlayer:
    key = spec, place, conditions
    if key not in _engines:
        if not _engines:
            atexit.register(close_engines)
        start = partial(ProcessChannel, *program(spec))
        _engines[key] = EnginePlayer(
            start, spec, patience=conditions.patience, limit=conditions.limit
        )
    return _engines[key]


def close_engines() -> None:
    """End the engines of this process."""
    for engine in _engines.values():
        engine.close()
    _engines.clear()
