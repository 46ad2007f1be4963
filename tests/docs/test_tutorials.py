"""The tutorials are true: every command and every file on them is run as it is printed.

In a block ```console a line that begins with `$` starts a command, and one with `>` is typed into
it, in later blocks too. The other lines are from its output, each the beginning of a line, in this
order. A block ```python is saved under the name in its first line.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.places import ROOT

FOLDER = ROOT / "docs" / "tutorials"
QUICK = ("first-game.md", "policy.md")
NEEDS = {"policy.md": ("gymnasium", "torch")}
BY_HAND = ("host-friends.md", "index.md")


@dataclass
class Step:
    """A command, what is typed into it, and lines of its output."""

    command: str
    typed: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def steps(page: str) -> list[Step]:
    found: list[Step] = []
    for block in re.findall(r"^```console\n(.*?)^```", page, re.S | re.M):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Step(line[2:]))
            elif line.startswith("> "):
                found[-1].typed.append(line[2:])
            elif line.strip():
                found[-1].shown.append(line)
    return found


def run(page: str, folder: Path) -> None:
    """Run a tutorial in a folder."""
    for name, code in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```", page, re.S | re.M):
        (folder / name).write_text(code)
    (folder / "bin").mkdir()
    for name, arguments in (("phantomgo", " -m phantomgo"), ("python", "")):
        command = folder / "bin" / name
        command.write_text(f'#!/bin/sh\nexec {sys.executable}{arguments} "$@"\n')
        command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    for step in steps(page):
        done = subprocess.run(
            ["bash", "-c", step.command],
            cwd=folder,
            env=os.environ
            | {"PATH": path, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")},
            input="".join(f"{line}\n" for line in step.typed) + "quit\ny\n" * bool(step.typed),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        lines = iter(done.stdout.splitlines())
        for line in step.shown:
            assert any(made.startswith(line) for made in lines), f"{line!r} in {done.stdout}"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.name, marks=() if path.name in QUICK else pytest.mark.slow)
        for path in sorted(FOLDER.glob("*.md"))
        if path.name not in BY_HAND
    ],
)
def test_a_tutorial_runs_as_it_is_printed(name, tmp_path):
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package)
    page = (FOLDER / name).read_text()
    assert steps(page)
    run(page, tmp_path)


def test_a_false_line_is_found(tmp_path):
    with pytest.raises(AssertionError, match="'one' in two"):
        run("```console\n$ echo two\none\n```\n", tmp_path)
