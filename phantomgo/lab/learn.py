"""Learning: a portfolio over seeds from the games of a store, tested on seeds it has not seen."""

import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

import numpy as np

import bots
import phantomgo
from bots.seeded import seeded
from phantomgo.lab.identity import games_of
from phantomgo.lab.progress import SILENT, Progress
from phantomgo.lab.seeds import SeedStore, play_missing
from phantomgo.lab.workers import Workers
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Evaluation, Score, Side, Training
from phantomgo.portfolio.exploit import EXPLOITERS, against, expected_exploited
from phantomgo.portfolio.methods import Method, Portfolio
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.packed import Packed


def learned(packed: Packed, method: Method, ties: int) -> Book:
    """The book that a method makes of a matrix, not evaluated yet; it has the matrix's name.

    Args:
        packed: the results.
        method: chooses the portfolio.
        ties: breaks the method's ties.
    """
    matrix = packed.won
    portfolio = method.learn(matrix, ties)
    secured = Portfolio(portfolio.black @ matrix.black, 1 - matrix.white @ portfolio.white)
    training = Training(
        method=method.text,
        method_seed=ties,
        seeds=matrix.own,
        opponent_seeds=matrix.opponents,
        **packed.counts._asdict(),
        matrix=matrix.digest(),
        versions=_versions(),
    )
    black, white = (_side(*both) for both in zip(portfolio, secured, strict=True))
    book = Book(packed.name, packed.setup, black, white, (), training, None)
    return replace(book, games=book_games(book))


def book_games(book: Book) -> tuple[str, ...]:
    """The digests of a book's games against itself, played now."""
    return games_of(lambda seed: seeded(book.name, book, seed, bots.make), book.setup.rules)


def held_out(
    store: SeedStore,
    sides: tuple[Side, Side],
    tests: range,
    workers: Workers,
    exploiters: Sequence[int] = EXPLOITERS,
    progress: Progress = SILENT,
) -> Evaluation:
    """Measure a portfolio against fresh seeds, playing the games that takes.

    Every seed of the portfolio plays every test seed of the other colour once. An exploiter with
    more tries than there are test seeds is left out.
    """
    black, white = sides
    wanted = [(own, test) for test in tests for own in black.seeds]
    wanted += [(test, own) for test in tests for own in white.seeds]
    play_missing(store, wanted, workers, progress)
    # Distributions over the seeds that are played, rather than over all seeds.
    portfolio = Portfolio(np.array(black.probabilities), np.array(white.probabilities))
    as_black, as_white = store.wins(black.seeds, tests), store.wins(tests, white.seeds)
    rates = against(portfolio, as_black, as_white)
    scores = []
    for exploiter in exploiters:
        if exploiter <= len(tests):
            found = expected_exploited(rates, exploiter)
            scores.append(Score(exploiter, round(found.rate, 6), round(found.deviation, 6)))
    return Evaluation(tests.start, len(tests), tuple(scores))


def _versions() -> dict[str, str]:
    """The versions of what took part in learning."""
    found = {"phantomgo": phantomgo.__version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a place without the packages' metadata
            found[package] = "unknown"
    return found


def _side(distribution: FloatArray, rates: FloatArray) -> Side:
    value = round(min(1.0, max(0.0, float(rates.min()))), books.DIGITS)
    return Side.of(distribution, value)
