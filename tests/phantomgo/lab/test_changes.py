"""One line of a bot is changed in a copy: whatever was learned or measured before is refused.

The unchanged copy passes. Every change alters some game, many of them only late in one.
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from phantomgo.app.cli import main
from tests.support.commands import python
from tests.support.places import ROOT


class Change(NamedTuple):
    """In a file of `bots`, one text is replaced by another; `who` plays otherwise then."""

    who: str
    file: str
    old: str
    new: str


RANDOM, FLAT, PHANTOM, BOOK = "random", "flatmc:playouts=200", "phantom:playouts=100", "book:"
CHANGES = {
    "eyes": Change(RANDOM, "belief.py", "(2 if diagonals", "(3 if diagonals"),
    "the book's draw": Change(BOOK, "book.py", "symmetry(bot.seed, colour)", "symmetry(0, colour)"),
    "presumption": Change(FLAT, "belief.py", "_placeable(view, refused & ~eyes)", "0"),
    "a pass to a pass": Change(
        FLAT, "passing.py", "_passed and wins_as_it_stands(view):", "_passed:"
    ),
    "worlds of a pass": Change(FLAT, "passing.py", "WORLDS: Final = 200", "WORLDS: Final = 20"),
    "komi": Change(FLAT, "worlds.py", "floor(rules.", "floor(0 * rules."),
    "retries": Change(PHANTOM, "phantom.py", "if refusal.turn < view.turn", "if refusal.turn < 0"),
    "odds": Change(PHANTOM, "kernels/net.py", "FULL_ODDS = 1 << 22", "FULL_ODDS = 16"),
    "ties": Change(PHANTOM, "kernels/best.py", "mix(key + (i + 1) * GAMMA)", "mix(key + i)"),
}


def commands(folder: Path, who: str) -> dict[str, list[str]]:
    """Commands that go on from what a player has left in a folder."""
    board = ["--size", "5", "--komi", "2.5"]
    name = f"{folder}/{who.partition(':')[0]}"
    player = f"book:{name}.json" if who == BOOK else who
    games = ["--black", player, "--white", "random", "--games", "2", "--store", f"{name}-match.db"]
    learn = ["--bot", RANDOM if who == BOOK else who, "--seeds", "2", "--test-seeds", "0"]
    where = ["--store", f"{name}.db", "--out", f"{name}.json"]
    equal = ["--milliseconds", "0.2", "--store", f"{name}-equal.db"]
    found = {
        "learn": ["learn", *board, *learn, *where],
        "book check": ["book", "check", f"{name}.json"],
        "match": ["match", *board, *games],
    }
    if who in (FLAT, PHANTOM):  # others would measure flatmc, and so compile kernels in the copy
        found["match at equal time"] = ["match", *board, *games[:-2], *equal]
    return found


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """Makes what the bots of now have left behind, and says where it is."""
    folder = tmp_path_factory.mktemp("before")
    made = set()

    def of(who: str) -> Path:
        if who not in made:
            made.add(who)
            for words in commands(folder, who).values():
                assert main(words) == 0
        return folder

    return of


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the sources, one for all tests: kernels are compiled again for every place."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("bots", "gtp", "phantomgo", "books"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@contextmanager
def changed(copy: Path, change: Change) -> Iterator[None]:
    file = copy / "bots" / change.file
    text = file.read_text()
    assert text.count(change.old) == 1
    file.write_text(text.replace(change.old, change.new))
    try:
        yield
    finally:
        file.write_text(text)


SCRIPT = """
import contextlib, io, json, sys
from phantomgo.app.cli import main
found = {}
for name, words in json.loads(sys.argv[1]).items():
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        code = main(words)
    found[name] = [code, said.getvalue()]
print(json.dumps(found))
"""


def found_in(copy: Path, folder: Path, who: str) -> dict[str, list]:
    """The exit code and the words on stderr of each command, run by the copy."""
    words = commands(folder, who)
    if who == BOOK:
        del words["learn"]  # it would make the book again: its bot has not changed
    path = os.environ | {"PYTHONPATH": str(copy)}
    command = ("-B", "-c", SCRIPT, json.dumps(words))  # with kernels of its own to compile
    return json.loads(python(*command, cwd=copy, env=path, check=True, timeout=None).stdout)


SLOW = pytest.mark.slow
QUICK = ("eyes", "the book's draw")
"""These need no kernels, which take long to compile in a copy."""


@pytest.mark.parametrize("who", [BOOK, *(pytest.param(w, marks=SLOW) for w in (FLAT, PHANTOM))])
def test_the_unchanged_copy_passes(who, before, copy):
    for command, (code, said) in found_in(copy, before(who), who).items():
        assert code == 0, (command, said)


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=SLOW) for name in CHANGES]
)
def test_a_change_of_one_line_is_refused_everywhere(name, before, copy):
    change = CHANGES[name]
    folder = before(change.who)
    with changed(copy, change):
        found = found_in(copy, folder, change.who)
    for command, (code, said) in found.items():
        assert code == 1, (command, said)
        assert change.who.partition(":")[0] in said, command
