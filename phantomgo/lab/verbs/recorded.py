"""Measuring what was learned on a recorded matrix, without a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from phantomgo.checks import number, whole
from phantomgo.errors import BadText
from phantomgo.lab.measure import compare as comparing
from phantomgo.lab.measure.decisions import Step, steps
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import crew
from phantomgo.lab.seed_store import matrix_of
from phantomgo.portfolio.exploit import (
    ALPHAS,
    BEST_SPARSE,
    FRESH,
    METHODS,
    Table,
    check_methods,
    cross_validate,
)
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.packed import Packed, read_matrix
from phantomgo.portfolio.setup import Setup
from phantomgo.rng import checked_seed

PORTFOLIOS: Final = tuple(text for text in METHODS if text != BEST_SPARSE)


def evaluate(
    matrix: str | Packed | None = None,
    *,
    store: str | Path | None = None,
    seeds: int | None = None,
    opponent_seeds: int | None = None,
    methods: Sequence[str] = METHODS,
    train: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    repeats: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = SILENT,
) -> Table:
    """Cross-validate methods: how seeds learned on part of a matrix do against all others.

    Args:
        matrix: the matrix's name or .json file.
        store: read the results from this store of `learn` instead.
        seeds: own seeds of the matrix (default: all; of a store the largest square).
        opponent_seeds: opponent seeds (default: as many as own seeds).
        methods: methods to compare (default: those of the papers).
        train: number of training seeds (default: all but 20).
        exploiters: values of K', the number of fresh seeds an opponent tries.
        repeats: random splits into training and test seeds.
        seed: seed of the random draws.
        jobs: worker processes.
        dask: compute on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        progress: receives reports of progress.

    Raises:
        BadText: there are too few seeds for this or only those that halving left, or a method is
            not one.
        BadStore: the matrix or store cannot be read.
    """
    _, won = matrix_of(matrix, store, seeds, opponent_seeds)
    opponents = max(1, won.opponents - FRESH) if train is None else train
    whole("repeats", repeats, 1)
    with crew(jobs, dask, progress) as workers, progress.stage("resamplings", repeats) as advance:
        return cross_validate(
            won,
            methods,
            opponents=opponents,
            exploiters=exploiters,
            repeats=repeats,
            seed=seed,
            spread=workers.map,
            advance=advance,
        )


def compare(
    matrix: str | Packed,
    *,
    learners: Sequence[str] = comparing.LEARNERS,
    budgets: Sequence[int] | None = None,
    milliseconds: float | None = None,
    noise: float = 0.0,
    exploiters: Sequence[int] = comparing.EXPLOITERS,
    deals: int = 5,
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = SILENT,
) -> comparing.Comparison:
    """Compare learners of seeds at equal games or time, off a recorded matrix, without a game.

    Args:
        matrix: the matrix's name or .json file.
        learners: methods of `learn`.
        budgets: games that each learner may ask for (default: 800, 3200 ..., then the whole
            matrix).
        milliseconds: processor time of a game; each learner then has the time of its budget's
            games, for games and for its own computation together.
        noise: chance that a result to learn from is wrong.
        exploiters: values of K', the number of fresh seeds an opponent tries.
        deals: number of random deals of the seeds into cross-validation folds.
        seed: seed of the random draws.
        jobs: worker processes.
        dask: compute on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        progress: receives reports of progress.

    Raises:
        BadText: a learner or number is not one, or there are too few seeds.
        BadBook: there is no such matrix.
    """
    packed = matrix if isinstance(matrix, Packed) else read_matrix(matrix)
    whole("deals", deals, 1)
    checked_seed(seed)
    for budget in budgets or ():
        whole("budgets", budget, 1)
    for tries in exploiters:
        whole("exploiters", tries, 1)
    if milliseconds is not None:
        number("milliseconds", milliseconds, 0, 1e6)
    number("noise", noise, 0, 1)
    folds = deals * comparing.folds_of(packed.whole, exploiters)
    with (
        crew(jobs, dask, progress) as workers,
        progress.stage(f"folds of {packed.name}", folds) as advance,
    ):
        return comparing.compare(
            packed.whole,
            learners,
            budgets,
            noise=noise,
            price=None if milliseconds is None else milliseconds / 1000,
            exploiters=exploiters,
            deals=deals,
            seed=seed,
            spread=workers.map,
            advance=advance,
        )


class Decided(NamedTuple):
    """The value of the first decisions of a matrix's seeds.

    Attributes:
        name: the matrix's name.
        setup: its games.
        steps: the best beginnings, each one decision longer.
    """

    name: str
    setup: Setup
    steps: list[Step]


def decide_openings(
    matrix: str | Packed, *, length: int = 3, progress: Progress = SILENT
) -> Decided:
    """Find what the first decisions of a matrix's seeds are worth, without a game.

    Args:
        matrix: the matrix's name or .json file.
        length: number of decisions.
        progress: receives reports of progress.

    Raises:
        BadText: the length is out of range, or the matrix is of another game.
        BadBook: there is no such matrix.
    """
    whole("length", length, 1, 100)
    packed = matrix if isinstance(matrix, Packed) else read_matrix(matrix)
    if not isinstance(packed.setup, Setup):
        raise BadText(f"matrix {packed.name} is of {packed.setup.title}, not of Phantom Go")
    with progress.stage("beginnings", length + 1) as advance:
        return Decided(
            packed.name, packed.setup, steps(packed.setup, packed.whole, length, advance)
        )


def check_portfolios(methods: Sequence[str]) -> None:
    """Check that each method makes one portfolio.

    Raises:
        BadText: a method does not exist, or chooses a different portfolio for each K'.
    """
    if BEST_SPARSE in methods:
        raise BadText(
            f"method {BEST_SPARSE} is chosen for each K' by cross-validation; name the"
            f" portfolio: {' or '.join(ALPHAS)}"
        )
    check_methods(methods)
