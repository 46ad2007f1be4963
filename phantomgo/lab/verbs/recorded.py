"""Measuring what was learned on a recorded matrix, without a game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.run.workers import HERE, Crew
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
from phantomgo.portfolio.packed import Packed

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
    crew: Crew = HERE,
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
        crew: the workers, and the receiver of progress.

    Raises:
        BadText: there are too few seeds for this or only those that halving left, or a method is
            not one.
        BadStore: the matrix or store cannot be read.
    """
    _, won = matrix_of(matrix, store, seeds, opponent_seeds)
    opponents = max(1, won.opponents - FRESH) if train is None else train
    whole("repeats", repeats, 1)
    with crew.begin() as workers, crew.progress.stage("resamplings", repeats) as advance:
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
