"""`phantomgo reproduce`: the tables and figures of the papers, ours next to theirs."""

import math
import sys
import time
from pathlib import Path
from typing import Final

from phantomgo.app.command import of_command
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.files import make_folder
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import Run
from phantomgo.papers.experiments import EXPERIMENTS
from phantomgo.papers.report import Findings
from phantomgo.papers.scope import Scope
from phantomgo.portfolio.packed import MAX_SEEDS
from phantomgo.terminal import markdown
from phantomgo.values import checked_int, checked_number

ALL: Final = "all"
MOST_MINUTES: Final = 100_000


def reproduce(
    name: str | None = None,
    *,
    minutes: float | None = None,
    seeds: int | None = None,
    games: int | None = None,
    repeats: int = 50,
    out: str | Path = "reproduced",
    workers: int | str = 1,
    progress: Progress = SILENT,
) -> int:
    """Repeat an experiment of the papers: tables and figures in files, ours next to theirs.

    Games are stored in the folder: the same command resumes after an interruption, and plays more
    games if it is given more minutes or seeds.

    Args:
        name: the experiment, or `all` (default: list them, with the results so far).
        minutes: time limit (default: none; each experiment then has its usual size, which takes the
            hours listed).
        seeds: own seeds per colour (default: the experiment's usual number).
        games: games per cell or row, number of learners, or playouts of the evaluating player,
            depending on the experiment (default: its usual number).
        repeats: random splits into training and test seeds; the papers use 100 and 1000.
        out: the folder for all files.
        workers: games to play in parallel, or the address of a Dask cluster.
        progress: receives reports of progress.

    Returns:
        0.

    Raises:
        BadText: there is no such experiment, or it lacks a program or time.
    """
    folder = Path(out)
    if name is None:
        print(_listed(folder))
        return 0
    if name not in (ALL, *EXPERIMENTS):
        raise BadText(unknown("experiment", name, [ALL, *EXPERIMENTS]))
    if minutes is not None:
        checked_number("minutes", minutes, 0.01, MOST_MINUTES)
    if seeds is not None:
        checked_int("seeds", seeds, 4, MAX_SEEDS)
    if games is not None:
        checked_int("games", games, 2)
    checked_int("repeats", repeats, 2)
    make_folder(folder)
    until = math.inf if minutes is None else time.monotonic() + 60 * minutes
    chosen = [*EXPERIMENTS] if name == ALL else [name]
    run = Run(workers, progress)
    with run.begin() as crew:
        for place, each in enumerate(chosen):
            left = [EXPERIMENTS[other].hours for other in chosen[place:]]
            now = time.monotonic()
            if place and now >= until:
                print(f"{each}: no time is left", file=sys.stderr)
                continue
            # What one experiment leaves is for those after it.
            share = now + (until - now) * left[0] / sum(left)
            scope = Scope(folder, run, crew, repeats, seeds, games, share)
            try:
                report = EXPERIMENTS[each].run(scope)
            except BadText as error:
                if name != ALL:
                    raise
                print(f"{each}: {error}", file=sys.stderr)
                continue
            about = f"{each}: {EXPERIMENTS[each].paper}."
            report.write(folder, each, about)
            if name == ALL:
                print(f"{each}: {report.agreement or 'done'}", file=sys.stderr)
            else:
                print(report.text(about), end="")
    if name == ALL:
        print(_listed(folder))
    files = (
        f"{folder / chosen[0]}.md, .csv and, with matplotlib, .svg" if name != ALL else str(folder)
    )
    print(f"written to {files}; more minutes or seeds go on from these games", file=sys.stderr)
    return 0


configure = of_command(reproduce)


def _listed(folder: Path) -> str:
    """The list of experiments with their papers, hours and results."""
    rows = []
    for name, experiment in EXPERIMENTS.items():
        rows.append(
            [
                name,
                experiment.paper,
                f"{experiment.hours:g}",
                f"{experiment.whole:g}",
                Findings.state(folder, name),
            ]
        )
    return "\n".join(markdown(["experiment", "paper", "core hours", "at its size", "found"], rows))
