"""Measure what was learned: methods on a recorded matrix, and books in games."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import bots
from bots.book_checks import refuse_changed
from phantomgo.errors import BadText
from phantomgo.files import output_file
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour
from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.lab.admission import Named, spec_of
from phantomgo.lab.learning.book_changes import changes
from phantomgo.lab.learning.learn import shortened
from phantomgo.lab.measure.fresh import LEAST_TEST_SEEDS, held_out
from phantomgo.lab.measure.moves import Measured, MoveBookGames, measured
from phantomgo.lab.players.identity import identify
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import HERE, Local, Run
from phantomgo.lab.seeds.contest import made_again
from phantomgo.lab.seeds.lines import lines_to_measure
from phantomgo.lab.seeds.seed_store import SeedStore, matrix_of
from phantomgo.portfolio.book import Book, read_book, write_book
from phantomgo.portfolio.cross_validation import (
    DEFAULT_METHODS,
    TEST_SEEDS,
    CrossValidation,
    cross_validate,
)
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.movebook import MoveBook, read_moves
from phantomgo.portfolio.packed import MAX_SEEDS, Packed
from phantomgo.rng import MAX_SEED
from phantomgo.values import checked_int

FAR: Final = 1_000_000
"""The first seed that a book of moves is measured on, above all seeds used for learning."""


def evaluate_book(
    book: str | Book,
    *,
    moves: Sequence[int] | None = None,
    test_seeds: int = 100,
    first_seed: int | None = None,
    symmetries: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    own_seeds: int = 0,
    force: bool = False,
    code: bool = False,
    out: str | Path | None = None,
    run: Run = HERE,
) -> Book:
    """Measure a book of seeds against fresh seeds, and optionally its bot without the book.

    Args:
        book: the book's name or .json file.
        moves: end its lines after this many own moves; two numbers are Black's and White's, and a
            colour with 0 plays without the book (default: as the book says).
        test_seeds: fresh seeds per colour.
        first_seed: the first test seed (default: the first one after the training seeds).
        symmetries: number of the eight board symmetries that each pair of seeds plays under
            (default: 8, fewer for many seeds).
        exploiters: values of K', the number of fresh seeds an opponent tries.
        own_seeds: fresh seeds per colour with which the book's bot is measured without the book,
            too, against the same opponents (default: not measured). Half of them choose the
            opponents, so take a few hundred.
        force: measure the book even if its bots have changed.
        code: run the code, and read the files, that the book's bots name.
        out: write the book with its evaluation to this file, NAME.json.
        run: the workers, the store of the games, and the receiver of progress.

    Returns:
        The book with its evaluation.

    Raises:
        BadText: a number is invalid, or the first seed took part in learning.
        BadBook: there is no such book, or its bots have changed.
        BadStore: the store cannot be used, or is of other games.
    """
    file = None if out is None else output_file("book", out)
    learned = _book(book)
    tests = _test_seeds(learned, first_seed, test_seeds, symmetries)
    if own_seeds:
        checked_int("own seeds", own_seeds, 2, MAX_SEEDS)
    for tries in exploiters:
        checked_int("exploiters", tries, 1)
    if min(exploiters, default=test_seeds) >= test_seeds:
        raise BadText(f"exploiters: no K' is below {test_seeds}, the number of test seeds")
    _refuse_changed(learned, force=force, code=code)
    if moves is not None:
        learned = shortened(learned, moves)
    with (
        run.begin() as workers,
        SeedStore(run.store, made_again(learned.setup), lines_to_measure(learned)) as store,
    ):
        sides = learned.black, learned.white
        evaluation = held_out(
            store, sides, tests, workers, exploiters, symmetries, own_seeds, run.progress
        )
    done = replace(learned, evaluation=evaluation)
    if file is not None:
        write_book(replace(done, name=file.stem), file)
    return done


def evaluate_moves(
    book: str,
    *,
    without: bool = False,
    bot: Named | None = None,
    test_seeds: int = 64,
    own_seeds: int = 32,
    run: Run = HERE,
) -> Measured:
    """Measure a book of moves on fresh seeds.

    Args:
        book: the book's name or .json file.
        without: measure the book's bot without the book, for comparison.
        bot: play with this bot instead of the book's own.
        test_seeds: fresh seeds per colour.
        own_seeds: fresh seeds of the bot, each of which plays every test seed.
        run: the workers, the store of the games, and the receiver of progress.

    Raises:
        BadText: a number is invalid, or the book's bot has changed.
        BadBook: there is no such book.
        BadStore: the store cannot be used, or is of other games.
    """
    checked_int("test seeds", test_seeds, 1, MAX_SEEDS)
    checked_int("own seeds", own_seeds, 1, MAX_SEEDS)
    learned = read_moves(book)
    if bot is None and (changed := changes(learned, bots.make_installed)):
        raise BadText("; ".join(changed))
    spec, game = learned.player(Colour.BLACK) if bot is None else spec_of(bot), learned.setup.game
    name = bots.make(spec, game, 0).name
    if without:
        learned = MoveBook(learned.name, learned.setup, {}, {}, learned.growth)
    contest = MoveBookGames(learned, name, (identify(name, Game(game.rules)),))
    own, tests = range(FAR, FAR + own_seeds), range(2 * FAR, 2 * FAR + test_seeds)
    with run.begin() as workers, Store(run.store, contest.players, contest.terms) as store:
        return measured(contest, store, own, tests, workers, run.progress)


def evaluate(
    matrix: str | Packed | SeedMatrix | None = None,
    *,
    store: str | Path | None = None,
    seeds: int | None = None,
    opponent_seeds: int | None = None,
    methods: Sequence[str] = DEFAULT_METHODS,
    train: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    repeats: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: Progress = SILENT,
) -> CrossValidation:
    """Cross-validate methods: learn from part of a seed matrix, and test on the other seeds.

    Args:
        matrix: the matrix's name or .json file; in Python also a matrix.
        store: read the results from this store of `learn` instead.
        seeds: own seeds of the matrix (default: all; of a store the largest square).
        opponent_seeds: opponent seeds (default: as many as own seeds).
        methods: methods to compare (default: those of the papers).
        train: number of training seeds (default: all but 20).
        exploiters: values of K', the number of fresh seeds an opponent tries.
        repeats: random splits into training and test seeds.
        seed: seed of the random draws.
        workers: processes.
        progress: receives reports of progress.

    Raises:
        BadText: there are too few seeds for this, or a method is invalid.
        BadStore: the matrix or store cannot be read.
    """
    if isinstance(matrix, SeedMatrix):
        won = matrix
    else:
        _, won = matrix_of(matrix, store, seeds, opponent_seeds)
    opponents = max(1, won.opponents - TEST_SEEDS) if train is None else train
    checked_int("repeats", repeats, 1)
    with Run(workers, progress).begin() as crew, progress.stage("resamplings", repeats) as advance:
        assert isinstance(crew, Local)
        return cross_validate(
            won,
            methods,
            opponents=opponents,
            exploiters=exploiters,
            repeats=repeats,
            seed=seed,
            mapper=crew.map,
            advance=advance,
        )


def _test_seeds(book: Book, first: int | None, number: int, symmetries: int | None) -> range:
    """Seeds that took no part in learning."""
    checked_int("test seeds", number, LEAST_TEST_SEEDS, MAX_SEEDS)
    trained = book.training.first_fresh_seed
    start = trained if first is None else checked_int("first seed", first, 0, MAX_SEED)
    if start < trained:
        raise BadText(f"first seed {start}: book {book.name} was learned on seeds below {trained}")
    if symmetries is not None:
        checked_int("symmetries", symmetries, 1, len(SYMMETRIES))
    return range(start, start + number)


def _refuse_changed(book: Book, *, force: bool, code: bool) -> None:
    refuse_changed(changes(book, bots.make if code else bots.make_installed), force=force)


def _book(book: str | Book) -> Book:
    """A book; it is read if given by name or file."""
    return book if isinstance(book, Book) else read_book(book)
