"""The tables of a tournament's file: their fields, with defaults, and how each of them is read."""

from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from gtp.clock import Limit
from gtp.engine import PATIENT
from phantomgo.errors import BadText
from phantomgo.fields import Fields, Kind, Part, declared
from phantomgo.game.points import MAX_SIZE, MIN_SIZE
from phantomgo.game.rules import MAX_KOMI, PROFILES
from phantomgo.lab.matches.match import FAILURES_IN_A_ROW
from phantomgo.match.stats import Sprt
from phantomgo.records.record_json import MAX_SECONDS
from phantomgo.rng import MAX_SEED
from phantomgo.system import cores
from phantomgo.values import Choice, Number, Text, Whole

FORMATS: Final = ("round robin", "gauntlet")
MAX_GAMES: Final = 1_000_000
MAX_PLAYERS: Final = 200
MAX_MOVES: Final = 1000
LEAST_SECONDS: Final = 0.001
LEAST_RISK: Final = 1e-6
MAX_WORDS: Final = 1000
"""Characters of a spec or a path."""
_KIND: Final = Kind("tournament", BadText)


def table_of(value: object, path: str) -> dict[str, Any]:
    """A value that has to be a table."""
    if not isinstance(value, dict):
        raise BadText(f"{path}: is not a table, as [{path}] begins one")
    return value


P = TypeVar("P", bound=Part)


def read_table(kind: type[P], value: object, path: str) -> P:
    """A table of the file, by the fields that a part declares; all are optional."""
    table = Fields(table_of(value, path), _KIND, f"{path}.")
    known = [one.name for one in fields(kind)]
    for key in table.names():
        if key not in known:
            raise BadText(f"{path}.{key[:40]}: is not a key; it has {', '.join(known)}")
    return kind.read(table)


def _name(most: int) -> Any:
    def read(table: Fields, key: str) -> str:
        text = table.any_text(key, most)
        if not (text.strip() and text.isprintable()):
            raise table.wrong(key, f"{text!r} is not printable text")
        return text

    return declared(read, "")


def _games(table: Fields, key: str) -> int:
    games = table.whole(key, 2, MAX_GAMES)
    if games % 2:
        raise table.wrong(key, f"{games} is not even, and games come in pairs")
    return games


def _handicap(table: Fields, key: str) -> int | tuple[str, ...]:
    if isinstance(table.peek(key), list):
        return tuple(table.any_texts(key, 9))
    return table.whole(key, 0, MAX_SIZE * MAX_SIZE)


_SECONDS: Final = Number(LEAST_SECONDS, MAX_SECONDS)
_SPEC: Final = Text(MAX_WORDS)


@dataclass(frozen=True)
class TimeControl(Part):
    """The time of a player in a game, in seconds. A single number is the main time.

    Attributes:
        main: for the whole game.
        increment: added after each move.
        period: after the main time, for each `moves` moves (Canadian byo-yomi).
        moves: moves to make in a period.
        move: for each move, and nothing else.
    """

    main: float = declared(_SECONDS, 0.0)
    increment: float = declared(_SECONDS, 0.0)
    period: float = declared(_SECONDS, 0.0)
    moves: int = declared(Whole(1, MAX_MOVES), 1)
    move: float = declared(_SECONDS, 0.0)

    def check(self, given: Fields) -> None:
        if self.move and (self.main or self.increment or self.period or self.moves > 1):
            raise given.wrong("move", "cannot be combined with main, increment, period or moves")
        if self.increment and self.period:
            raise given.wrong("increment", "cannot be combined with a period")
        if self.moves > 1 and not self.period:
            raise given.wrong("moves", "goes with a period")
        if not (self.main or self.period or self.move):
            raise given.wrong("", "has no time; it takes main, period or move, in seconds")

    @property
    def limit(self) -> Limit:
        """The time control in the form of clocks."""
        if self.move:
            return Limit(0, self.move)
        return Limit(self.main, self.period, self.moves, self.increment)


def _time(table: Fields, key: str) -> TimeControl:
    if not isinstance(table.peek(key), dict):
        return TimeControl(table.number(key, LEAST_SECONDS, MAX_SECONDS))
    return read_table(TimeControl, table.mapping(key), table.path(key))


def _sprt(table: Fields, key: str) -> Sprt:
    table_of(table.peek(key), table.path(key))
    inner = table.object(key)
    elos = [inner.number(elo, -2000, 2000) for elo in ("elo0", "elo1")]
    given = [risk for risk in ("alpha", "beta") if inner.has(risk)]
    risks = {risk: inner.number(risk, LEAST_RISK, 0.5) for risk in given}
    inner.finish()
    try:
        return Sprt(*elos, **risks)
    except BadText as error:
        raise table.wrong(key, str(error)) from None


@dataclass(frozen=True)
class Contender(Part):
    """A player of a tournament.

    Attributes:
        spec: a bot, a book, an engine or a class of your own, as docs/players.md has them.
        label: the name in tables, records and files; by default the name of the table.
        time: the time control of this player, instead of the tournament's.
        patience: of an engine: seconds for a move without a clock, and to start if fewer than 60,
            after which it is killed.
    """

    spec: str = declared(_SPEC, "")
    label: str = _name(40)
    time: TimeControl | None = declared(_time, None)
    patience: float = declared(_SECONDS, PATIENT.move)


@dataclass(frozen=True)
class Tournament(Part):
    """The table `[tournament]`.

    Attributes:
        name: of the tournament; by default the name of the file.
        format: `round robin`, in which every two players meet; or `gauntlet`, in which the
            challengers meet all others.
        challengers: in a gauntlet: how many of the first players of the file challenge the others.
        games: of every two players who meet; an even number, as each pair of games is played with
            colours swapped.
        size: points per side.
        komi: points for White; by default even on this board, or the profile's; 0.5 with handicap.
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
    format: str = declared(Choice(FORMATS), FORMATS[0])
    challengers: int = declared(Whole(1, MAX_PLAYERS), 1)
    games: int = declared(_games, 2)
    size: int = declared(Whole(MIN_SIZE, MAX_SIZE), 9)
    komi: float | None = declared(Number(-MAX_KOMI, MAX_KOMI), None)
    rules: str = declared(Choice(PROFILES), "olympiad")
    max_moves: int = declared(Whole(0, MAX_GAMES), 0)
    handicap: int | tuple[str, ...] = declared(_handicap, 0)
    time: TimeControl | None = declared(_time, None)
    seed: int = declared(Whole(0, MAX_SEED), 0)
    jobs: int = declared(Whole(1, 8 * cores()), 1)
    failures: int = declared(Whole(1, MAX_GAMES), FAILURES_IN_A_ROW)
    sprt: Sprt | None = declared(_sprt, None)
    output: str = declared(_SPEC, "")
    sgf: bool = declared(Fields.truth, False)
