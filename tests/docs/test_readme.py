"""README and the pages it leads to show what the program does, and the figures of the notes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from bots import BOTS
from bots.deployed import LEVELS, boards
from phantomgo.portfolio.book import book_names
from phantomgo.portfolio.movebook import read_any
from tests.support.places import ROOT, TEXTS
from tests.support.tables import made_by, tables
from tests.support.waiting import PATIENCE

README = (ROOT / "README.md").read_text()
NOTES = ROOT / "docs" / "notes"
OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")
"""Variables by which an outer make speaks to an inner one."""
METHODS = ("uniform", "bestseed", "nash")
SESSION = r"\$ printf '([^']*)' *(?:\\\n +)?\| (.*?)(?: \| tail -n (\d+))?\n(.*?)\n```"


@pytest.mark.skipif(
    shutil.which("make") is None or not Path(sys.prefix, "bin", "phantomgo").exists(),
    reason="make is not installed, or has not set up this environment",
)
@pytest.mark.parametrize("name", ["README.md", "docs/play.md"])
def test_the_session_is_real(name, tmp_path):
    """The lines typed, and the last lines printed; empty replies are left out on the page."""
    ((typed, words, count, shown),) = re.findall(SESSION, (ROOT / name).read_text(), re.S)
    command = shlex.split(words)
    if command[0] == "make":  # with the environment of this test, as if it had just been set up
        command += [f"VENV={sys.prefix}", f"--old-file={sys.prefix}/runs"]
    else:
        command[:1] = [sys.executable, "-m", "phantomgo"]
    outside = {key: value for key, value in os.environ.items() if key not in OF_MAKE}
    done = subprocess.run(
        command, cwd=ROOT, env=outside | {"XDG_STATE_HOME": str(tmp_path)}, text=True,
        input=typed.replace("\\n", "\n"), capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    printed = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    printed = printed[1 - int(count) if count else 0 :]
    given = [line for line in printed if count or line not in ("", "=")]
    assert given == shown.rstrip().splitlines()


def test_the_two_commands_are_on_the_first_screen():
    commands = re.findall(r"^    make (\w+) ", "\n".join(README.splitlines()[:20]), re.M)
    assert commands == ["run", "test"]


def test_nobody_is_sent_to_a_package_that_is_not_published():
    """`pip install 'phantomgo[web]'` finds nothing: it is installed from a checkout."""
    code = [file for name in ("phantomgo", "bots", "gtp") for file in (ROOT / name).rglob("*.py")]
    advised = re.compile(r"pip install ['\"]?phantomgo\b")
    assert [str(file) for file in [*TEXTS, *code] if advised.search(file.read_text())] == []


def test_every_link_leads_somewhere():
    lost = []
    for page in TEXTS:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            path, _, heading = target.partition("#")
            if "://" in path:
                continue
            file = page.parent / path if path else page
            if not file.exists() or (heading and heading not in headings(file)):
                lost.append(f"{page.relative_to(ROOT)}: {target}")
    assert lost == []


def test_every_picture_is_on_a_page():
    shown = {
        (page.parent / target).resolve()
        for page in TEXTS
        for target in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", page.read_text())
    }
    pictures = {path for path in (ROOT / "docs/pictures").iterdir() if path.suffix != ".py"}
    assert {path.name for path in pictures if path.is_file()} == {path.name for path in shown}


def headings(page: Path) -> set[str]:
    """What links call the headings of a page."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", line).strip().lower().replace(" ", "-") for line in lines}


def test_every_bot_and_level_is_described():
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/players.md").read_text(), re.M)
    assert {*BOTS, *LEVELS} <= set(rows)


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_the_figures_of_books_are_those_of_their_table():
    rows = [cells(line) for line in dict(tables())["python -m docs.books"].splitlines()[2:]]
    expected = [
        [*row[:3], row[4], row[6], row[8], *("" if below[0] else below[n] for n in (6, 8))]
        for row, below in pairwise([*rows, [""] * 11])
        if row[0]
    ]
    page = (ROOT / "books/README.md").read_text()
    assert [cells(row) for row in re.findall(r"^\| `[^`]+` \| \dx\d .*$", page, re.M)] == expected
    assert sorted(row[0].strip("`") for row in expected) == sorted(book_names())


def test_the_table_of_openings_is_that_of_the_bots():
    page = (ROOT / "books/README.md").read_text()
    shown = re.findall(
        r"^\| (\dx\d) \| (.*) \| ([\d.]+) to ([\d.]+) \| `(\w+)` \| (.*) \|$", page, re.M
    )
    expected = []
    for won in (book for board in boards() for book in board.books):
        book = read_any(won.name)
        size = book.setup.rules.size
        low, high = (f"{komi:g}" for komi in won.komi)
        rules, colours = ", ".join(won.rules), ", ".join(map(str, sorted(book.colours)))
        expected.append((f"{size}x{size}", rules, low, high, won.name, colours))
    assert shown == expected


@pytest.mark.parametrize("size", [5, 9])
def test_the_rates_of_seeds_are_those_of_the_cross_validation(size):
    """README has three methods against one try and against 16."""
    table = dict(tables())[f"phantomgo evaluate methods --matrix flat{size}"]
    rates = {row[0]: row for row in map(cells, re.findall(r"^\| \w+ \| \d.*$", table, re.M))}
    one, many = zip(*((rates[name][1], rates[name][-1]) for name in METHODS), strict=True)
    shown = [cells(row)[1:] for row in re.findall(rf"^\| {size}x{size}, against .*$", README, re.M)]
    assert shown == [[*one], [*many]]


def test_the_rates_of_phantom_are_those_of_its_note():
    note = (NOTES / "strength.md").read_text().split("## ")[0]
    measured, board = {}, ""
    for row in map(cells, re.findall(r"^\|(?: \dx\d)? \|.* \d{6,} \|$", note, re.M)):
        board = row[0] or board
        measured[row[2], board] = f"{row[4]} ({row[5]})"
    _, *boards = cells(re.findall(r"^\| time per decision .*$", README, re.M)[0])
    shown = {
        (row[0], board): cell
        for row in map(cells, re.findall(r"^\| [\d.]+ m?s \|.*$", README, re.M))
        for board, cell in zip(boards, row[1:], strict=True)
        if cell
    }
    assert shown == measured


def test_the_rates_of_default_are_those_of_its_note():
    note = (NOTES / "frontier.md").read_text()
    rows = re.findall(r"^\| ([^|]*) \| 600 \| (\d+\.\d % \(.*\)) \|$", README, re.M)
    assert len(rows) == 4
    for opponent, rate in rows:
        assert f"| {opponent} | {rate} |" in note


def test_the_table_of_books_is_real():
    assert dict(tables())["python -m docs.books"] == made_by("python -m docs.books")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), tables())
def test_every_table_is_real(command, shown):
    assert made_by(command) == shown
