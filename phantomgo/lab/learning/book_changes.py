"""Checks that a book still plays as learned, and that its method reproduces it from its matrix."""

from dataclasses import replace
from typing import Final

import numpy as np

import bots
from bots.book_checks import quick_changes
from bots.bot import Make
from phantomgo.errors import BadBook
from phantomgo.game.points import Colour
from phantomgo.lab.learners.catalog import parse_learning_method
from phantomgo.lab.learning.learn import untested_book
from phantomgo.lab.players.identity import changes_in_games
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.movebook import AnyBook
from phantomgo.portfolio.packed import Packed, matrix_names, read_matrix

TOLERANCE: Final = 1e-9
"""Tolerance between the probabilities that two versions of the solver find."""


def changes(book: AnyBook, make: Make = bots.make_installed) -> list[str]:
    """A sentence for each thing that has changed since the book was learned.

    Whole games are played with bounded budgets, by the book's bots and by the book.

    Args:
        book: the book.
        make: makes its bots. `bots.make` runs the module of a bot MODULE:CLASS, if the book names
            one.
    """
    return quick_changes(book, make) or changes_in_games(book)


def shipped_matrix(book: Book) -> Packed | None:
    """The shipped matrix that a book was learned from; None if there is none."""
    said = book.training
    if said.survivors is not None or not parse_learning_method(said.method).whole_matrix:
        return None  # learned from a part of a matrix
    for name in matrix_names():
        packed = read_matrix(name)
        if packed.setup.as_dict() != book.setup.as_dict():
            continue
        if said.seeds <= packed.won.own and said.opponent_seeds <= packed.won.opponents:
            return replace(packed.first(said.seeds, said.opponent_seeds), name=name)
    return None


def check_matrix(book: Book, packed: Packed) -> None:
    """Check that the book's method reproduces it from its matrix."""
    said = book.training
    made = untested_book(
        replace(packed, name=book.name), parse_method(said.method), said.method_seed
    )
    for field in ("games", "black_wins", "draws", "matrix"):
        there, expected = getattr(said, field), getattr(made.training, field)
        if there != expected:
            raise BadBook(
                f"book {book.name}: training.{field} is {there}, but matrix {packed.name} has"
                f" {expected}"
            )
    for colour in Colour:
        there, expected = book.side(colour), made.side(colour)
        seeds = [[line[-1].seed for line in side.lines] for side in (there, expected)]
        was, now = ((*side.probabilities, side.value) for side in (there, expected))
        if seeds[0] != seeds[1] or not np.allclose(was, now, rtol=0, atol=TOLERANCE):
            raise BadBook(
                f"book {book.name}: {colour}'s portfolio is not what {said.method} makes of matrix"
                f" {packed.name}"
            )
