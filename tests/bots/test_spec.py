"""The grammar of players, read in one place."""

import re

import pytest

from bots.spec import (
    BOOK,
    ENGINE,
    ONLINE,
    BookSpec,
    BotSpec,
    EngineSpec,
    OnlineSpec,
    Spec,
    is_book,
    is_engine,
    learns,
    parse,
    played_by,
)
from tests.support.places import ROOT

SPECS: dict[str, Spec] = {
    "flatmc": BotSpec("flatmc", ""),
    "flatmc:playouts=20,komi=1": BotSpec("flatmc", "playouts=20,komi=1"),
    "mybots:Corner": BotSpec("mybots:Corner", ""),
    "my.bots:Corner:reach=3": BotSpec("my.bots:Corner", "reach=3"),
    "book:nash5": BookSpec("nash5"),
    "book:my.json,symmetry=off,force=on,code=on": BookSpec("my.json", False, True, True),
    "online:random|book:nash5,state=a": OnlineSpec(("random", "book:nash5"), "a"),
    "gtp:gnugo --mode gtp": EngineSpec("gnugo --mode gtp"),
}


@pytest.mark.parametrize("text", SPECS)
def test_a_spec_is_parsed(text):
    assert parse(text) == SPECS[text]
    assert SPECS[text].text == text
    assert is_book(text) is text.startswith("book:")
    assert learns(text) is text.startswith("online:")
    assert is_engine(text) is text.startswith("gtp:")


def test_played_by_names_the_bots_of_a_spec():
    assert [*played_by("online:random|book:nash5,state=a")] == [
        BotSpec("random"),
        BookSpec("nash5"),
    ]
    assert [*played_by("random")] == [BotSpec("random")]


def test_no_other_module_reads_the_head_of_a_spec():
    """No other module compares a spec with a prefix of its own."""
    heads = "|".join((BOOK, ENGINE, ONLINE))
    read = re.compile(rf'startswith\([^)]*(?:{heads})|Final = "(?:{heads})"')
    found = {
        str(file.relative_to(ROOT))
        for folder in ("bots", "gtp", "phantomgo")
        for file in (ROOT / folder).rglob("*.py")
        if read.search(file.read_text())
    }
    assert found == {"bots/spec.py"}
