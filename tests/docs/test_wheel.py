"""From a built wheel, in a fresh environment outside the checkout: what the documents promise."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.places import ROOT

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "docs" / "examples"
PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "corner-bots"
version = "1.0"

[project.entry-points."phantomgo.bots"]
corner = "cornerbots:Corner"

[tool.hatch.build.targets.wheel]
include = ["cornerbots.py"]
"""


def call(*words: str | Path, cwd: Path, typed: str | None = None, code: int = 0) -> str:
    """What a command prints in this folder, without what belongs to the checkout."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV")
    done = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        env={k: v for k, v in os.environ.items() if k not in ours} | {"MPLBACKEND": "agg"},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    """The folder of commands of an environment with phantomgo and a package of bots installed.

    The wheel is built, unless WHEEL names one. What phantomgo needs is taken from where the tests
    run, so nothing is downloaded twice.
    """
    folder = tmp_path_factory.mktemp("fresh environment")
    bots = folder / "corner-bots"
    bots.mkdir()
    shutil.copy(EXAMPLES / "mybots.py", bots / "cornerbots.py")
    (bots / "pyproject.toml").write_text(PACKAGE)
    wheels = folder / "wheels"
    built = os.environ.get("WHEEL")
    for source in (built or ROOT, bots):
        build = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, source)
        call(sys.executable, *build, cwd=folder)
    home = folder / "venv"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
    call(python, *install, *sorted(wheels.glob("*.whl")), cwd=folder)
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "needs.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    where = call(python, "-c", "import phantomgo, bots; print(bots.__file__)", cwd=folder)
    assert Path(where.strip()).is_relative_to(home), where
    return home / "bin"


@pytest.fixture
def folder(tmp_path) -> Path:
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.parametrize("spec", ["mybots:Corner", "corner"])
def test_a_bot_of_twenty_lines_plays_everywhere(fresh, folder, spec):
    """From its folder, and as an installed package's."""
    phantomgo = fresh / "phantomgo"
    if spec != "mybots:Corner":
        (folder / "mybots.py").unlink()
    match = ["match", "--black", spec, "--white", "phantom:playouts=100", "--games", "20"]
    match += ["--size", "5", "--workers", "2", "--store", "match.db"]
    table = call(phantomgo, *match, cwd=folder)
    assert "20 of 20 games" in table
    assert (
        call(phantomgo, *match, cwd=folder).partition("moves per game")[0]
        == (table.partition("moves per game")[0])
    )
    typed = "boardsize 5\nphantom-seat b\ngenmove b\nquit\n"
    answers = call(phantomgo, "gtp", "--bot", spec, "--seed", "1", cwd=folder, typed=typed)
    assert re.fullmatch(r"= [A-E][1-5]", answers.split("\n\n")[2])
    learn = ["learn", "--bot", spec, "--size", "4", "--seeds", "6", "--test-seeds", "4"]
    learn += ["--store", "learn.db", "--out", "mine.json", "--workers", "2"]
    call(phantomgo, *learn, cwd=folder)
    code = ["--code"] if ":Corner" in spec else []
    assert "mine: valid" in call(phantomgo, "book", "check", "mine.json", *code, cwd=folder)
    equal = ["match", "--black", spec, "--white", "random", "--games", "2", "--size", "3"]
    assert "1 ms per decision" in call(phantomgo, *equal, "--milliseconds", "1", cwd=folder)
    call(phantomgo, "play", "--bot", spec, "--size", "4", "--seed", "1", cwd=folder, typed="d4\n")
    assert call(phantomgo, "bots", "--check", spec, cwd=folder).count(": yes\n") == 7


def test_installed_bots_are_listed(fresh, folder):
    said = call(fresh / "phantomgo", "bots", cwd=folder)
    assert "bots of installed packages\n  corner  cornerbots:Corner\n" in said
