"""The shipped books are good, follow from their matrices, and fit the bots of today."""

import json
import math
import os
import random
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import islice

import jsonschema
import numpy as np
import pytest
from scipy.stats import chi2

import bots
from bots.book import unchecked_book_bot
from phantomgo.errors import BadBook
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import black_won
from phantomgo.game.points import Colour
from phantomgo.game.rules import Rules
from phantomgo.lab.learners.catalog import parse_learning_method
from phantomgo.lab.learning.book_changes import changes, check_matrix, shipped_matrix
from phantomgo.lab.learning.learn import shortened, untested_book
from phantomgo.lab.players import identity
from phantomgo.lab.seeds.contest import SeedGames
from phantomgo.portfolio import book as books
from phantomgo.portfolio import packed
from phantomgo.portfolio.methods import parse_method
from tests.support.learning import go_setup
from tests.support.places import ROOT

GAME = Game(Rules())

FOLDER = ROOT / "books"
NAMES = books.book_names()
CELLS = int(os.environ.get("CELLS", "60"))
"""So many games of each shipped matrix are played again by the slow test."""


def test_they_are_found():
    assert "nash5" in NAMES
    assert sorted(p.stem for p in FOLDER.glob("*.json") if p.stem != "schema") == NAMES
    matrices = sorted(p.stem for p in (FOLDER / "matrices").glob("*.json") if p.stem != "schema")
    assert packed.matrix_names() == matrices


@pytest.mark.parametrize("name", packed.matrix_names())
def test_shipped_matrices_keep_to_their_schema(name):
    schema = json.loads((FOLDER / "matrices" / "schema.json").read_text())
    jsonschema.validate(json.loads((FOLDER / "matrices" / f"{name}.json").read_text()), schema)


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_starts_draw_its_lines_by_their_probabilities(name, colour):
    book = books.read_book(name)
    side, drawn = book.side(colour), Counter(book.line(seed, colour) for seed in range(1000))
    if not side.lines:
        assert drawn == {(): 1000}
        return
    assert drawn.keys() <= set(side.lines)
    expected = 1000 * np.array(side.probabilities)
    found = np.array([drawn[line] for line in side.lines])
    rare = expected < 5  # too few for the approximation, so they are counted together
    if rare.any():
        expected = np.append(expected[~rare], expected[rare].sum())
        found = np.append(found[~rare], found[rare].sum())
    chi_square = ((found - expected) ** 2 / expected).sum()
    assert chi2.sf(chi_square, max(len(expected) - 1, 1)) > 0.0001


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_good_and_measured(name):
    text = (FOLDER / f"{name}.json").read_text()
    jsonschema.validate(json.loads(text), json.loads((FOLDER / "schema.json").read_text()))
    book = books.read_book(name)
    assert book.name == name
    if book.equilibrium is not None and book.evaluation is None:
        return  # measured by its matrix, and in matches (docs/notes/lines.md)
    assert book.evaluation is not None, "nobody knows what it is worth"
    assert book.evaluation.first_seed >= book.training.first_fresh_seed
    assert 16 in {score.exploiter for score in book.evaluation.played}


def first_games(make):
    """The digests of an opening and of four games of a player."""
    return tuple(islice(identity._games(make), 3))


@cache
def first_games_of_bot(spec, *board):
    """Several books are of the same bot on the same board."""
    return first_games(partial(bots.make, spec, Game(*board)))


@pytest.mark.parametrize(
    "name",
    [
        # The same bot on the same board as another book.
        pytest.param(name, marks=pytest.mark.slow if name.endswith("-komi7.5") else ())
        for name in NAMES
    ],
)
def test_it_and_its_bots_play_their_first_games_as_they_did(name):
    book = books.read_book(name)
    setup = go_setup(book)
    board = setup.rules, setup.beginning
    assert setup.black == setup.white
    assert setup.black.games[:3] == first_games_of_bot(setup.black.name, *board)
    if book.games:
        game = setup.game
        assert book.games[:3] == first_games(
            lambda seed: unchecked_book_bot(name, book, game, seed, bots.make)
        )


@pytest.mark.parametrize(
    "name",
    [name if name == "nash5" else pytest.param(name, marks=pytest.mark.slow) for name in NAMES],
)
def test_it_and_its_bots_are_unchanged(name):
    assert changes(books.read_book(name)) == []


@pytest.mark.parametrize("name", packed.matrix_names())
def test_a_matrix_is_as_the_program_writes_it(name):
    assert (
        packed.dumps(packed.read_matrix(name)) == (FOLDER / "matrices" / f"{name}.json").read_text()
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_what_its_method_makes_of_its_matrix(name):
    book = books.read_book(name)
    source = shipped_matrix(book)
    if source is None:  # games that play on at random, or a learner's, are not a matrix
        learned_by = parse_learning_method(book.training.method)
        assert math.isfinite(book.moves) or not learned_by.whole_matrix
        return
    check_matrix(book, source)
    training = book.training
    method = parse_method(training.method)
    again = untested_book(replace(source, name=name), method, training.method_seed)
    if math.isfinite(book.moves):  # learned as whole games, and shortened since
        again = shortened(again, (int(book.black.moves), int(book.white.moves)))
    ours = again.training.versions
    if all(ours[key] == training.versions[key] for key in ("numpy", "scipy")):
        whole = replace(again, games=book.games, training=training)
        whole = replace(whole, evaluation=book.evaluation, best_response=book.best_response)
        assert books.dumps(whole) == (FOLDER / f"{name}.json").read_text()


def altered(name):
    """A shipped book with one thing in it that its matrix does not have, and what is said of it."""
    book = books.read_book(name)
    shares = list(book.black.probabilities)
    shares[0], shares[1] = shares[1], shares[0]
    training = replace(book.training, black_wins=book.training.black_wins + 1)
    yield replace(book, black=replace(book.black, probabilities=tuple(shares))), "portfolio is not"
    yield replace(book, white=replace(book.white, value=0.99)), "White's portfolio is not"
    yield replace(book, training=training), "training.black_wins is"


def test_a_tampered_book_is_not_called_good():
    for book, why in altered("nash5"):
        with pytest.raises(BadBook, match=why):
            check_matrix(book, shipped_matrix(book))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(("flat5", 12), ("flat7", 4), ("flat9", 2)),
        *(pytest.param(name, CELLS, marks=pytest.mark.slow) for name in packed.matrix_names()),
    ],
)
def test_games_of_a_matrix_end_today_as_they_did(name, count):
    matrix = packed.read_matrix(name)
    own, others = matrix.won.black.shape
    cells = random.Random(name).sample(range(own * others), min(count, own * others))
    games = [divmod(cell, others) for cell in sorted(cells)]
    for game, found in zip(games, SeedGames.many(go_setup(matrix), count).play(games), strict=True):
        assert black_won(found.text) == matrix.won.black[game], game
