"""gtp/README.md describes the commands that there are; the examples of GTP are real."""

import re
import subprocess
import sys

from gtp.session import Session
from tests.support.gtp_tools import transcript
from tests.support.places import ROOT

REFERENCE = (ROOT / "gtp" / "README.md").read_text()


def test_the_reference_has_every_command_and_no_other():
    """In headings, and in the first column of tables of commands."""
    places = re.findall(r"^#### .*", REFERENCE, re.M)
    for rows in re.findall(r"^\| command \|.*\n((?:\|.*\n)+)", REFERENCE, re.M):
        places += [row.split(" | ")[0] for row in rows.splitlines()]
    described = [name for place in places for name in re.findall(r"`([a-z][^` ]+)", place)]
    assert sorted(described) == Session.commands()


def test_the_example_is_real():
    found = re.search(r"\$ printf '(.*)' \| phantomgo (gtp)\n(.*?)\n```", REFERENCE, re.S)
    assert found is not None
    lines, command, shown = found.groups()
    done = subprocess.run(
        [sys.executable, "-m", "phantomgo", command],
        input=lines.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert [line.rstrip() for line in done.stdout.splitlines()] == [*shown.splitlines(), ""]


def test_the_dialogue_is_real():
    page = (ROOT / "docs" / "engines.md").read_text()
    dialogue = page.partition("## A dialogue")[2].split("```")[1]
    for _, expected, actual in transcript(f"# The bot plays b: D4 E5 E4 D5 pass\n{dialogue}"):
        assert actual == expected
