"""Exact yardsticks for small games."""

from collections.abc import Sequence
from pathlib import Path

from bots.seeded import refuse
from phantomgo.checks import number, whole
from phantomgo.errors import BadText
from phantomgo.lab.books import changes
from phantomgo.lab.exact.value import Bounds, find_value
from phantomgo.lab.measure.exact import (
    EXPLOITERS,
    LEARNERS,
    Exact,
    Plan,
    measure,
    measure_book,
    players_of,
)
from phantomgo.lab.run.progress import MOST_MINUTES, SILENT, Progress, clock
from phantomgo.lab.run.workers import crew
from phantomgo.lab.seed_store import matrix_of
from phantomgo.points import Colour
from phantomgo.portfolio.book import Book, read_book
from phantomgo.portfolio.exploit import FRESH
from phantomgo.portfolio.packed import Packed
from phantomgo.portfolio.setup import AnySetup
from phantomgo.rng import checked_seed


def exact(
    *,
    matrix: str | Packed | None = None,
    store: str | Path | None = None,
    books: Sequence[str] = (),
    seeds: int | None = None,
    value: float = 0.0,
    responder: float = 0.0,
    learners: Sequence[str] = LEARNERS,
    budgets: Sequence[int] | None = None,
    train: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> Exact:
    """Measure portfolios of seeds, learned now or in books, against exact best responses.

    It is for small games: Phantom Go on 2x2, phantom tic-tac-toe, dark hex, Domineering.

    Args:
        matrix: the matrix's name or .json file.
        store: read the results from this store of `learn` instead.
        books: measure these books of one game instead, by name or .json file.
        seeds: seeds of each colour to use (default: all).
        value: minutes to spend, at most, on the value of the game.
        responder: minutes that the responder of `book exploit` learns as each colour.
        learners: methods of `learn`.
        budgets: games that each learner may ask for (default: a sixteenth, a quarter and all of the
            matrix).
        train: number of training seeds, the first ones (default: all but 20).
        exploiters: values of K', the number of the other seeds that an opponent tries.
        seed: seed of the random draws.
        jobs: worker processes.
        progress: receives reports of progress.

    Returns:
        What was measured: a row for each book, or for each learner and budget.

    Raises:
        BadText: a learner or number is not one, there are too few seeds, a player has changed,
            the game has chance events, or books are of several games or left during games.
        BadBook: there is no such matrix or book, or a book's bots have changed.
        BadStore: the store cannot be read.
    """
    number("minutes for the value", value, 0, MOST_MINUTES)
    number("minutes for a responder", responder, 0, MOST_MINUTES)
    if books:
        if matrix is not None or store is not None:
            raise BadText("books are measured without a matrix")
        for what, given in {"seeds": seeds, "budgets": budgets, "training seeds": train}.items():
            if given is not None:
                raise BadText(f"{what} are for a matrix, not for books")
        return _books(list(map(read_book, books)), value, responder, progress)
    setup, won = matrix_of(matrix, store, seeds)
    if won.own != won.opponents:
        raise BadText(f"{won.own} x {won.opponents} seeds are not a square matrix")
    for tries in exploiters:
        whole("exploiters", tries, 1, won.own)
    fresh = max(exploiters, default=0)
    learned = max(1, won.own - max(FRESH, fresh)) if train is None else train
    whole("training seeds", learned, 1, won.own - fresh)
    asked = budgets or sorted({max(1, learned**2 // part) for part in (16, 4, 1)})
    for budget in asked:
        whole("budgets", budget, 1)
    checked_seed(seed)
    plan = Plan(
        setup,
        won,
        learned,
        seed,
        tuple(learners),
        tuple(asked),
        tuple(exploiters),
        60 * responder,
    )
    with (
        crew(jobs, None, progress) as workers,
        progress.stage("portfolios", len(learners) * len(asked)) as advance,
    ):
        rows = measure(plan, workers, advance)
    return Exact(setup, plan, rows, _value(setup, value, progress))


def _books(books: Sequence[Book], minutes: float, responder: float, progress: Progress) -> Exact:
    setup, *others = (book.setup for book in books)
    for other in others:
        if other.game != setup.game:
            raise BadText(f"one book is of {setup.game} and one of {other.game}")
    with progress.stage("books", len(books)) as advance:
        rows = []
        for book in books:
            players_of(book.setup)  # before a player that the book names is made, or started
            refuse(changes(book), force=False)
            rows.append(measure_book(book, 60 * responder))
            advance(1)
    return Exact(setup, None, rows, _value(setup, minutes, progress))


def _value(setup: AnySetup, minutes: float, progress: Progress) -> Bounds | None:
    """The value of a setup's game, as well as it is known after these minutes."""
    if not minutes:
        return None
    start, player = players_of(setup)
    with progress.stage("seconds for the value", int(60 * minutes)) as advance:
        over = clock(60 * minutes, advance)
        defaults = {colour: player(colour, 0) for colour in Colour}
        return find_value(start, defaults, lambda _: over())
