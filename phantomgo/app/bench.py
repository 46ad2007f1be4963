"""`phantomgo bench`: the speed of playouts, decisions and games on this machine."""

import os
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numba
import numpy as np

from bots import make
from bots.belief import candidates, presume_refused
from bots.kernels.jit import processor
from bots.kernels.playouts import play_out
from bots.kernels.positions import position_of
from bots.kernels.rows import workspace
from bots.kernels.tasks import only_task
from bots.worlds import UNIFORM, as_array, as_bytes
from phantomgo.app.command import of_command, print_json
from phantomgo.app.progress import progress
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, MAX_SIZE, MIN_SIZE
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.lockstep.batch import play_batch
from phantomgo.lab.measure.timing import Sample, Work, interleaved, timed
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.portfolio.line import Step
from phantomgo.system import cores
from phantomgo.terminal import markdown
from phantomgo.values import checked_int
from phantomgo.version import __version__

SIZES: Final = (5, 7, 9, 13, 19)
DECISION: Final = 1000
"""Playouts of a measured decision."""
GAME: Final = 200
"""Playouts per decision in a measured game."""
PLAYER: Final = f"flatmc:playouts={GAME}"
SECONDS: Final = 0.2
"""The approximate processor time of a sample; a whole game may take longer."""
GAMES_LONGER: Final = 5
"""Samples of games take this many times as long, as games vary more than playouts."""
Spread: TypeAlias = dict[str, float]
"""Minimum, median and maximum, by the names `min`, `median` and `max`."""
COLUMNS: Final = {
    "thousand_playouts_per_second": "thousand playouts per second",
    "ms_per_decision": f"ms per decision of {DECISION} playouts",
    "ms_per_game": f"ms per game of {GAME} playouts per decision",
    "ms_per_game_in_lock_step": "in lock step",
}
"""The figures, each with its column's head."""


def bench(*, sizes: Sequence[int] = SIZES, repeats: int = 7, json: bool = False) -> None:
    """Measure how fast playouts, decisions and games are, and print the figures.

    Args:
        sizes: points per side.
        repeats: samples per figure.
        json: print JSON.
    """
    for size in sizes:
        checked_int("size", size, MIN_SIZE, MAX_SIZE)
    checked_int("repeats", repeats, 1, 1000)
    result = measure(sizes, repeats)
    if json:
        print_json(result)
    else:
        print(as_text(result))


configure = of_command(bench)


def measure(sizes: Sequence[int], repeats: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Measure all figures, which take turns, as processor time of one thread.

    Args:
        sizes: points per side.
        repeats: samples of each figure.
        seconds: approximate processor time of a sample; a whole game may take longer.

    Returns:
        JSON: the machine, and by size the figures, each as `min`, `median`, `max`.
    """
    cases = {(size, name): work for size in sizes for name, work in _works(size, seconds).items()}
    spare_the_collector()  # as workers do
    with progress("samples", len(cases) * repeats) as advance:
        samples = interleaved(cases, repeats, advance)
    return {
        "machine": _machine(),
        "sizes": {
            str(size): {name: _spread(name, samples[size, name]) for name in COLUMNS}
            for size in sizes
        },
    }


def _works(size: int, seconds: float) -> dict[str, Work]:
    """The cases measured on boards of a size, by the names of their figures."""
    rules = Rules(size=size)
    game, empty = Game(rules), View(rules, BLACK)

    def decide(number: int) -> None:
        for seed in range(number):
            make(f"flatmc:playouts={DECISION}", game, seed).decide(empty)

    def play(number: int) -> None:
        for seed in range(0, 2 * number, 2):
            play_game(rules, make(PLAYER, game, seed), make(PLAYER, game, seed + 1))

    def play_together(number: int) -> None:
        seeds = range(0, 2 * number, 2)
        lines = [((Step(PLAYER, seed),), (Step(PLAYER, seed + 1),)) for seed in seeds]
        play_batch(rules, PLAYER, PLAYER, 0, lines)

    works = (
        enough(partial(play_out_worlds, empty), seconds),
        enough(decide, seconds),
        enough(play, GAMES_LONGER * seconds),
        enough(play_together, GAMES_LONGER * seconds),
    )
    return dict(zip(COLUMNS, works, strict=True))


def play_out_worlds(view: View, number: int) -> None:
    """Call the kernel on worlds of a view, candidates dealt evenly."""
    size, belief = view.rules.size, presume_refused(view)
    points = as_array(candidates(view, belief), size)
    sets = (as_bytes(stones, size * size) for stones in belief[:3])
    position = position_of(sets, UNIFORM, belief.hidden, size)
    play_out(
        *workspace(size), size, *position, only_task(len(points), number, key=1, need=0),
        np.arange(len(points)), points,
        np.zeros((3, len(points)), np.int64),
        np.zeros((2, 0), np.int64),
    )  # fmt: skip


def _spread(name: str, samples: Sequence[Sample]) -> Spread:
    """A figure: milliseconds per thing, or things per millisecond."""
    values = [1e3 * seconds / done for done, seconds in samples]
    if name == "thousand_playouts_per_second":
        values = [1 / value for value in values]
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def as_text(result: Mapping[str, Any]) -> str:
    """The figures as a table in Markdown, minimum / median / maximum of the samples."""
    machine = result["machine"]
    title = (
        f"phantomgo {machine['phantomgo']} on {machine['processor']}, {machine['cores']}"
        f" cores, load {machine['load']:.1f}; processor time of one thread"
    )
    rows = [
        [f"{size}x{size}", *map(_shown, figures.values())]
        for size, figures in result["sizes"].items()
    ]
    return "\n".join([title, "", *markdown(["board", *COLUMNS.values()], rows)])


def _shown(values: Spread) -> str:
    return " / ".join(f"{value:.{0 if value > 99 else 2}f}" for value in values.values())


def enough(work: Callable[[int], None], seconds: float) -> Work:
    """A fixed amount of work that takes about this long; `work` takes the amount.

    It is tried here, so the kernels it needs are compiled now.
    """
    work(1)
    sample = timed(work, 1)
    while sample.seconds < seconds / 4:
        sample = timed(work, 4 * sample.done)
    return partial(timed, work, max(1, round(sample.done * seconds / sample.seconds)))


def _machine() -> dict[str, Any]:
    """The machine and the versions that are measured, for JSON."""
    return {
        "processor": processor(),
        "cores": cores(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numba": numba.__version__,
        "phantomgo": __version__,
    }
