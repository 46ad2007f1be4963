"""Players by name, from a TOML file: `--players-file FILE`, or `phantomgo.toml` in the folder.

    [players.strong]
    spec = "phantom:playouts=2000"
    label = "Strong"                    # what tables call it, otherwise the spec

    [players.gnugo]
    command = "gnugo --mode gtp"        # an engine; or a list of words
    env = { LANG = "C" }
    folder = "engines"                  # where it is started, seen from this file

A name stands wherever a spec may. It becomes its spec before anything else is done, so stores and
records say who played without the file. What a player needs is looked at when the player is named:
reading the file runs nothing.
"""

import argparse
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bots import BOTS
from bots.foreign import installed
from bots.naming import RESERVED, Head, is_engine
from phantomgo.errors import BadText
from phantomgo.fields import Fields, Kind
from phantomgo.lab.players import canonical

FILE: Final = "phantomgo.toml"
"""The file that is read where none is named."""
MAX_BYTES: Final = 1 << 20
MAX_LABEL: Final = 40
KEYS: Final = ("spec", "command", "label", "env", "folder")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KIND: Final = Kind("table of players", BadText)


class Entry(NamedTuple):
    """A player as it is named: its spec, and what tables call it if not that."""

    spec: str
    label: str | None = None


class Roster:
    """The players of a file by their names."""

    def __init__(self, file: str = FILE, players: Mapping[str, Entry] | None = None) -> None:
        self._file, self._players = file, dict(players or {})

    def player(self, word: str) -> Entry:
        """The player a word stands for: one of the file, or else the word is a spec.

        Raises:
            BadText: it is neither a name nor a bot, or both.
        """
        if not self._players or not _NAME.fullmatch(word) or word in BOTS or word in RESERVED:
            return Entry(word)
        offered = installed(BOTS)
        if word in self._players and word in offered:
            raise BadText(
                f"both {self._file} and an installed package have a player {word!r}; rename the one"
                f" in the file, or name the class itself, {offered[word]}"
            )
        if word in self._players:
            entry = self._players[word]
            try:
                return entry._replace(spec=canonical(entry.spec))
            except BadText as error:
                key = "command" if is_engine(entry.spec) else "spec"
                raise BadText(f"{self._file}: players.{word}.{key}: {error}") from None
        if word in offered:
            return Entry(word)
        raise BadText(
            f"no player {word!r}: {self._file} has {', '.join(self._players)}; the bots are"
            f" {', '.join([*sorted(BOTS), *offered])}"
        )

    def settle(self, arguments: argparse.Namespace, *options: str) -> dict[str, str]:
        """Put specs in place of names, in options of one word or of several.

        Returns:
            the labels of those that have one, by spec.

        Raises:
            BadText: as `player`.
        """
        labels: dict[str, str] = {}
        for option in options:
            given = getattr(arguments, option)
            words = [given] if isinstance(given, str) else given or []
            found = [self.player(word) for word in words]
            labels |= {spec: label for spec, label in found if label is not None}
            if given is not None:
                specs = [entry.spec for entry in found]
                setattr(arguments, option, specs[0] if isinstance(given, str) else specs)
        return labels


def add_players_file(parser: argparse.ArgumentParser) -> None:
    """The option that names the file."""
    parser.add_argument(
        "--players-file", metavar="FILE", help=f"TOML with players by name (default: {FILE})"
    )


def roster(arguments: argparse.Namespace) -> Roster:
    """The players of the file that the command line names, or of the one in this folder.

    Raises:
        BadText: what is wrong with the file, by its name, the table and the key.
        OSError: it cannot be read.
    """
    named: str | None = arguments.players_file
    return read_roster(Path(named or FILE)) if named or Path(FILE).is_file() else Roster()


def read_roster(file: Path) -> Roster:
    """The players of a file.

    Raises:
        BadText: what is wrong with it, by its name, the table and the key.
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise BadText(f"has more than {MAX_BYTES} bytes")
        top = _parsed(data)
        for key in top:
            if key != "players":
                raise BadText(f"{key[:40]}: is not a table of this file; it has [players.NAME]")
        tables = _table(top.get("players", {}), "players")
        players = {name: _entry(name, table, file.parent) for name, table in tables.items()}
    except BadText as error:
        raise BadText(f"{file}: {error}") from None
    return Roster(str(file), players)


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise BadText("not TOML: not in UTF-8") from None
    except RecursionError:
        raise BadText("not TOML: nested too deeply") from None
    except ValueError as error:  # also a number with thousands of digits
        raise BadText(f"not TOML: {str(error)[:80]}") from None


def _table(value: object, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadText(f"{path}: is not a table, as [{path}] begins one")
    return value


def _entry(name: str, table: object, home: Path) -> Entry:
    """The player of a table."""
    path = f"players.{name[:40]}"
    if not _NAME.fullmatch(name):
        raise BadText(f"{path}: a name is a letter and up to 39 letters, digits, _ and -")
    if name in BOTS or name in RESERVED:
        raise BadText(f"{path}: {name} means something else already; use another name")
    keys = _table(table, path)
    for key in keys:
        if key not in KEYS:
            raise BadText(f"{path}.{key[:40]}: is not a key; a player has {', '.join(KEYS)}")
    fields = Fields(keys, _KIND, f"{path}.")
    if ("spec" in keys) == ("command" in keys):
        wrong = "both a spec and a command" if "spec" in keys else "neither a spec nor a command"
        raise BadText(f"{path}: has {wrong}")
    label = fields.any_text("label", MAX_LABEL) if "label" in keys else None
    if label is not None and not (label.strip() and label.isprintable()):
        raise BadText(f"{path}.label: {label!r} is not printable text")
    if "command" in keys:
        return Entry(_engine(fields, keys, path, home), label)
    for key in ("env", "folder"):
        if key in keys:
            raise BadText(f"{path}.{key}: is for a player with a command, not a spec")
    spec = fields.text("spec", most=1000)
    if is_engine(spec):
        raise BadText(f"{path}.spec: an engine has a command instead")
    return Entry(spec, label)


def _engine(fields: Fields, keys: Mapping[str, Any], path: str, home: Path) -> str:
    """The spec of an engine: the line a shell would take, with its folder and environment."""
    if isinstance(keys["command"], list):
        words = shlex.join(fields.any_texts("command", 1000))
    else:
        words = fields.any_text("command", 1000)
    before = ""
    if "folder" in keys:
        folder = (home / fields.any_text("folder", 1000)).resolve()
        before = f"cd {shlex.quote(str(folder))} && "
    if "env" in keys:
        for variable, value in _table(keys["env"], f"{path}.env").items():
            if not _VARIABLE.fullmatch(variable) or not isinstance(value, str):
                raise BadText(f'{path}.env.{variable[:40]}: is not NAME = "TEXT"')
            before += f"{variable}={shlex.quote(value)} "
    return f"{Head.ENGINE}{before}{words}"
