"""What the README shows is what the program does."""

import os
import re
import subprocess
import sys

import pytest

from tests.support import pictures
from tests.support.places import ROOT
from tests.support.tables import made_by, tables


def test_the_demonstration_is_real():
    text = (ROOT / "README.md").read_text()
    found = re.search(r"\$ printf '(.*)' \\\n +\| make -s run ARGS='(.*)'\n(.*?)\n```", text, re.S)
    assert found is not None
    commands, options, shown = found.groups()
    done = subprocess.run(
        [sys.executable, "-m", "phantomgo", "gtp", *options.split()],
        input=commands.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    lines = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    assert lines == [line.rstrip() for line in shown.splitlines()]


def test_the_board_to_play_on_is_real(tmp_path):
    text = (ROOT / "README.md").read_text()
    form = r"\$ printf '([^']*)' \| phantomgo play (.*?) \| tail -n (\d+)\n(.*?)\n```"
    found = re.search(form, text, re.S)
    assert found is not None
    typed, options, count, shown = found.groups()
    done = subprocess.run(
        [sys.executable, "-m", "phantomgo", "play", *options.split()],
        input=typed.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
    )
    assert done.stdout.splitlines()[-int(count) :] == [*shown.splitlines(), ""]


def test_the_picture_is_real():
    """`python -m tests.support.pictures` draws it again."""
    assert pictures.drawn() == pictures.FILE.read_text()


def test_the_lines_of_python_are_an_example_that_runs():
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert (ROOT / "docs" / "examples" / "two_bots.py").read_text().endswith("\n\n" + shown)


def test_every_bot_and_command_is_named():
    text = (ROOT / "README.md").read_text()
    from bots import BOTS
    from phantomgo.app.cli import COMMANDS

    assert [kind for kind in BOTS if f"| `{kind}` |" not in text] == []
    assert [name for name in COMMANDS if f"phantomgo {name}" not in text] == []


def test_the_table_of_books_is_real():
    shown = dict(tables())
    assert shown["book list --markdown"] == made_by("book list --markdown")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), tables())
def test_every_table_is_real(command, shown):
    assert made_by(command) == shown
