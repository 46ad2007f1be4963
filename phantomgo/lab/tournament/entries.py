"""The tables of the players of a tournament's file: their specs and commands."""

import re
import shlex
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from bots.naming import Head, is_engine
from phantomgo.errors import BadText
from phantomgo.fields import Fields, Kind

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


def parse_toml(data: bytes) -> dict[str, Any]:
    """The tables of a TOML file of at most MAX_BYTES bytes."""
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
    """A value that has to be a table."""
    if not isinstance(value, dict):
        raise BadText(f"{path}: is not a table, as [{path}] begins one")
    return value


def read_entry(name: str, table: object, home: Path, others: Collection[str] = ()) -> NamedPlayer:
    """The player of a table of a file in the folder `home`; the caller reads the `others` keys."""
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
