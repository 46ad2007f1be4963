"""The scripts in docs/examples run as they are, and the pages of docs show them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PAGES = ("library", "environments", "tutorials/bot-and-book")
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))


def run(folder: Path, script: str) -> str:
    """What a script prints that is run from a folder of its own."""
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, folder)
    done = subprocess.run(
        [sys.executable, script],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_bots(tmp_path):
    printed = run(tmp_path, "two_bots.py")
    assert printed.startswith("both players passed; ")
    assert "10 of 10 games" in printed


def test_own_bot(tmp_path):
    printed = run(tmp_path, "own_bot.py")
    assert printed.startswith("5x5, komi 7.5, olympiad, seed 0: 30 of 30 games"), "it is sound"
    assert re.search(r"Corner won [\d.]+ of 20 games\n$", printed)


def test_book(tmp_path):
    printed = run(tmp_path, "book.py")
    assert re.match(r"against the worst of 1 fresh seeds: [\d.]+ %\n", printed)
    assert "\nnash " in printed
    assert "book:small.json" in printed
    assert (tmp_path / "small.json").is_file()


def test_belief(tmp_path):
    pytest.importorskip("matplotlib", reason="the optional extra `plot` is not installed")
    assert run(tmp_path, "belief.py").startswith("best: ")
    assert (tmp_path / "belief.png").stat().st_size > 5000


def test_environment(tmp_path):
    pytest.importorskip("pettingzoo", reason="the optional extra `pettingzoo` is not installed")
    lines = run(tmp_path, "environments.py").splitlines()
    assert lines[0] == "white_0 was told phantom-illegal w C3"
    assert lines[1] in ("black_0 won", "white_0 won")


def test_every_script_is_run_here():
    assert SCRIPTS == [
        "belief.py", "book.py", "environments.py", "mybots.py", "own_bot.py", "two_bots.py",
    ]  # fmt: skip


def test_the_pages_show_the_scripts():
    pages = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in PAGES)
    shown = re.findall(r"```python\n(?:# mybots.py\n)?(.*?)```", pages, re.S)
    for name in SCRIPTS:
        code = (EXAMPLES / name).read_text().partition('"""\n\n')[2]
        assert code in shown, f"no page shows {name} as it is"
