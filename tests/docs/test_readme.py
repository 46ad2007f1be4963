"""What the README and the pages it leads to show is what the program does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from phantomgo.portfolio.book import book_names
from tests.support.places import ROOT
from tests.support.tables import made_by, tables


def test_the_demonstration_is_real():
    text = (ROOT / "README.md").read_text()
    found = re.search(r"\$ printf '(.*)' \\\n +\| make -s run ARGS='(.*)'\n(.*?)\n```", text, re.S)
    assert found is not None
    commands, options, shown = found.groups()
    done = subprocess.run(
        [sys.executable, "-m", "phantomgo", "gtp", *options.split()],
        input=commands.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    lines = [line.rstrip() for line in done.stdout.rstrip().splitlines()]
    assert lines == [line.rstrip() for line in shown.splitlines()]


def test_the_board_to_play_on_is_real(tmp_path):
    text = (ROOT / "docs" / "play.md").read_text()
    form = r"\$ printf '([^']*)' \| phantomgo play (.*?) \| tail -n (\d+)\n(.*?)\n```"
    found = re.search(form, text, re.S)
    assert found is not None
    typed, options, count, shown = found.groups()
    done = subprocess.run(
        [sys.executable, "-m", "phantomgo", "play", *options.split()],
        input=typed.replace("\\n", "\n"),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
    )
    assert done.stdout.splitlines()[-int(count) :] == [*shown.splitlines(), ""]


def test_the_lines_of_python_are_an_example_that_runs():
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert (ROOT / "docs" / "examples" / "two_bots.py").read_text().endswith("\n\n" + shown)


def test_every_bot_and_command_is_named():
    text = (ROOT / "README.md").read_text()
    from bots import BOTS
    from phantomgo.app.cli import COMMANDS

    assert [kind for kind in BOTS if f"| `{kind}` |" not in text] == []
    assert [name for name in COMMANDS if f"phantomgo {name}" not in text] == []


def test_nobody_is_sent_to_a_package_that_is_not_published():
    """`pip install 'phantomgo[plot]'` finds nothing: it is installed from a checkout."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("docs/*/*.md")]
    code = [file for name in ("phantomgo", "bots", "gtp") for file in (ROOT / name).rglob("*.py")]
    advised = re.compile(r"pip install ['\"]?phantomgo\b")
    assert [str(file) for file in pages + code if advised.search(file.read_text())] == []


def test_every_link_leads_somewhere():
    pages = [
        *ROOT.glob("*.md"),
        *(p for p in ROOT.glob("docs/**/*.md") if not {"generated", "_build"} & {*p.parts}),
        ROOT / "gtp/README.md",
        ROOT / "books/README.md",
    ]
    for page in pages:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
            path, _, heading = target.partition("#")
            if "://" in path:
                continue
            file = page.parent / path if path else page
            assert file.exists(), f"{page.name}: {target}"
            if heading:
                assert heading in headings(file), f"{page.name}: {target}"


def headings(page: Path) -> set[str]:
    """What links call the headings of a page."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", line).strip().lower().replace(" ", "-") for line in lines}


def test_the_figures_of_books_are_those_of_their_table():
    """README and books/README.md repeat what docs/notes/books.md has as a table."""
    table = dict(tables())["book list --markdown"]
    rows = re.findall(r"^\| (`[^`]+`) (.*) \| as played \| (.*) \| [^|]* \|$", table, re.M)
    assert len(rows) == len(book_names())
    page = (ROOT / "books/README.md").read_text()
    for name, _, rates in rows:
        row = next(line for line in page.splitlines() if line.startswith(f"| {name} |"))
        one, _, sixteen, *_ = rates.split(" | ")
        assert row.endswith(f" | {one} | {sixteen} |")
    rates = {name: re.findall(r"([0-9.]+) ±", found) for name, _, found in rows}
    text = " ".join((ROOT / "README.md").read_text().split())
    assert f"`ucb5` wins {rates['`ucb5`'][0]} % against a fresh seed" in text
    assert f"{rates['`ucb5`'][2]} % against an opponent who tries 16 fresh seeds" in text


def test_the_table_of_books_is_real():
    shown = dict(tables())
    assert shown["book list --markdown"] == made_by("book list --markdown")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), tables())
def test_every_table_is_real(command, shown):
    assert made_by(command) == shown
