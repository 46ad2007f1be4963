"""A tournament's TOML file (docs/tournament.md), read and checked before the first game.

Errors name the file, the line, the table and the key, with the value and what was allowed.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bots.spec import is_engine
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.files import encoding_of
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import admitted, game_of
from phantomgo.lab.players.seating import check_program, player_name, runs_code
from phantomgo.lab.tournament.toml_file import (
    MAX_PLAYERS,
    Contender,
    Tournament,
    read_table,
    table_of,
)
from phantomgo.match.schedule import gauntlet, round_robin

MAX_BYTES: Final = 1 << 20
_NAME: Final = re.compile(r"[^\W\d_][\w-]{0,39}")
_PATH: Final = re.compile(r"([\w-]+(?:\.[\w-]+)*)(?:\[\d+\])?: ")
_HEADER: Final = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")


@dataclass(frozen=True)
class TournamentSetup:
    """A file that has been read and checked.

    Attributes:
        tournament: the table of that name.
        players: the players by the names of their tables, in the order of the file.
        rules: the rules of all games.
        beginning: the beginning of all games.
        folder: the folder of all files.
        file: the file.
        text: the text of the file.
    """

    tournament: Tournament
    players: Mapping[str, Contender]
    rules: Rules
    beginning: Beginning
    folder: Path
    file: Path
    text: str

    @contextmanager
    def located(self, path: str | None = None) -> Iterator[None]:
        """Name the file and the line in errors raised in this block, possibly of one key."""
        with _located(self.file, self.text), _at(path) if path else nullcontext():
            yield

    @property
    def meetings(self) -> list[tuple[str, str]]:
        """The pairs of players who meet, by their names."""
        names = list(self.players)
        if self.tournament.format == "gauntlet":
            places = gauntlet(len(names), self.tournament.challengers)
        else:
            places = round_robin(len(names))
        return [(names[one], names[other]) for one, other in places]


def read_setup(file: Path, *, code: bool = False) -> TournamentSetup:
    """Read a tournament's file; an error names the line, the table and the key.

    Modules that it names are imported only with `code`, and else refused with its programs.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    text = data.decode(encoding_of(data), "replace")
    with _located(file, text):
        return _setup(_parsed(data), file, text, code=code)


def _parsed(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file of at most MAX_BYTES bytes."""
    if len(data) > MAX_BYTES:
        raise BadText(f"has more than {MAX_BYTES} bytes")
    try:
        return tomllib.loads(data.decode(encoding_of(data)))
    except UnicodeError:
        raise BadText("not TOML: not in UTF-8") from None
    except RecursionError:
        raise BadText("not TOML: nested too deeply") from None
    except ValueError as error:  # also a number with thousands of digits
        raise BadText(f"not TOML: {str(error)[:80]}") from None


def _setup(top: dict[str, Any], file: Path, text: str, *, code: bool) -> TournamentSetup:
    for key in top:
        if key not in ("tournament", "players"):
            raise BadText(f"{key[:40]}: is not a table of this file: [tournament], [players.NAME]")
    tournament = read_table(Tournament, top.get("tournament", {}), "tournament")
    tournament = replace(tournament, name=tournament.name or file.stem)
    stones = tournament.handicap
    with _at("tournament.handicap"):  # the other values have been checked one by one
        words = [str(stones)] if isinstance(stones, int) else list(stones)
        rules, beginning = game_of(tournament.rules, tournament.size, tournament.komi, words)
    rules = replace(rules, max_moves=tournament.max_moves or rules.max_moves)
    tables = table_of(top.get("players", {}), "players")
    if not 2 <= len(tables) <= MAX_PLAYERS:
        raise BadText(f"players: a tournament has 2 to {MAX_PLAYERS} of them, not {len(tables)}")
    players = {name: _contender(name, table) for name, table in tables.items()}
    _check_format(tournament, players)
    labels = [player.label for player in players.values()]
    for name, player in players.items():
        if labels.count(player.label) > 1:
            raise BadText(f"players.{name}.label: {player.label!r} is another player's, too")
        with _at(f"players.{name}.spec"):
            if not code and runs_code(player.spec):
                raise BadText(
                    f"{player.spec[:60]!r} would run a program or other code; if you trust whoever"
                    " wrote this file, add --code"
                )
            admitted([player.spec], rules, beginning)
            player_name(player.spec, Game(rules, beginning))
            check_program(player.spec)
    folder = file.parent / (tournament.output or file.stem)
    return TournamentSetup(tournament, players, rules, beginning, folder, file, text)


def _check_format(tournament: Tournament, players: Mapping[str, Contender]) -> None:
    """Check that the format suits the players."""
    if tournament.sprt is not None and len(players) != 2:
        raise BadText(f"tournament.sprt: is for two players, not for {len(players)}")
    if tournament.format == "gauntlet" and tournament.challengers >= len(players):
        raise BadText(
            f"tournament.challengers: {tournament.challengers} is not a whole number from 1 to"
            f" {len(players) - 1}, as there are {len(players)} players"
        )


def _contender(name: str, value: object) -> Contender:
    """The player of a table."""
    path = f"players.{name[:40]}"
    if not _NAME.fullmatch(name):
        raise BadText(f"{path}: a name is a letter and up to 39 letters, digits, _ and -")
    contender = read_table(Contender, value, path)
    if not contender.spec:
        raise BadText(f"{path}: has no spec")
    if "patience" in table_of(value, path) and not is_engine(contender.spec):
        raise BadText(f"{path}.patience: is for an engine")
    return replace(contender, label=contender.label or name)


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
