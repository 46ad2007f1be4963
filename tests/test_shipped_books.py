"""Every book that comes along is a good one, for bots that still play as they did."""

import json
from pathlib import Path

import jsonschema
import pytest

import bots
from bots.seeded import changed_bots
from phantomgo.portfolio import book as books

FOLDER = Path(__file__).parents[1] / "books"
NAMES = sorted(p.stem for p in FOLDER.glob("*.json") if p.stem != "schema")


def test_there_are_books():
    assert "nash5" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_good_and_its_bots_are_unchanged(name):
    text = (FOLDER / f"{name}.json").read_text()
    jsonschema.validate(json.loads(text), json.loads((FOLDER / "schema.json").read_text()))
    book = books.read(name)
    assert book.name == name
    assert changed_bots(book, bots.make) == []
    assert book.evaluation is not None
