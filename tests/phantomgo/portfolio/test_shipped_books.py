"""The books that come along are good, follow from their matrices, and fit the bots of today."""

import json
from dataclasses import replace
from functools import cache

import jsonschema
import pytest

import bots
from bots.seeded import changed_bots
from phantomgo.app.learn import learned
from phantomgo.portfolio import book as books
from phantomgo.portfolio import packed
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.store import Store
from tests.support.places import ROOT

FOLDER = ROOT / "books"
NAMES = books.names()


def test_they_are_found():
    assert "nash5" in NAMES
    assert sorted(p.stem for p in FOLDER.glob("*.json") if p.stem != "schema") == NAMES
    assert packed.names() == sorted(p.stem for p in (FOLDER / "matrices").glob("*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_good_and_its_bots_are_unchanged(name):
    text = (FOLDER / f"{name}.json").read_text()
    jsonschema.validate(json.loads(text), json.loads((FOLDER / "schema.json").read_text()))
    book = books.read(name)
    assert book.name == name
    assert changed_bots(book, bots.make) == []
    assert book.evaluation is not None


@pytest.mark.parametrize("name", packed.names())
def test_a_matrix_is_as_the_program_writes_it(name):
    assert packed.dumps(packed.read(name)) == (FOLDER / "matrices" / f"{name}.json").read_text()


@cache
def games(name):
    """The games of a matrix in a store."""
    matrix = packed.read(name)
    store = Store(":memory:", matrix.setup)
    packed.unpack(matrix, store)
    return store


def matrix_of(book):
    """The matrix that a book was learned on, or the beginning of which it was learned on."""
    for name in packed.names():
        setup, won = packed.read(name).setup, packed.read(name).won
        sides = (setup.black, setup.black_fingerprint), (setup.white, setup.white_fingerprint)
        same = sides == tuple((side.bot, side.fingerprint) for side in (book.black, book.white))
        if same and (setup.profile, setup.rules) == (book.rules, book.game_rules()):
            sizes = book.training.seeds, book.training.opponent_seeds
            if sizes[0] <= won.own and sizes[1] <= won.opponents:
                return name
    return None


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_what_its_method_makes_of_its_matrix(name):
    book = books.read(name)
    source = matrix_of(book)
    assert source is not None, "its matrix does not come along"
    training = book.training
    method, sizes = parse_method(training.method), (training.seeds, training.opponent_seeds)
    again = learned(games(source), method, training.method_seed, sizes, name)
    ours = again.training.versions
    assert again.training == replace(training, versions=ours)
    for side, expected in ((again.black, book.black), (again.white, book.white)):
        assert side.seeds == expected.seeds
        assert side.probabilities == pytest.approx(expected.probabilities, abs=1e-9)
        assert side.value == pytest.approx(expected.value, abs=1e-9)
    if all(ours[key] == training.versions[key] for key in ("numpy", "scipy")):
        whole = replace(again, training=training, evaluation=book.evaluation)
        assert books.dumps(whole) == (FOLDER / f"{name}.json").read_text()
