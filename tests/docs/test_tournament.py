"""docs/tournament.md: its examples run, and its tables have every field with its default."""

import re
from dataclasses import MISSING, Field, fields
from pathlib import Path

import pytest

from phantomgo.app.cli import main
from phantomgo.lab.tournament.setup import read_setup
from phantomgo.lab.tournament.tables import Contender, TimeControl, Tournament
from tests.support.places import ROOT

PAGE = (ROOT / "docs" / "tournament.md").read_text()
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
TWO = '[players.first]\nspec = "random"\n[players.second]\nspec = "random"\n'


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
    (command,) = re.findall(r"^    (phantomgo tournament .*)$", PAGE, re.M)
    assert main([*command.split()[1:], "--check"]) == 0
    assert "3 players, 60 games" in capsys.readouterr().out
    assert main(command.split()[1:]) == 0
    (listed,) = re.findall(r"ends with\n\n```\n(.*?)```", PAGE, re.S)
    assert capsys.readouterr().out == listed
    names = set(re.findall(r"^\| `([a-z]+[./][a-z]*)` \| ", PAGE, re.M)) - {"sgf/"}
    assert {path.name for path in Path("club").iterdir()} == names


@pytest.mark.parametrize("block", range(1, len(BLOCKS)))
def test_every_other_example_can_be_read(block, tmp_path):
    text = BLOCKS[block].replace("gnugo --mode", "true --mode")
    (tmp_path / "club.toml").write_text(text + TWO)
    read_setup(tmp_path / "club.toml")
