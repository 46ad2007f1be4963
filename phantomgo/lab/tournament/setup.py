"""A tournament's TOML file, read and checked before the first game.

    [tournament]
    games = 10
    size = 9
    time = { main = 60, increment = 1 }

    [players.strong]
    spec = "phantom:playouts=2000"

    [players.gnugo]
    command = "gnugo --mode gtp"
    patience = 30

Errors name the file, the line, the table and the key, with the value and what was allowed.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from bots.naming import is_engine
from gtp.player import PATIENT
from phantomgo.beginning import START, Beginning
from phantomgo.checks import cores
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.fields import Fields, Kind
from phantomgo.lab.players import canonical, program
from phantomgo.lab.seat import beginning_of, seated
from phantomgo.lab.tournament.entries import MAX_BYTES, parse_toml, read_entry, table_of
from phantomgo.lab.tournament.openings import read_openings
from phantomgo.lab.tournament.tables import FORMATS, SWISS, Contender, TimeControl, Tournament
from phantomgo.match.schedule import gauntlet, round_robin
from phantomgo.match.stats import Sprt
from phantomgo.points import MAX_SIZE, MIN_SIZE
from phantomgo.record_json import MAX_SECONDS
from phantomgo.rng import MAX_SEED
from phantomgo.rules import MAX_KOMI, PROFILES, Rules

T = TypeVar("T")

MAX_GAMES: Final = 1_000_000
MAX_PLAYERS: Final = 200
MAX_MOVES: Final = 1000
LEAST_SECONDS: Final = 0.001
LEAST_RISK: Final = 1e-6
_KIND: Final = Kind("tournament", BadText)
_PATH: Final = re.compile(r"([\w-]+(?:\.[\w-]+)*)(?:\[\d+\])?: ")
_HEADER: Final = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")


@dataclass(frozen=True)
class TournamentSetup:
    """A file that has been read and checked.

    Attributes:
        tournament: the table of that name.
        players: the players by the names of their tables, in the order of the file.
        rules: the rules of all games.
        beginning: the beginning of all games, before their openings.
        openings: the openings of pairs of games, in turn; empty if all games begin alike.
        folder: the folder of all files.
        file: the file.
        text: the text of the file.
    """

    tournament: Tournament
    players: Mapping[str, Contender]
    rules: Rules
    beginning: Beginning
    openings: tuple[Beginning, ...]
    folder: Path
    file: Path
    text: str

    @contextmanager
    def located(self, path: str | None = None) -> Iterator[None]:
        """Name the file and the line in errors raised in this block, possibly of one key."""
        with _located(self.file, self.text), _at(path) if path else nullcontext():
            yield

    @property
    def in_rounds(self) -> bool:
        """True if later rounds follow from earlier ones."""
        return self.tournament.format == SWISS

    @property
    def meetings(self) -> list[tuple[str, str]]:
        """The pairs of players who meet, by their names, if known from the start."""
        names = list(self.players)
        if self.tournament.format == "gauntlet":
            places = gauntlet(len(names), self.tournament.challengers)
        else:
            places = round_robin(len(names))
        return [(names[one], names[other]) for one, other in places]


def read_setup(file: Path) -> TournamentSetup:
    """Read a tournament's file. Nothing is run.

    Raises:
        BadText: what is wrong with it, by the file, the line, the table and the key.
        OSError: the file cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    text = data.decode(errors="replace")
    with _located(file, text):
        return _setup(parse_toml(data), file, text)


def _setup(top: dict[str, Any], file: Path, text: str) -> TournamentSetup:
    for key in top:
        if key not in ("tournament", "players"):
            raise BadText(f"{key[:40]}: is not a table of this file: [tournament], [players.NAME]")
    tournament = _tournament(_TomlTable(top.get("tournament", {}), "tournament"), file.stem)
    with _at("tournament"):
        rules = Rules.profile(tournament.rules, size=tournament.size, komi=tournament.komi)
        rules = replace(rules, max_moves=tournament.max_moves or rules.max_moves)
    beginning = _beginning(tournament.handicap, rules)
    openings: tuple[Beginning, ...] = ()
    if tournament.openings:
        with _at("tournament.openings"):
            openings = read_openings(tournament.openings, file.parent, rules, beginning.handicap)
    tables = table_of(top.get("players", {}), "players")
    if not 2 <= len(tables) <= MAX_PLAYERS:
        raise BadText(f"players: a tournament has 2 to {MAX_PLAYERS} of them, not {len(tables)}")
    players = {name: _contender(name, table, file.parent) for name, table in tables.items()}
    _check_format(tournament, players)
    labels = [player.label for player in players.values()]
    for name, player in players.items():
        if labels.count(player.label) > 1:
            raise BadText(f"players.{name}.label: {player.label!r} is another player's, too")
        with _at(f"players.{name}.{'command' if is_engine(player.spec) else 'spec'}"):
            seated([player.spec], rules, openings[0] if openings else beginning)
            canonical(player.spec)
    folder = file.parent / (tournament.output or file.stem)
    return TournamentSetup(tournament, players, rules, beginning, openings, folder, file, text)


def _check_format(tournament: Tournament, players: Mapping[str, Contender]) -> None:
    """Check that the format suits the players."""
    if tournament.sprt is not None and (tournament.format == SWISS or len(players) != 2):
        raise BadText(
            f"tournament.sprt: is for a {FORMATS[0]} of two players, not for a {tournament.format}"
            f" of {len(players)}"
        )
    if tournament.format == "gauntlet" and tournament.challengers >= len(players):
        raise BadText(
            f"tournament.challengers: {tournament.challengers} is not a whole number from 1 to"
            f" {len(players) - 1}, as there are {len(players)} players"
        )


class _TomlTable:
    """A table that is being read: every key is optional, and unknown ones are refused."""

    def __init__(self, value: object, path: str, kind: type | None = None) -> None:
        self._given = table_of(value, path)
        self._fields = Fields(self._given, _KIND, f"{path}.")
        self._path = path
        known = [field.name for field in fields(kind or Tournament)]
        for key in self._given:
            if key not in known:
                what = f"[{path}] has" if kind is None else "it has"
                raise BadText(f"{path}.{key[:40]}: is not a key; {what} {', '.join(known)}")

    def get(self, key: str, read: Callable[[Fields, str], T], otherwise: T) -> T:
        return read(self._fields, key) if key in self._given else otherwise

    def whole(self, key: str, low: int, high: int, otherwise: int) -> int:
        return self.get(key, lambda f, k: f.whole(k, low, high), otherwise)

    def number(self, key: str, low: float, high: float, otherwise: float) -> float:
        return self.get(key, lambda f, k: f.number(k, low, high), otherwise)

    def handicap(self) -> int | tuple[str, ...]:
        if isinstance(self._given.get("handicap"), list):
            return tuple(self._fields.any_texts("handicap", 9))
        return self.whole("handicap", 0, MAX_SIZE * MAX_SIZE, 0)

    def sprt(self) -> Sprt | None:
        if "sprt" not in self._given:
            return None
        path = f"{self._path}.sprt"
        table = _TomlTable(self._given["sprt"], path, Sprt)
        for key in ("elo0", "elo1"):
            if key not in table._given:
                raise BadText(f"{path}.{key}: is missing")
        elos = [table.number(key, -2000, 2000, 0) for key in ("elo0", "elo1")]
        risks = [table.number(key, LEAST_RISK, 0.5, 0.05) for key in ("alpha", "beta")]
        with _at(path):
            return Sprt(*elos, *risks)

    def time(self) -> TimeControl | None:
        if "time" not in self._given:
            return None
        if not isinstance(self._given["time"], dict):
            return TimeControl(self._fields.number("time", LEAST_SECONDS, MAX_SECONDS))
        path = f"{self._path}.time"
        return _time(_TomlTable(self._given["time"], path, TimeControl), path)


def _tournament(table: _TomlTable, stem: str) -> Tournament:
    default = Tournament()
    return Tournament(
        name=table.get("name", _label, stem),
        format=table.get("format", lambda f, k: f.choice(k, FORMATS), default.format),
        challengers=table.whole("challengers", 1, MAX_PLAYERS, default.challengers),
        rounds=table.whole("rounds", 0, MAX_PLAYERS, default.rounds),
        games=table.get("games", _games, default.games),
        size=table.whole("size", MIN_SIZE, MAX_SIZE, default.size),
        komi=table.get("komi", lambda f, k: f.number(k, -MAX_KOMI, MAX_KOMI), default.komi),
        rules=table.get("rules", lambda f, k: f.choice(k, PROFILES), default.rules),
        max_moves=table.whole("max_moves", 0, MAX_GAMES, default.max_moves),
        handicap=table.handicap(),
        openings=table.get("openings", lambda f, k: f.text(k, most=1000), default.openings),
        time=table.time(),
        seed=table.whole("seed", 0, MAX_SEED, default.seed),
        jobs=table.whole("jobs", 1, 8 * cores(), default.jobs),
        failures=table.whole("failures", 1, MAX_GAMES, default.failures),
        sprt=table.sprt(),
        output=table.get("output", lambda f, k: f.text(k, most=1000), default.output),
        sgf=table.get("sgf", lambda f, k: f.truth(k), default.sgf),
    )


def _time(table: _TomlTable, path: str) -> TimeControl:
    seconds = {
        key: table.number(key, LEAST_SECONDS, MAX_SECONDS, 0.0)
        for key in ("main", "increment", "period", "move")
    }
    control = TimeControl(**seconds, moves=table.whole("moves", 1, MAX_MOVES, 0))
    if control.move and control != TimeControl(move=control.move, moves=0):
        raise BadText(f"{path}.move: cannot be combined with main, increment, period or moves")
    if control.increment and control.period:
        raise BadText(f"{path}.increment: cannot be combined with a period")
    if control.moves and not control.period:
        raise BadText(f"{path}.moves: goes with a period")
    if not (control.main or control.period or control.move):
        raise BadText(f"{path}: has no time; it takes main, period or move, in seconds")
    return replace(control, moves=control.moves or 1)


ENGINE_KEYS: Final = ("setup", "patience", "start")


def _contender(name: str, value: object, home: Path) -> Contender:
    path = f"players.{name[:40]}"
    given = table_of(value, path)
    entry = read_entry(name, given, home, ("time", *ENGINE_KEYS))
    table = _TomlTable(given, path, Contender)
    for key in ENGINE_KEYS:
        if key in given and not is_engine(entry.spec):
            raise BadText(f"{path}.{key}: is for a player with a command, not a spec")
    if is_engine(entry.spec):
        _look_for(entry.spec, path)
    return Contender(
        entry.spec,
        given.get("command"),
        entry.label or name,
        given.get("env"),
        given.get("folder"),
        table.time(),
        table.get("setup", _commands, ()),
        table.number("patience", LEAST_SECONDS, MAX_SECONDS, PATIENT.move),
        table.number("start", LEAST_SECONDS, MAX_SECONDS, PATIENT.start),
    )


def _look_for(spec: str, path: str) -> None:
    """Check that an engine exists, without starting it."""
    with _at(f"{path}.command"):
        words, variables, folder = program(spec)
    if folder is not None and not Path(folder).is_dir():
        raise BadText(f"{path}.folder: there is no folder {folder}")
    (word, *_) = words
    if "/" in word:
        word = str(Path(folder or "", word))
    if shutil.which(word, path=variables.get("PATH")) is None:
        raise BadText(f"{path}.command: there is no program {words[0]!r} that could be started")


def _commands(table: Fields, key: str) -> tuple[str, ...]:
    commands = table.any_texts(key, 1000)
    for command in commands:
        if not (command.strip() and command.isprintable()):
            raise table.wrong(key, f"{command!r} is not a GTP command")
    return tuple(commands)


def _label(table: Fields, key: str) -> str:
    text = table.any_text(key, 80)
    if not (text.strip() and text.isprintable()):
        raise table.wrong(key, f"{text!r} is not printable text")
    return text


def _games(table: Fields, key: str) -> int:
    games = table.whole(key, 2, MAX_GAMES)
    if games % 2:
        raise table.wrong(key, f"{games} is not even, and games come in pairs")
    return games


def _beginning(handicap: int | tuple[str, ...], rules: Rules) -> Beginning:
    if not handicap:
        return START
    words = [str(handicap)] if isinstance(handicap, int) else list(handicap)
    with _at("tournament.handicap"):
        return beginning_of(words, None, rules)


@contextmanager
def _located(file: Path, text: str) -> Iterator[None]:
    """Name the file and the line in errors raised in this block."""
    try:
        yield
    except PhantomGoError as error:
        line = _line(text, str(error))
        where = f"{file}, line {line}" if line else str(file)
        raise BadText(f"{where}: {error}") from None


@contextmanager
def _at(path: str) -> Iterator[None]:
    """Name this key in errors raised in this block."""
    try:
        yield
    except PhantomGoError as error:
        raise BadText(f"{path}: {error}") from None
    except OSError as error:
        raise BadText(f"{path}: {error.filename}: {error.strerror}") from None


def _line(text: str, error: str) -> int | None:
    """The line of the key that an error names first; None if it is not found."""
    match = _PATH.match(error)
    if match is None:
        return None
    parts = match[1].split(".")
    lines, table = dict[str, int](), ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = header[1].replace('"', "").replace(" ", "")
            lines.setdefault(table, number)
        else:
            lines.setdefault(f"{table}.{line.partition('=')[0].strip()}", number)
    paths = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((lines[path] for path in paths if path in lines), None)
