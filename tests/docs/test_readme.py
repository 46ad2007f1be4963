"""README and the pages it leads to show what the program does, and the figures of the notes."""

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

from bots import BOTS
from bots.naming import LEVELS
from phantomgo.portfolio.book import book_names
from tests.support.commands import phantomgo
from tests.support.places import ROOT, TEXTS
from tests.support.tables import made_by, tables

README = (ROOT / "README.md").read_text()
NOTES = ROOT / "docs" / "notes"
SESSION = r"\$ printf '([^']*)' *(?:\\\n +)?\| phantomgo (.*?)(?: \| tail -n (\d+))?\n(.*?)\n```"


@pytest.mark.parametrize("name", ["README.md", "docs/play.md"])
def test_the_session_is_real(name, tmp_path):
    """What is typed, and the last lines of what is printed."""
    ((typed, words, count, shown),) = re.findall(SESSION, (ROOT / name).read_text(), re.S)
    state = os.environ | {"XDG_STATE_HOME": str(tmp_path)}
    done = phantomgo(*words.split(), input=typed.replace("\\n", "\n"), env=state, check=True)
    printed = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    assert printed[1 - int(count) if count else 0 :] == shown.rstrip().splitlines()


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
        [*row[:3], row[4], row[6], row[8], *("" if below[0] else below[n] for n in (6, 8)), row[11]]
        for row, below in pairwise([*rows, [""] * 12])
        if row[0]
    ]
    page = (ROOT / "books/README.md").read_text()
    assert [cells(row) for row in re.findall(r"^\| `[^`]+` \| \dx\d .*$", page, re.M)] == expected
    assert sorted(row[0].strip("`") for row in expected) == sorted(book_names())


def test_the_rates_of_seeds_are_those_of_the_cross_validation():
    """README names the first and the last column of three rows, and the paper's."""
    table, text = (
        dict(tables())["phantomgo evaluate methods --matrix flat5"],
        " ".join(README.split()),
    )
    rates = {
        name: [re.match(r"([\d.]+) ± [\d.]+(?: \(([\d.]+))?", cell).groups() for cell in found]
        for name, *found in map(cells, re.findall(r"^\| \w+ \| \d.*$", table, re.M))
    }
    for name, sentence in {
        "bestseed": "wins {0} % against a fresh seed and {1} % against an opponent who tries 16",
        "nash": "The Nash portfolio wins {0} and {1} %",
        "uniform": "the bot without a book {0} and {1} %",
    }.items():
        assert sentence.format(rates[name][0][0], rates[name][-1][0]) in text
    best, nash = ([rates[name][i][1] for i in (0, -1)] for name in ("bestseed", "nash"))
    assert "the best seed has {} and {} %, Nash {} and {} %)".format(*best, *nash) in text


def test_the_rates_of_phantom_are_those_of_its_note():
    note = (NOTES / "strength.md").read_text().split("## ")[0]
    measured, board = {}, ""
    for row in map(cells, re.findall(r"^\|(?: \dx\d)? \|.* \d{6,} \|$", note, re.M)):
        board = row[0] or board
        measured[row[2], board] = f"{row[4]} ({row[5]})"
    _, *boards = cells(re.findall(r"^\| a decision .*$", README, re.M)[0])
    shown = {
        (row[0], board): cell
        for row in map(cells, re.findall(r"^\| [\d.]+ m?s \|.*$", README, re.M))
        for board, cell in zip(boards, row[1:], strict=True)
        if cell
    }
    assert shown == measured


def test_the_table_of_books_is_real():
    assert dict(tables())["python -m docs.books"] == made_by("python -m docs.books")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), tables())
def test_every_table_is_real(command, shown):
    assert made_by(command) == shown
