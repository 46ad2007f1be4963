"""The tables of a tournament's file: their fields, with defaults, and how each of them is read."""

import re
import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeAlias

from bots.naming import is_engine
from gtp.clock import Limit
from gtp.player import PATIENT
from phantomgo.checks import cores
from phantomgo.errors import BadText
from phantomgo.fields import Fields, Kind
from phantomgo.lab.match import FAILURES
from phantomgo.match.stats import Sprt
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.record_json import MAX_SECONDS
from phantomgo.rng import MAX_SEED
from phantomgo.rules import MAX_KOMI, PROFILES

FORMATS: Final = ("round robin", "gauntlet")
MAX_GAMES: Final = 1_000_000
MAX_PLAYERS: Final = 200
MAX_MOVES: Final = 1000
LEAST_SECONDS: Final = 0.001
LEAST_RISK: Final = 1e-6
MAX_WORDS: Final = 1000
"""Characters of a spec, a command or a path."""
_KIND: Final = Kind("tournament", BadText)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Read: TypeAlias = Callable[[Fields, str, Any], Any]
"""Reads the value of a key, which is the third argument, from a table."""


def table_of(value: object, path: str) -> dict[str, Any]:
    """A value that has to be a table."""
    if not isinstance(value, dict):
        raise BadText(f"{path}: is not a table, as [{path}] begins one")
    return value


def read_keys(kind: type, value: object, path: str) -> dict[str, Any]:
    """The keys that a table of the file has, by the readers of a dataclass; all are optional."""
    given = table_of(value, path)
    known = {one.name: one.metadata["read"] for one in fields(kind)}
    for key in given:
        if key not in known:
            raise BadText(f"{path}.{key[:40]}: is not a key; it has {', '.join(known)}")
    table = Fields(given, _KIND, f"{path}.")
    return {key: known[key](table, key, value) for key, value in given.items()}


def _read_by(read: Read, default: Any) -> Any:
    return field(default=default, metadata={"read": read})


def _whole(low: int, high: int, default: int) -> Any:
    return _read_by(lambda table, key, _: table.whole(key, low, high), default)


def _number(low: float, high: float, default: float | None) -> Any:
    return _read_by(lambda table, key, _: table.number(key, low, high), default)


def _choice(allowed: Collection[str], default: str) -> Any:
    return _read_by(lambda table, key, _: table.choice(key, allowed), default)


def _path() -> Any:
    return _read_by(lambda table, key, _: table.text(key, most=MAX_WORDS), "")


def _name(most: int) -> Any:
    def read(table: Fields, key: str, _: object) -> str:
        text = table.any_text(key, most)
        if not (text.strip() and text.isprintable()):
            raise table.wrong(key, f"{text!r} is not printable text")
        return text

    return _read_by(read, "")


def _games(table: Fields, key: str, _: object) -> int:
    games = table.whole(key, 2, MAX_GAMES)
    if games % 2:
        raise table.wrong(key, f"{games} is not even, and games come in pairs")
    return games


def _handicap(table: Fields, key: str, value: object) -> int | tuple[str, ...]:
    if isinstance(value, list):
        return tuple(table.any_texts(key, 9))
    return table.whole(key, 0, MAX_SIZE * MAX_SIZE)


@dataclass(frozen=True)
class TimeControl:
    """The time of a player in a game, in seconds. A number alone is the main time.

    Attributes:
        main: for the whole game.
        increment: added after each move.
        period: after the main time, for each `moves` moves (Canadian byo-yomi).
        moves: moves to make in a period.
        move: for each move, and nothing else.
    """

    main: float = _number(LEAST_SECONDS, MAX_SECONDS, 0.0)
    increment: float = _number(LEAST_SECONDS, MAX_SECONDS, 0.0)
    period: float = _number(LEAST_SECONDS, MAX_SECONDS, 0.0)
    moves: int = _whole(1, MAX_MOVES, 1)
    move: float = _number(LEAST_SECONDS, MAX_SECONDS, 0.0)

    @property
    def limit(self) -> Limit:
        """The same as the clock has it."""
        if self.move:
            return Limit(0, self.move)
        return Limit(self.main, self.period, self.moves, self.increment)


def _time(table: Fields, key: str, value: object) -> TimeControl:
    if not isinstance(value, dict):
        return TimeControl(table.number(key, LEAST_SECONDS, MAX_SECONDS))
    keys = read_keys(TimeControl, value, str(table.wrong(key, "")).removesuffix(": "))
    control = TimeControl(**keys)
    if control.move and len(keys) > 1:
        raise table.wrong(f"{key}.move", "cannot be combined with main, increment, period or moves")
    if control.increment and control.period:
        raise table.wrong(f"{key}.increment", "cannot be combined with a period")
    if "moves" in keys and not control.period:
        raise table.wrong(f"{key}.moves", "goes with a period")
    if not (control.main or control.period or control.move):
        raise table.wrong(key, "has no time; it takes main, period or move, in seconds")
    return control


def _spec(table: Fields, key: str, _: object) -> str:
    spec = table.text(key, most=MAX_WORDS)
    if is_engine(spec):
        raise table.wrong(key, "an engine has a command instead")
    return spec


def _command(table: Fields, key: str, value: object) -> str:
    """The words of a command as a shell's line."""
    if isinstance(value, list):
        return shlex.join(table.any_texts(key, MAX_WORDS))
    return table.any_text(key, MAX_WORDS)


def _environment(table: Fields, key: str, value: object) -> str:
    """The variables as they stand before a command in a shell's line."""
    path = str(table.wrong(key, "")).removesuffix(": ")
    for variable, text in table_of(value, path).items():
        if not _VARIABLE.fullmatch(variable) or not isinstance(text, str):
            raise table.wrong(f"{key}.{variable[:40]}", 'is not NAME = "TEXT"')
    return "".join(
        f"{variable}={shlex.quote(text)} " for variable, text in table.mapping(key).items()
    )


def _sprt(table: Fields, key: str, _: object) -> Sprt:
    inner = table.object(key)
    elos = [inner.number(elo, -2000, 2000) for elo in ("elo0", "elo1")]
    risks = [
        inner.number(risk, LEAST_RISK, 0.5) if inner.has(risk) else 0.05
        for risk in ("alpha", "beta")
    ]
    inner.finish()
    try:
        return Sprt(*elos, *risks)
    except BadText as error:
        raise table.wrong(key, str(error)) from None


@dataclass(frozen=True)
class Contender:
    """A player of a tournament.

    Attributes:
        spec: a bot, a book or a class of your own, as docs/players.md has them.
        command: the command line of an engine, or a list of words, instead of a spec.
        label: the name in tables, records and files; by default the name of the table.
        env: of an engine: variables that its environment has besides yours.
        folder: of an engine: where it is started, seen from the file.
        time: the time control of this player, instead of the tournament's.
        patience: of an engine: seconds for a move without a clock, and to start if fewer than 60,
            after which it is killed.
    """

    spec: str = _read_by(_spec, "")
    command: str = _read_by(_command, "")
    label: str = _name(40)
    env: str = _read_by(_environment, "")
    folder: str = _path()
    time: TimeControl | None = field(default=None, metadata={"read": _time})
    patience: float = _number(LEAST_SECONDS, MAX_SECONDS, PATIENT.move)


@dataclass(frozen=True)
class Tournament:
    """The table `[tournament]`.

    Attributes:
        name: of the tournament; by default the name of the file.
        format: `round robin`, in which every two players meet; or `gauntlet`, in which the
            challengers meet all others.
        challengers: in a gauntlet: how many of the first players of the file challenge the others.
        games: of every two players who meet; an even number, as each pair of games is played with
            colours swapped.
        size: points per side.
        komi: points for White; by default even on this board, or the profile's.
        rules: the profile that says who is told what.
        max_moves: accepted moves after which a game is scored as it stands; 0 for four times the
            number of points.
        handicap: Black's stones on the board from the start: how many, or a list of vertices.
        time: the time control of all players who have none of their own.
        seed: all others are derived from it.
        jobs: games at a time.
        failures: games in a row that a player may fail to begin, or lose by a crash, a stall or
            illegal protocol, before they are set aside.
        sprt: a sequential test between two players, which ends the tournament.
        output: the folder of all files of the tournament, seen from the file; by default the name
            of the file.
        sgf: whether SGF files of each game and of each side's view of it are written.
    """

    name: str = _name(80)
    format: str = _choice(FORMATS, FORMATS[0])
    challengers: int = _whole(1, MAX_PLAYERS, 1)
    games: int = _read_by(_games, 2)
    size: int = _whole(MIN_SIZE, MAX_SIZE, 9)
    komi: float | None = _number(-MAX_KOMI, MAX_KOMI, None)
    rules: str = _choice(PROFILES, "olympiad")
    max_moves: int = _whole(0, MAX_GAMES, 0)
    handicap: int | tuple[str, ...] = _read_by(_handicap, 0)
    time: TimeControl | None = field(default=None, metadata={"read": _time})
    seed: int = _whole(0, MAX_SEED, 0)
    jobs: int = _whole(1, 8 * cores(), 1)
    failures: int = _whole(1, MAX_GAMES, FAILURES)
    sprt: Sprt | None = field(default=None, metadata={"read": _sprt})
    output: str = _path()
    sgf: bool = _read_by(lambda table, key, _: table.truth(key), False)
