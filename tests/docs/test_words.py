"""Patterns that documents and docstrings do without, and the dates of notes."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.support.places import PAGES, ROOT, TEXTS

NOTES = [page for page in TEXTS if page not in PAGES]

ODD = (
    r"(?<!here )\bis no (?!longer\b|more\b|way\b|such\b)",
    r"(?<!here )\bare no (?!longer\b|more\b|such\b)",
    r"\bso many\b",
    r"\bgoes on\b",
    r"\bcounts not\b",
    r"\bto nought\b",
    r"\bcomes? along\b",
    r"\btold regret\b",
    r"\bcome to know\b",
    r"\bgoes without\b",
    r"\btold (how far|the number)\b",
)
"""Patterns of sentences that read as translated."""


def odd_lines(text: str) -> list[str]:
    """The lines of a text that such a pattern is in."""
    odd = re.compile("|".join(ODD))
    return [line.strip() for line in text.splitlines() if odd.search(line)]


def prose(text: str) -> str:
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_sentence_reads_as_translated(page):
    assert odd_lines(prose(page.read_text())) == []


def test_no_sentence_of_the_code_reads_as_translated():
    """Outside of kernels, whose compiled forms depend on their sources."""
    code = [file for name in ("phantomgo", "bots", "gtp") for file in (ROOT / name).rglob("*.py")]
    assert [
        f"{file.relative_to(ROOT)}: {line}"
        for file in code
        if "kernels" not in file.parts
        for line in odd_lines(file.read_text())
    ] == []


def test_a_note_is_dated():
    notes = [note for note in NOTES if note.name != "index.md"]
    dated = re.compile(r"20\d\d-\d\d-\d\d|November 2026")
    assert [note.name for note in notes if not dated.search(note.read_text())] == []


def docstrings(tree: ast.AST) -> Iterator[str]:
    """Every docstring, of names too: any statement that is a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str):
                yield text


def test_a_docstring_says_what_something_is():
    """It names a thing or begins with a verb; "What is played" makes a riddle of it."""
    code = [file for name in ("phantomgo", "bots", "gtp") for file in (ROOT / name).rglob("*.py")]
    found = [
        f"{file.relative_to(ROOT)}: {text.splitlines()[0]}"
        for file in code
        for text in docstrings(ast.parse(file.read_text()))
        if re.match(r"(What|How|Whether|Who)\b", text)
    ]
    assert found == []
