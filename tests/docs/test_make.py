"""`make`: what a newcomer meets first, where something is not as it should be."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

# A Python that says what it is and, if it is new enough, writes down what it is asked to do. The
# virtual environment it makes has a Python of the same kind.
PYTHON = """#!{python}
import pathlib, shutil, sys
sys.version_info, sys.version = {version}, {text!r} + " (main)"
if sys.argv[1] == "-c":
    exec(sys.argv[2])
    sys.exit()
with open("done", "a") as file:
    print(*sys.argv[1:], file=file)
if sys.argv[1:3] == ["-m", "venv"]:
    assert not pathlib.Path(".venv", "half-made").exists() or "--clear" in sys.argv
    pathlib.Path(".venv/bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, ".venv/bin/python")
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A checkout, as far as make looks at it, in a path with spaces."""
    checkout = tmp_path / "my clones" / "phantom go"
    checkout.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout)
    return checkout


def a_python(folder: Path, *version: int) -> str:
    text = ".".join(map(str, version))
    file = folder / "python"
    file.write_text(PYTHON.format(python=sys.executable, version=version, text=text))
    file.chmod(0o755)
    return "PYTHON=./python"


def make(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Run make as from a shell, even where make runs the tests."""
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "PYTHON", "ARGS")
    return subprocess.run(
        ["make", *words],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if key not in outer},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("target", ["run", "test"])
def test_a_python_that_is_too_old_is_told_at_once(folder, target):
    done = make(folder, target, a_python(folder, 3, 10, 4))
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "phantomgo needs Python 3.11 or newer, and ./python is Python 3.10.4. Name an" in line
    assert {path.name for path in folder.iterdir()} == {"Makefile", "pyproject.toml", "python"}


def test_no_python_at_all(folder):
    (line,) = make(folder, "test", "PYTHON=nosuchpython").stderr.splitlines()
    assert "phantomgo needs Python 3.11 or newer, and nosuchpython is not a Python." in line


def test_a_set_up_that_broke_off_begins_from_nothing(folder):
    (folder / ".venv").mkdir()
    (folder / ".venv" / "half-made").touch()
    done = make(folder, "test", a_python(folder, 3, 12, 0))
    assert done.returncode == 0, done.stderr
    assert (folder / "done").read_text().splitlines() == [
        "-m venv --clear .venv",
        "-m pip install --quiet --disable-pip-version-check --editable .[dev]",
        "-m pytest",
    ]


def test_a_finished_set_up_is_kept(folder):
    python = a_python(folder, 3, 12, 0)
    make(folder, "test", python)
    (folder / "done").unlink()
    assert make(folder, "test", python, "ARGS=-k spaces").returncode == 0
    assert (folder / "done").read_text() == "-m pytest -k spaces\n"
