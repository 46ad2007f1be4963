"""`phantomgo evaluate`: measure what was learned, on fresh seeds.

`ACTIONS` is the table of measures: by name, the verb, the functions that report its result, and a
description.
"""

import argparse
from collections.abc import Mapping
from typing import Any, Final

from phantomgo.app.command import (
    Action,
    add_options,
    of_actions,
    of_verb,
    perform,
    print_json,
)
from phantomgo.app.summaries import book_summary
from phantomgo.game.wording import counted
from phantomgo.lab.api.measuring import evaluate, evaluate_book, evaluate_moves
from phantomgo.lab.measure.moves import Measured
from phantomgo.lab.seeds.seed_store import matrix_of
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.cross_validation import CrossValidation, strengths
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.setup import Setup
from phantomgo.terminal import markdown, say


def _configure_methods(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_methods)


def _run_methods(arguments: argparse.Namespace) -> int:
    source = arguments.matrix, arguments.store, arguments.seeds, arguments.opponent_seeds
    setup, matrix = matrix_of(*source)
    ended = perform(evaluate, arguments, matrix=matrix)
    if ended.code:
        return ended.code
    if arguments.json:
        print_json(_methods_json(setup, matrix, ended.result, arguments.seed))
    else:
        say(_methods_text(setup, matrix, ended.result))
    return 0


def _methods_text(setup: Setup, matrix: SeedMatrix, table: CrossValidation) -> str:
    """The table in Markdown under a description."""
    spread = strengths(matrix)
    learned = f"K={table.own}"
    if table.own != table.opponents:
        learned += f" against Kt={table.opponents}"
    low, middle, high = (100 * spread.rates[i] for i in (0, len(spread.rates) // 2, -1))
    lines = [
        f"{setup.title}: learned on {learned} of {matrix.own} seeds, tested on"
        f" {matrix.opponents - table.opponents} others, {len(table.rates)} repeats."
        f" Black wins {100 * matrix.black.mean():.1f} % of all games.",
        f"Seeds win {low:.1f} % (worst) to {high:.1f} % (best), the middle one {middle:.1f} %;"
        f" if all seeds were alike, the standard deviation would be {100 * spread.noise:.1f} %.",
        "Win rate in % on fresh seeds ± standard error (between folds of the seeds).",
        "",
    ]
    rows = []
    for method, means, errors in zip(table.methods, table.mean, table.error, strict=True):
        cells = zip(means, errors, strict=True)
        rows.append([method, *(f"{100 * mean:.1f} ± {100 * error:.1f}" for mean, error in cells)])
    head = ["method", *(f"K'={k}" for k in table.exploiters)]
    return "\n".join([*lines, *markdown(head, rows)])


def _methods_json(
    setup: Setup, matrix: SeedMatrix, table: CrossValidation, seed: int
) -> dict[str, Any]:
    """The table as JSON: `deviation` is of one repeat, `error` the standard error of the mean."""
    spread = strengths(matrix)
    return {
        "setup": setup.as_dict(),
        "matrix": {
            "seeds": matrix.own,
            "opponent_seeds": matrix.opponents,
            "digest": matrix.digest(),
            "black_wins": float(matrix.black.mean()),
        },
        "strengths": {"rates": spread.rates.tolist(), "noise": spread.noise},
        "learned_on": {"seeds": table.own, "opponent_seeds": table.opponents},
        "repeats": len(table.rates),
        "seed": seed,
        "exploiters": list(table.exploiters),
        "methods": {
            method: {
                "rate": table.mean[row].tolist(),
                "deviation": table.deviation[row].tolist(),
                "error": table.error[row].tolist(),
            }
            for row, method in enumerate(table.methods)
        },
    }


def _book_json(book: Book) -> dict[str, Any]:
    assert book.evaluation is not None
    return {"book": book.name, "evaluation": book.evaluation.as_dict()}


def _exploiters(found: Measured) -> list[int]:
    """The numbers of tries K' that leave a choice among the fresh seeds."""
    return [k for k in EXPLOITERS if k < len(found.rates.black)]


def _moves_json(found: Measured) -> dict[str, Any]:
    """Rates are fractions of 1."""
    return {
        "book": found.book.name,
        "bot": found.bot,
        "games": found.games,
        "exploiters": {str(k): found.exploited(k)._asdict() for k in _exploiters(found)},
        "depth": {str(colour): depth._asdict() for colour, depth in found.depth.items()},
    }


def _moves_text(found: Measured) -> str:
    """A line for each K', and one for each colour."""
    tests = len(found.rates.black)
    lines = [
        f"{found.book.name} with {found.bot} against {found.bot}: {tests} fresh seeds of either"
        f" colour, {counted(found.games, 'game')} each; win rate in % ± standard error"
    ]
    for k in _exploiters(found):
        rate = found.exploited(k)
        lines.append(
            f"  K'={k:<3d}{100 * rate.rate:5.1f} ± {100 * rate.error:4.1f}"
            f"  (Black {100 * rate.black:.1f}, White {100 * rate.white:.1f})"
        )
    for colour, depth in found.depth.items():
        lines.append(
            f"  {colour}: {depth.attempts:.2f} attempts of a game from the book,"
            f" {depth.first:.2f} before the first other one"
        )
    return "\n".join(lines)


ACTIONS: Final[Mapping[str, Action]] = {
    "methods": (_configure_methods, "cross-validate methods on the games of a matrix or store"),
    "book": (
        of_verb(evaluate_book, book_summary, _book_json, positional=("book",)),
        "measure a book of seeds against fresh seeds",
    ),
    "moves": (
        of_verb(evaluate_moves, _moves_text, _moves_json, positional=("book",)),
        "measure a book of moves against fresh seeds",
    ),
}
configure = of_actions(ACTIONS)
