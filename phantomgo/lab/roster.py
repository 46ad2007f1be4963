"""Players by name, from a TOML file.

    [players.strong]
    spec = "phantom:playouts=2000"
    label = "Strong"                    # its name in tables, otherwise the spec

    [players.gnugo]
    command = "gnugo --mode gtp"        # an engine; or a list of words
    env = { LANG = "C" }
    folder = "engines"                  # working folder, relative to this file

A name may be used wherever a spec may. It is replaced by its spec first, so stores and records
don't depend on the file. A player is only checked when it is named: reading the file runs nothing.
"""

import re
import shlex
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bots import BOTS
from bots.foreign import installed
from bots.naming import RESERVED, Head, is_engine
from phantomgo.errors import BadText
from phantomgo.fields import Fields, Kind
from phantomgo.lab.players import canonical

FILE: Final = "phantomgo.toml"
"""The file that is read by default."""
MAX_BYTES: Final = 1 << 20
MAX_LABEL: Final = 40
KEYS: Final = ("spec", "command", "label", "env", "folder")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KIND: Final = Kind("table of players", BadText)


class NamedPlayer(NamedTuple):
    """A named player: its spec, and its label in tables if there is one."""

    spec: str
    label: str | None = None


class Roster:
    """The players of a file by their names."""

    def __init__(self, file: str = FILE, players: Mapping[str, NamedPlayer] | None = None) -> None:
        self._file, self._players = file, dict(players or {})

    def player(self, word: str) -> NamedPlayer:
        """The player that a word names: one of the file, or a spec.

        Raises:
            BadText: it is neither a name nor a bot, or both.
        """
        if not self._players or not _NAME.fullmatch(word) or word in BOTS or word in RESERVED:
            return NamedPlayer(word)
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
            return NamedPlayer(word)
        raise BadText(
            f"no player {word!r}: {self._file} has {', '.join(self._players)}; the bots are"
            f" {', '.join([*sorted(BOTS), *offered])}"
        )


def read_roster(file: Path) -> Roster:
    """The players of a file.

    Raises:
        BadText: the file is wrong; the message names the file, the table and the key.
        OSError: it cannot be read.
    """
    with file.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    try:
        top = parse_toml(data)
        for key in top:
            if key != "players":
                raise BadText(f"{key[:40]}: is not a table of this file; it has [players.NAME]")
        tables = table_of(top.get("players", {}), "players")
        for name in tables:
            if name in BOTS or name in RESERVED:
                taken = "means something else already; use another name"
                raise BadText(f"players.{name}: {name} {taken}")
        players = {name: read_entry(name, table, file.parent) for name, table in tables.items()}
    except BadText as error:
        raise BadText(f"{file}: {error}") from None
    return Roster(str(file), players)


def parse_toml(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        BadText: it is not TOML, or has more than MAX_BYTES bytes.
    """
    if len(data) > MAX_BYTES:
        raise BadText(f"has more than {MAX_BYTES} bytes")
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise BadText("not TOML: not in UTF-8") from None
    except RecursionError:
        raise BadText("not TOML: nested too deeply") from None
    except ValueError as error:  # also a number with thousands of digits
        raise BadText(f"not TOML: {str(error)[:80]}") from None


def table_of(value: object, path: str) -> dict[str, Any]:
    """A value that has to be a table.

    Raises:
        BadText: it is not.
    """
    if not isinstance(value, dict):
        raise BadText(f"{path}: is not a table, as [{path}] begins one")
    return value


def read_entry(name: str, table: object, home: Path, others: Collection[str] = ()) -> NamedPlayer:
    """The player of a table of a file in the folder `home`; the caller reads the `others` keys.

    Raises:
        BadText: the table is wrong; the message names it and the key.
    """
    path = f"players.{name[:40]}"
    if not _NAME.fullmatch(name):
        raise BadText(f"{path}: a name is a letter and up to 39 letters, digits, _ and -")
    keys, allowed = table_of(table, path), (*KEYS, *others)
    for key in keys:
        if key not in allowed:
            raise BadText(f"{path}.{key[:40]}: is not a key; a player has {', '.join(allowed)}")
    fields = Fields(keys, _KIND, f"{path}.")
    if ("spec" in keys) == ("command" in keys):
        wrong = "both a spec and a command" if "spec" in keys else "neither a spec nor a command"
        raise BadText(f"{path}: has {wrong}")
    label = fields.any_text("label", MAX_LABEL) if "label" in keys else None
    if label is not None and not (label.strip() and label.isprintable()):
        raise BadText(f"{path}.label: {label!r} is not printable text")
    if "command" in keys:
        return NamedPlayer(_engine(fields, keys, path, home), label)
    for key in ("env", "folder"):
        if key in keys:
            raise BadText(f"{path}.{key}: is for a player with a command, not a spec")
    spec = fields.text("spec", most=1000)
    if is_engine(spec):
        raise BadText(f"{path}.spec: an engine has a command instead")
    return NamedPlayer(spec, label)


def _engine(fields: Fields, keys: Mapping[str, Any], path: str, home: Path) -> str:
    """The spec of an engine: a shell's command line with its folder and environment."""
    if isinstance(keys["command"], list):
        words = shlex.join(fields.any_texts("command", 1000))
    else:
        words = fields.any_text("command", 1000)
    before = ""
    if "folder" in keys:
        folder = (home / fields.any_text("folder", 1000)).resolve()
        before = f"cd {shlex.quote(str(folder))} && "
    if "env" in keys:
        for variable, value in table_of(keys["env"], f"{path}.env").items():
            if not _VARIABLE.fullmatch(variable) or not isinstance(value, str):
                raise BadText(f'{path}.env.{variable[:40]}: is not NAME = "TEXT"')
            before += f"{variable}={shlex.quote(value)} "
    return f"{Head.ENGINE}{before}{words}"
