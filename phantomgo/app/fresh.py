"""Fresh games: books, and what methods make of a matrix, against seeds that nobody learned on."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain

from bots import make, make_installed
from bots.seeded import refuse
from phantomgo.app.crew import crew
from phantomgo.app.summaries import book_summary, methods_table
from phantomgo.errors import BadText
from phantomgo.lab.books import changes
from phantomgo.lab.learn import chosen_of, held_out, held_out_games, meeting
from phantomgo.lab.seeds import SeedStore, made_again, play_missing
from phantomgo.lab.store import MEMORY
from phantomgo.portfolio.book import Book, read_book
from phantomgo.portfolio.exploit import ALPHAS, BEST_SPARSE, METHODS, check_methods
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.packed import read_matrix
from phantomgo.portfolio.setup import OtherSetup


def evaluate_book(arguments: argparse.Namespace) -> int:
    """A book against fresh seeds, or against another book."""
    book = read_book(arguments.book)
    tests = _test_seeds(arguments, book, "book")
    if arguments.against is not None:
        return _let_meet(arguments, book)
    (book,) = _tested(arguments, [book], tests)
    if arguments.json:
        assert book.evaluation is not None
        print(json.dumps({"book": book.name, "evaluation": asdict(book.evaluation)}, indent=2))
    else:
        print(book_summary(book))
    return 0


def evaluate_methods(arguments: argparse.Namespace) -> int:
    """What every method makes of a whole matrix, its seeds against fresh ones."""
    packed = read_matrix(arguments.matrix)
    methods = map(parse_method, portfolios(arguments))
    books = [chosen_of(packed, method, arguments.seed) for method in methods]
    books = _tested(arguments, books, _test_seeds(arguments, books[0], "matrix"))
    if arguments.json:
        table = {book.training.method: asdict(book.evaluation) for book in books if book.evaluation}
        print(json.dumps({"matrix": packed.name, "methods": table}, indent=2))
    else:
        print(methods_table(books))
    return 0


def portfolios(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The methods that are asked for, where each has to be one portfolio.

    Raises:
        BadText: one is chosen for each K', so it is several; or there is no such method.
    """
    if not arguments.methods:
        return tuple(text for text in METHODS if text != BEST_SPARSE)
    methods = tuple(arguments.methods.split(","))
    if BEST_SPARSE in methods:
        raise BadText(
            f"--methods: {BEST_SPARSE} is chosen for each K' by cross-validation; name the"
            f" portfolio: {' or '.join(ALPHAS)}"
        )
    check_methods(methods)
    return methods


def _test_seeds(arguments: argparse.Namespace, book: Book, source: str) -> range:
    """Seeds that took no part in learning, once it is clear that they can play the book's.

    Raises:
        BadText: the first test seed took part, or boards are to be turned that are not.
        BadBook: a bot of the book has changed, and it is not forced.
    """
    trained = book.training.fresh
    first = trained if arguments.first_seed is None else arguments.first_seed
    if first < trained:
        raise BadText(
            f"--first-seed {first}: {source} {book.name} was learned on seeds below {trained}"
        )
    if arguments.symmetries and isinstance(book.setup, OtherSetup):
        raise BadText(f"--symmetries: boards of {book.setup.game} are not turned")
    refuse(changes(book, make if arguments.code else make_installed), force=arguments.force)
    return range(first, first + arguments.test_seeds)


def _tested(arguments: argparse.Namespace, books: Sequence[Book], tests: range) -> list[Book]:
    """Books of one setup, evaluated against these seeds; a game of several is played once."""
    every, number = [(book.black, book.white) for book in books], arguments.symmetries
    with (
        SeedStore(arguments.store or MEMORY, made_again(books[0].setup)) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        games = (held_out_games(store.setup, sides, tests, number) for sides in every)
        play_missing(store, dict.fromkeys(chain.from_iterable(games)), workers, shown)
        exploiters = arguments.exploiters
        evaluations = [
            held_out(store, sides, tests, workers, exploiters, number) for sides in every
        ]
    return [replace(book, evaluation=found) for book, found in zip(books, evaluations, strict=True)]


def _let_meet(arguments: argparse.Namespace, book: Book) -> int:
    """Two books against each other."""
    other, setup = read_book(arguments.against), book.setup
    if other.setup.as_dict() != setup.as_dict():
        raise BadText(
            f"book {other.name} is of {other.setup.title}, and book {book.name} of {setup.title}"
        )
    with (
        SeedStore(arguments.store or MEMORY, setup) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        found = meeting(store, book, other, workers, arguments.symmetries, shown)
    rate = (found.black + found.white) / 2
    if arguments.json:
        table = {"book": book.name, "against": other.name, "symmetries": found.symmetries}
        print(
            json.dumps(
                {**table, "rate": rate, "black": found.black, "white": found.white}, indent=2
            )
        )
    else:
        colours = f"{100 * found.black:.1f} % as Black, {100 * found.white:.1f} % as White"
        print(f"{book.name} wins {100 * rate:.1f} % against {other.name}: {colours}")
    return 0
