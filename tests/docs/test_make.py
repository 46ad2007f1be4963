"""`make`: what a newcomer meets first, where something is not as it should be."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from phantomgo.app.cli import parser_of
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
    venv = pathlib.Path(sys.argv[-1])
    assert not (venv / "half-made").exists() or "--clear" in sys.argv
    (venv / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, venv / "bin" / "python")
"""

INSTALL = "-m pip install --quiet --disable-pip-version-check"


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
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "PYTHON", "PINS", "VENV", "ARGS")
    return subprocess.run(
        ["make", *words],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if key not in outer},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_a_python_that_will_not_do_is_named_at_once(folder):
    old = a_python(folder, 3, 10, 4)
    for python, what in ((old, "./python is Python 3.10.4."), ("PYTHON=no", "no is not a Python.")):
        done = make(folder, "run", python)
        assert done.returncode != 0
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert f"phantomgo needs Python 3.11 or newer, and {what} Name another" in line
    assert {path.name for path in folder.iterdir()} == {"Makefile", "pyproject.toml", "python"}


def test_a_set_up_that_broke_off_begins_from_nothing_and_a_finished_one_is_kept(folder):
    (folder / ".venv-python").mkdir()
    (folder / ".venv-python" / "half-made").touch()
    python = a_python(folder, 3, 12, 0)
    assert make(folder, "test", python).returncode == 0
    processes = os.sysconf("SC_NPROCESSORS_ONLN") + 1
    test = f"-m pytest --numprocesses {processes} --dist loadfile --no-loadscope-reorder -rs"
    assert (folder / "done").read_text().splitlines() == [
        "-m venv --clear .venv-python",
        f"{INSTALL} --editable .",
        f"{INSTALL} --editable .[dev]",
        test,
    ]
    (folder / "done").unlink()
    assert make(folder, "test", python, "ARGS=-k spaces").returncode == 0
    assert (folder / "done").read_text() == f"{test} -k spaces\n"


def test_pins_have_an_environment_of_their_own(folder):
    (folder / "oldest.txt").write_text("numpy==2.0.*\n")
    done = make(folder, ".venv-python-oldest/runs", a_python(folder, 3, 12, 0), "PINS=oldest.txt")
    assert done.returncode == 0, done.stderr
    assert (folder / "done").read_text().splitlines() == [
        "-m venv --clear .venv-python-oldest",
        f"{INSTALL} --constraint oldest.txt --editable .",
    ]


def test_the_oldest_pins_are_the_lower_bounds_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = dict(line.split("==") for line in (ROOT / ".ci/oldest.txt").read_text().splitlines())
    for requirement in project["dependencies"]:
        name, bounds = requirement.split(">=")
        assert pins[name].removesuffix(".*") == bounds.partition(",")[0]


def test_the_container_starts_a_command_that_there_is():
    text = (ROOT / "Containerfile").read_text()
    (command,) = re.findall(r"^CMD (\[.*\])$", text, re.M)
    words = json.loads(command)
    assert parser_of({words[0]}).parse_args(words).data == "/data/tables.db"
    (extras,) = re.findall(r"/source\[(.*?)\]", text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
