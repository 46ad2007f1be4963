"""`phantomgo bots`: a line for each bot, and the parameters of one."""

import json
import re

import pytest

from bots import BOTS, parameters
from bots.deployed import LEVELS, board
from bots.nets import LIBRARY
from bots.spec import DEFAULT, SHORT_NAMES
from phantomgo.app.bots import OTHERS, about
from phantomgo.app.cli import main
from phantomgo.game.points import MAX_SIZE, MIN_SIZE


def test_every_bot_has_one_line(capsys):
    assert main(["bots"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title.startswith("bots (")
    levels, end = lines.index("levels for people"), lines.index("nets")
    named, default = [tuple(line.split()) for line in lines[levels + 1 : end - 2]], lines[end - 1]
    assert named == [*LEVELS.items()]
    assert default.split() == [DEFAULT, SHORT_NAMES[DEFAULT]]
    lines[levels:end], end = [], levels
    assert [line.split()[0] for line in lines[:end]] == [*sorted(BOTS), *OTHERS]
    for line in lines[:end]:
        assert line.split("  ", 2)[2].strip() == about(line.split()[0])
        assert len(line) <= 80
    assert [line.split()[:2] for line in lines[end + 1 :][: len(LIBRARY.names())]] == [
        [name, "digest"] for name in LIBRARY.names()
    ]


@pytest.mark.parametrize("spec", ["flatmc", "flatmc:playouts=20"])
def test_the_parameters_of_a_bot(spec, capsys):
    assert main(["bots", spec]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == f"flatmc: {about('flatmc')}"
    expected = [f"  {f.name}={f.default}" for f in parameters(BOTS["flatmc"])]
    assert [line.partition("  a ")[0].partition("  one ")[0] for line in lines] == expected
    assert main(["bots", spec, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["flatmc"]["playouts"]["default"] == 1000


def test_what_plays_on_each_board_is_listed(capsys):
    """Each row is true of the first and of the last board that it names."""
    assert main(["bots", "default"]) == 0
    _, head, *rows = capsys.readouterr().out.splitlines()
    komi, nets = head.index("even komi"), head.index("nets of phantom")
    listed = []
    for row in rows:
        first, last = re.match(r"  (\d+)(?: to (\d+))?", row).groups()
        listed += range(int(first), int(last or first) + 1)
        for size in (listed[-1], int(first)):
            there = board(size)
            assert row[komi:nets].strip() == ("" if there.komi is None else f"{there.komi:g}")
            assert f"net={there.phantom.net},judge={there.phantom.judge}," in row
    assert listed == [*range(MIN_SIZE, MAX_SIZE + 1)]
