"""The scripts in docs/examples run as they are, and the pages of docs show them."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.places import PAGES, ROOT

EXAMPLES = ROOT / "docs" / "examples"
SHOWING = ("library", "environments", "tutorials/bot-and-book")
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))


def start(folder: Path, script: str) -> str:
    """The output of a script started in a folder of its own."""
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, folder)
    done = subprocess.run(
        [sys.executable, script],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs a script in this process, and returns what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setattr("phantomgo.lab.run.workers.cores", lambda: 1)

    def run(script: str) -> str:
        runpy.run_path(str(EXAMPLES / script), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_two_bots(run):
    printed = run("two_bots.py")
    assert printed.startswith("both players passed; ")
    assert "10 of 10 games" in printed


def test_own_bot(tmp_path):
    printed = start(tmp_path, "own_bot.py")
    assert printed.startswith("5x5, komi 7.5, olympiad, seed 0: 30 of 30 games"), "it is sound"
    assert re.search(r"Corner won [\d.]+ of 20 games\n$", printed)


def test_book(run, tmp_path):
    printed = run("book.py")
    assert re.match(r"against the worst of 1 fresh seeds: [\d.]+ %\n", printed)
    assert "\nnash " in printed
    assert "book:small.json" in printed
    assert (tmp_path / "small.json").is_file()


def test_belief(run, tmp_path):
    pytest.importorskip("matplotlib", reason="the optional extra `plot` is not installed")
    assert run("belief.py").startswith("best: ")
    assert (tmp_path / "belief.png").stat().st_size > 5000


def test_environment(run):
    pytest.importorskip("pettingzoo", reason="the optional extra `pettingzoo` is not installed")
    lines = run("environments.py").splitlines()
    assert lines[0] == "white_0 was told phantom-illegal w C3"
    assert lines[1] in ("black_0 won", "white_0 won")


def test_openspiel(run):
    pytest.importorskip("pyspiel", reason="the optional extra `games` is not installed")
    lines = run("openspiel.py").splitlines()
    assert lines[:2] == [f"a best response as player {player} wins 1.00" for player in (0, 1)]
    assert lines[2] == "NashConv: flatmc 2.00, CFR+ 0.13"


def test_every_script_is_run_here():
    assert SCRIPTS == [
        "belief.py", "book.py", "environments.py", "mybots.py", "openspiel.py", "own_bot.py",
        "two_bots.py",
    ]  # fmt: skip


def test_the_pages_show_the_scripts():
    pages = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in SHOWING)
    shown = re.findall(r"```python\n(?:# mybots.py\n)?(.*?)```", pages, re.S)
    for name in SCRIPTS:
        code = (EXAMPLES / name).read_text().partition('"""\n\n')[2]
        assert code in shown, f"no page shows {name} as it is"


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in this language, `` for those without one."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.S | re.M)


def test_no_page_has_python_that_is_not_run():
    """The scripts are run here, and the tutorials' files in test_tutorials.py."""
    scripts = [(EXAMPLES / name).read_text() for name in SCRIPTS]
    shown = [(page.name, block) for page in PAGES for block in blocks(page, "python")]
    assert len(shown) >= len(scripts)
    assert [
        (name, block)
        for name, block in shown
        if not any(block.removeprefix("# mybots.py\n") in script for script in scripts)
    ] == []


def test_no_page_has_a_session_that_is_not_run():
    """Each is run by a test: of its page, or of all tutorials."""
    sessions = {
        str(page.relative_to(ROOT))
        for page in PAGES
        for language in ("", "console")
        for block in blocks(page, language)
        if re.search(r"^(\$|>) ", block, re.M)
    }
    elsewhere = {name for name in sessions if not name.startswith("docs/tutorials/")}
    assert elsewhere == {"README.md", "docs/play.md", "gtp/README.md"}
