"""The site has every command, option, public name and GTP command, and every page is in it."""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import phantomgo
from docs.generate import COMMANDS_PAGE, MODULES, SCHEMAS, commands_page, pages, public, write
from gtp.session import Session
from phantomgo.app.cli import COMMANDS, parser_of
from tests.support.places import ROOT

made = cache(pages)


def flags(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of a command and of its actions."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield name
                yield from flags(child)


def test_the_page_of_commands_is_of_this_code():
    assert COMMANDS_PAGE.read_text() == commands_page(), "python -m docs.generate"


def test_every_option_of_every_command_is_in_the_reference():
    parts = re.split(r"^### `phantomgo (\w+)`$", COMMANDS_PAGE.read_text(), flags=re.M)
    assert sorted(parts[1::2]) == sorted(COMMANDS)
    for command, text in zip(parts[1::2], parts[2::2], strict=True):
        (parsers,) = [
            action
            for action in parser_of({command})._actions
            if isinstance(action, argparse._SubParsersAction)
        ]
        words = set(re.findall(r"[\w-]+", text))
        assert set(flags(parsers.choices[command])) - {"-h", "--help"} <= words


def test_every_public_name_is_in_the_reference():
    shown = set(re.findall(r"\.\. auto\w+:: phantomgo\.(\w+)$", made()["names"], re.M))
    assert shown == set(phantomgo.__all__)


def test_public_names_of_modules_are_in_the_reference():
    for title, modules in MODULES.items():
        (page,) = [text for text in made().values() if text.startswith(f"# {title}\n")]
        shown = re.findall(r"\.\. auto(?!module)\w+:: (\S+)$", page, re.M)
        assert shown == [f"{module}.{name}" for module in modules for name in public(module)]
        assert all(map(public, modules))


def test_every_gtp_command_is_in_the_reference():
    shown = re.findall(r"^\| `([^ `]+)", made()["gtp-commands"], re.M)
    assert shown == Session.commands()


def fields(schema: Any) -> Iterator[str]:
    """Every field that a schema describes anywhere."""
    if isinstance(schema, dict):
        properties = schema.get("properties", {})
        yield from (name for name, field in properties.items() if field is not False)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from fields(part)


def test_every_field_of_a_format_is_in_the_reference():
    for name, path in SCHEMAS.items():
        schema = json.loads((ROOT / path).read_text())
        rows = re.findall(r"^\| `(?:[^`]+\.)?([^`.]+)` \| \S", made()[f"format-{name}"], re.M)
        assert set(fields(schema)) <= set(rows), "each with its meaning"


def test_every_schema_has_a_page():
    found = [str(path.relative_to(ROOT)) for path in (ROOT / "books").rglob("*schema.json")]
    assert sorted(SCHEMAS.values()) == sorted(found)


def test_pages_that_are_gone_are_removed(tmp_path):
    (tmp_path / "command-gone.md").write_text("# Gone")
    write(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(made())


def entries(page: Path) -> set[Path]:
    """The pages that the lists of contents of a page lead to."""
    found = set()
    for body in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(), re.S | re.M):
        names = [line.strip() for line in body.splitlines() if line and line[0] != ":"]
        for name in names:
            found |= {p.resolve() for p in page.parent.glob(name + ".md")} - {page}
            found |= {(page.parent / f"{name}.md").resolve()} if "*" not in name else set()
    return found


def test_every_page_is_in_the_site():
    """Found by two clicks from the first page: a kind of page, then the page."""
    kinds = entries(ROOT / "docs" / "index.md")
    reached = kinds | {page for kind in kinds for page in entries(kind)}
    written = {p for p in (ROOT / "docs").rglob("*.md") if not {"generated", "_build"} & {*p.parts}}
    assert written - {ROOT / "docs" / "index.md"} <= reached
    generated = {page for page in reached if page.parent.name == "generated"}
    assert {page.stem for page in generated} == set(made())


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="the optional extra `docs` is not installed")
    words = ["-m", "sphinx", "-b", "html", "-c", "docs", "-W", "--keep-going", "--quiet"]
    done = subprocess.run(
        [sys.executable, *words, "-d", tmp_path / "trees", ".", tmp_path / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
