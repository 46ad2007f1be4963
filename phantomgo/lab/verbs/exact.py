"""Exact yardsticks for small games."""

from collections.abc import Sequence
from pathlib import Path

from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.measure.exact import EXPLOITERS, LEARNERS, Plan, Row, measure
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import crew
from phantomgo.lab.seeds import matrix_of
from phantomgo.portfolio.exploit import FRESH
from phantomgo.portfolio.packed import Packed
from phantomgo.rng import MAX_SEED


def exact(
    *,
    matrix: str | Packed | None = None,
    store: str | Path | None = None,
    seeds: int | None = None,
    learners: Sequence[str] = LEARNERS,
    budgets: Sequence[int] | None = None,
    train: int | None = None,
    exploiters: Sequence[int] = EXPLOITERS,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> tuple[Plan, list[Row]]:
    """Measure learned portfolios of seeds against exact best responses.

    It is for small games: Phantom Go on 2x2, phantom tic-tac-toe, dark hex, Domineering.

    Args:
        matrix: a packed matrix, by name, file or value.
        store: the file of a `learn`, instead.
        seeds: seeds of each colour to use (default: all).
        learners: methods of `learn`.
        budgets: games each may ask for (default: a sixteenth, a quarter and all of the matrix).
        train: seeds to learn from, the first ones (default: all but 20).
        exploiters: the K': how many of the other seeds an opponent tries.
        seed: makes the draws.
        jobs: processes.
        progress: told how far it is.

    Returns:
        What was measured, and a row for each learner and budget.

    Raises:
        BadText: a learner or number is not one, there are too few seeds, a player has changed, or
            the game has chance events.
        BadBook: there is no such matrix.
        BadStore: the store cannot be read.
    """
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
    whole("seed", seed, 0, MAX_SEED)
    plan = Plan(setup, won, learned, seed, tuple(learners), tuple(asked), tuple(exploiters))
    with (
        crew(jobs, None, progress) as workers,
        progress.stage("portfolios", len(learners) * len(asked)) as advance,
    ):
        return plan, measure(plan, workers, advance)
