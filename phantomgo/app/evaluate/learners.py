"""`phantomgo evaluate learners`: learners at equal games or time, on recorded matrices."""

import argparse
from pathlib import Path
from typing import Any

from phantomgo.app import plots
from phantomgo.app.command import add_options, call, print_json
from phantomgo.app.progress import Shown
from phantomgo.lab.measure.compare import Comparison
from phantomgo.lab.verbs.recorded import compare
from phantomgo.match.text import markdown
from phantomgo.portfolio.packed import read_matrix


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matrix", nargs="+", metavar="NAME", help="a matrix's name or .json file")
    add_options(parser, compare, without=("matrix",))
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw a figure for each K', such as NAME-flat5-1.svg (needs matplotlib)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.plot is not None:
        plots.check(Path(arguments.plot))
    found: dict[str, Comparison] = {}
    for packed in map(read_matrix, arguments.matrix):
        done = call(compare, arguments, matrix=packed, progress=Shown())
        found[f"{packed.name}: {packed.setup.title}"] = done
    if arguments.json:
        table = {title: _as_json(done) for title, done in found.items()}
        print_json({"seed": arguments.seed, **table})
    else:
        print("\n\n".join(_as_text(title, done) for title, done in found.items()))
    if arguments.plot is not None:
        plots.draw_comparison(Path(arguments.plot), found)
    return 0


def _as_text(title: str, done: Comparison) -> str:
    """A table for each K', and one of games and time, in Markdown."""
    deals, folds = done.rates.shape[:2]
    timed = done.price is not None
    budgets = [f"{budget:.3g} s" for budget in done.budgets] if timed else done.budgets
    what = "processor time for games and learning" if timed else "games asked for"
    head = [
        f"{title}: learned on {done.own} seeds, tested on the others, {deals * folds} times."
        f" Winning rate in % on fresh seeds ± standard error, by {what}."
    ]
    for column, exploiter in enumerate(done.exploiters):
        rows = []
        for row, learner in enumerate(done.learners):
            cells = zip(done.mean[row, :, column], done.error[row, :, column], strict=True)
            rows.append([learner, *(f"{100 * mean:.1f} ± {100 * err:.1f}" for mean, err in cells)])
        head += ["", *markdown([f"K'={exploiter}", *budgets], rows)]
    spent = zip(*(side.mean(axis=(0, 1)) for side in (done.games, done.seconds)), strict=True)
    rows = [
        [learner, *(f"{games:.0f}, {seconds:.2g}" for games, seconds in zip(*both, strict=True))]
        for learner, both in zip(done.learners, spent, strict=True)
    ]
    name = "different games, s of learning"
    return "\n".join([*head, "", *markdown([name, *budgets], rows)])


def _as_json(done: Comparison) -> dict[str, Any]:
    """Rates are fractions of 1."""
    return {
        "seeds": done.own,
        "seconds" if done.price is not None else "games": list(done.budgets),
        "exploiters": list(done.exploiters),
        "learnings": done.rates.shape[0] * done.rates.shape[1],
        "learners": {
            learner: {
                "rate": done.mean[row].T.tolist(),
                "error": done.error[row].T.tolist(),
                "different_games": done.games[:, :, row].mean(axis=(0, 1)).tolist(),
                "seconds_of_learning": done.seconds[:, :, row].mean(axis=(0, 1)).tolist(),
            }
            for row, learner in enumerate(done.learners)
        },
    }
