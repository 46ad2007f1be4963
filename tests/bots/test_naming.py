"""The grammar of players, read in one place."""

import re

import pytest

from bots.naming import (
    BookSpec,
    BotSpec,
    EngineSpec,
    Head,
    OnlineSpec,
    head_of,
    is_engine,
    parse,
    played_by,
)
from tests.support.places import ROOT

SPECS = {
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
    heads = {BookSpec: "book:", OnlineSpec: "online:", EngineSpec: "gtp:", BotSpec: ""}
    assert head_of(text) == heads[type(SPECS[text])]
    assert is_engine(text) is text.startswith("gtp:")


def test_played_by_names_the_bots_of_a_spec():
    assert played_by("online:random|book:nash5,state=a") == ("random", "book:nash5")
    assert played_by("random") == ("random",)


def test_only_naming_reads_the_head_of_a_spec():
    """No other module compares a spec with a prefix of its own."""
    heads = "|".join(head.value for head in Head if head)
    read = re.compile(rf'startswith\([^)]*(?:{heads})|Final = "(?:{heads})"')
    found = {
        str(file.relative_to(ROOT))
        for folder in ("bots", "gtp", "phantomgo")
        for file in (ROOT / folder).rglob("*.py")
        if read.search(file.read_text())
    }
    assert found == set()
