"""`phantomgo reproduce TABLE`: repeat an experiment of the papers by commands of phantomgo.

It prints the commands, then runs them in a folder. Tables are kept when their commands
are done, and games as they are played, so the same command resumes after an interruption.
"""

import io
import re
import shlex
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Final

from phantomgo.app.cli import main
from phantomgo.app.command import of_command
from phantomgo.app.experiments import ExperimentCommand, Scope, experiments
from phantomgo.app.published import printed
from phantomgo.checks import unknown
from phantomgo.errors import BadText
from phantomgo.files import write_whole
from phantomgo.lab.run.workers import Run
from phantomgo.portfolio.exploit import FRESH
from phantomgo.portfolio.packed import MAX_SEEDS
from phantomgo.values import whole

FEWEST: Final = FRESH + 2
"""The fewest seeds of a matrix: the test seeds and two to learn on."""
OURS: Final = "<!-- phantomgo "
"""The beginning of a table's file."""


def reproduce(
    table: str | None = None,
    *,
    size: int | None = None,
    seeds: int | None = None,
    repeats: int = 100,
    workers: int | str = 1,
    out: str | Path = "reproduced",
) -> int:
    """Repeat an experiment: a table and figures in files, next to a paper's numbers.

    Args:
        table: the experiment (default: list all).
        size: points per side (default: the experiment's first board).
        seeds: play the games of this many seeds a side (default: use the recorded matrix).
        repeats: random splits into training and test seeds; the papers use 1000.
        workers: games to play in parallel, or the address of a Dask cluster.
        out: the folder for all files.

    Returns:
        0, or the exit code of the command that failed.
    """
    if table is None:
        if size is not None or seeds is not None:
            raise BadText(f"which experiment? There are {', '.join(experiments())}")
        print("\n".join(f"{name:<11} {one.paper}" for name, one in experiments().items()))
        return 0
    if table not in experiments():
        raise BadText(unknown("experiment", table, experiments()))
    experiment, folder = experiments()[table], Path(out)
    size = experiment.sizes[0] if size is None else size
    if size not in experiment.sizes:
        boards = ", ".join(map(str, experiment.sizes))
        raise BadText(f"{table}: size {size} is not one of {boards}")
    if seeds is not None:
        if not experiment.own:
            raise BadText(f"{table} has its own numbers of seeds: seeds cannot be set")
        whole("seeds", seeds, FEWEST, MAX_SEEDS)
    scope = Scope(size, seeds, whole("repeats", repeats, 1), Run(workers).workers)
    steps = list(experiment.commands(scope))
    print(f"{experiment.paper}:", file=sys.stderr)
    for step in steps:
        print(f"  phantomgo {step.command}", file=sys.stderr)
    folder.mkdir(exist_ok=True)
    beside = f"\nIn the paper:\n\n{printed(table, size)}\n"
    for step in steps:
        if code := _done(step, folder, beside if step is steps[-1] else ""):
            return code
    return 0


configure = of_command(reproduce)


def _done(step: ExperimentCommand, folder: Path, beside: str) -> int:
    """Print the table of a step and the text beside it; return the exit code.

    The step is run unless an earlier call has kept its table.
    """
    file = folder / f"{step.name}.md"
    command = re.sub(r" --workers \S+", "", step.command)
    head = f"{OURS}{command} -->\n"
    if file.is_file():
        text = file.read_text(encoding="utf-8", errors="replace")
        if text.startswith(head):
            print(text.removeprefix(head), end="")
            return 0
        if not text.startswith(OURS):
            raise BadText(f"{file} holds no table of ours: move it away, or name another folder")
    # Here and not in a process of its own, which a signal to this one would not reach.
    kept = io.StringIO()
    with chdir(folder), redirect_stdout(kept):
        code = main(shlex.split(step.command))
    text = kept.getvalue()
    if code == 0:
        text += beside
        write_whole(file, head + text)
    print(text, end="", flush=True)
    return code
