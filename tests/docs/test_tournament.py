"""docs/tournament.md: its examples run, and its tables have every field with its default."""

import json
import os
import re
import shlex
import tomllib
from dataclasses import MISSING, Field, fields
from pathlib import Path

import pytest

from phantomgo.app.cli import main
from phantomgo.lab.tournament.toml_file import FORMATS, Contender, TimeControl, Tournament
from tests.support.engines import argv
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "tournament.md").read_text()
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)


def shown(field: Field) -> str | None:
    """A default as TOML has it; None for one that the page has to describe."""
    value = field.default
    if value is MISSING or value in (None, "", ()):
        return None
    return (
        {str: '"{}"', bool: "{!s}"}.get(type(value), "{:g}").format(value).replace("False", "false")
    )


@pytest.mark.parametrize("kind", [Tournament, Contender, TimeControl])
def test_every_field_is_described_with_its_default(kind):
    tables = re.findall(r"^\| field \| default \|.*\n\|---.*\n((?:\|.*\n)+)", PAGE, re.M)
    rows = [re.findall(r"^\| `(\w+)` \| (.*?) \|", table, re.M) for table in tables]
    (found,) = [table for table in rows if table[0][0] == fields(kind)[0].name]
    assert [name for name, _ in found] == [field.name for field in fields(kind)]
    for (name, default), field in zip(found, fields(kind), strict=True):
        expected = shown(field)
        assert expected is None or default == f"`{expected}`", name
        assert expected is not None or "`" not in default, name


def test_the_first_tournament(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("club.toml").write_text(BLOCKS[0])
    command, trusting = re.findall(r"^    (phantomgo tournament .*)$", PAGE, re.M)
    assert trusting == f"{command} --code"
    assert main(command.split()[1:]) == 0
    (listed,) = re.findall(r"ends with\n\n```\n(.*?)```", PAGE, re.S)
    assert capsys.readouterr().out == listed
    names = set(re.findall(r"^\| `([a-z]+[./][a-z]*)` \| ", PAGE, re.M)) - {"sgf/"}
    assert {path.name for path in Path("club").iterdir()} == names


# Every other example becomes a whole file: of two players or three, and a few short games

SHORT = {"size": 5, "komi": 2.5, "games": 2}
PLAYERS = {"flat": "flatmc:playouts=100", "dice": "random"}
FIELDS = re.findall(r"`(\w+ = [^`]+)`", PAGE)
EXAMPLES = [
    *BLOCKS[1:],
    *(f"[tournament]\n{text}" for text in FIELDS if hasattr(Tournament, text.split()[0])),
    *(f'[tournament]\nformat = "{name}"' for name in FORMATS),
]


def completed(example: str) -> str:
    """A file with this example. Times are a fiftieth of those of the page, and tests are coarse."""
    example = example.replace("elo1 = 20", "elo1 = 300")
    found = tomllib.loads(example)
    players, table = found.get("players", {}), found.get("tournament", {})
    timed = any("time" in player for player in players.values())
    short = SHORT | ({"max_moves": 4} if timed else {})
    more = "".join(f"{key} = {value}\n" for key, value in short.items() if key not in table)
    if "[tournament]" not in example:
        example = f"[tournament]\n{example}"
    if len(players) < 2:
        example += "".join(f'\n[players.{name}]\nspec = "{PLAYERS[name]}"\n' for name in PLAYERS)
    example = re.sub(
        r"\b(time|main|increment|period|move) = ([0-9.]+)",
        lambda found: f"{found[1]} = {float(found[2]) / 50}",
        example,
    )
    return example.replace("[tournament]\n", f"[tournament]\n{more}")


@pytest.fixture
def gnugo(tmp_path, monkeypatch):
    """GNU Go, or who stands in for it."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gnugo").write_text(f"#!/bin/sh\nexec {shlex.join(argv('good'))}\n")
    (tmp_path / "bin" / "gnugo").chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:/usr/games:{tmp_path}/bin")


@pytest.mark.usefixtures("gnugo")
@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_other_example(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("club.toml").write_text(completed(example))
    trusted = ["--code"] if "gtp:" in example else []
    assert main(["tournament", "club.toml", *trusted]) == 0, capsys.readouterr().err
    found = json.loads(Path("club/results.json").read_text())
    assert "forfeits" not in found
    assert "sprt" in example or found["games"] == found["scheduled"]
