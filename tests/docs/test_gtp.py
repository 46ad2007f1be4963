"""gtp/README.md describes the commands that there are, and its example is real."""

import re
import subprocess
import sys

import pytest

from gtp.session import Session
from tests.support.places import ROOT

TEXT = (ROOT / "gtp" / "README.md").read_text()
DESCRIBED = set(
    re.findall(r"`([a-z_-]+)[ `]", "\n".join(re.findall(r"^(?:####|\|) .*", TEXT, re.M)))
)


@pytest.mark.parametrize("name", Session.commands())
def test_every_command_is_described(name):
    assert name in DESCRIBED


def test_the_example_is_real():
    found = re.search(r"\$ printf '(.*)' \| phantomgo (gtp)\n(.*?)\n```", TEXT, re.S)
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
