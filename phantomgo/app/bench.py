"""`phantomgo bench`: the speed of playouts, decisions and games on this machine."""

import os
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

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
from phantomgo.checks import cores, whole
from phantomgo.game import play_game
from phantomgo.lab.lockstep.batch import play_batch
from phantomgo.lab.measure.timing import Sample, Work, interleaved, timed
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.match.text import markdown
from phantomgo.points import BLACK, MAX_SIZE, MIN_SIZE
from phantomgo.portfolio.line import Step
from phantomgo.rules import Rules
from phantomgo.version import __version__
from phantomgo.view import View

SIZES: Final = (5, 7, 9, 13, 19)
DECISION: Final = 1000
"""Playouts of a measured decision."""
GAME: Final = 200
"""Playouts per decision in a measured game."""
PLAYER: Final = f"flatmc:playouts={GAME}"
SECONDS: Final = 0.2
"""Processor time of a sample, about; a whole game may take longer."""
GAMES_LONGER: Final = 5
"""Samples of games take this many times as long, as games vary more than playouts."""
Spread = dict[str, float]
"""Minimum, median and maximum, by the names `min`, `median` and `max`."""


def bench(*, sizes: Sequence[int] = SIZES, repeats: int = 7, json: bool = False) -> None:
    """Measure how fast playouts, decisions and games are, and print the figures.

    Args:
        sizes: points per side.
        repeats: samples per figure.
        json: print JSON.
    """
    for size in sizes:
        whole("size", size, MIN_SIZE, MAX_SIZE)
    whole("repeats", repeats, 1, 1000)
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
        JSON: the machine, and by size the figures, each measured one as `min`, `median`, `max`.
    """
    cases = {
        f"{size} {name}": work for size in sizes for name, work in _works(size, seconds).items()
    }
    spare_the_collector()  # as workers do
    with progress("samples", len(cases) * repeats) as advance:
        samples = interleaved(cases, repeats, advance)
    return {
        "machine": _machine(),
        "sizes": {str(size): _figures(size, samples) for size in sizes},
    }


def _works(size: int, seconds: float) -> dict[str, Work]:
    """The cases measured on boards of a size, by name."""
    rules = Rules(size=size)
    empty = View(rules, BLACK)

    def decide(seed: int) -> None:
        make(f"flatmc:playouts={DECISION}", seed).decide(empty)

    def play(number: int) -> None:
        play_game(rules, make(PLAYER, 2 * number), make(PLAYER, 2 * number + 1))

    return {
        "playouts": enough(playouts(empty), seconds),
        "decision": enough(repeated(decide), seconds),
        "game": enough(repeated(play), GAMES_LONGER * seconds),
        "lock step": enough(games_in_lock_step(size), GAMES_LONGER * seconds),
    }


def _figures(size: int, samples: Mapping[str, list[Sample]]) -> dict[str, Any]:
    """The figures of one size."""
    played = samples[f"{size} playouts"]
    milliseconds = {
        name: spread([1e3 / rate(one) for one in samples[f"{size} {name}"]])
        for name in ("decision", "game", "lock step")
    }
    return {
        "playouts_per_second": spread([rate(one) for one in played]),
        "moves_per_playout": played[0].moves / played[0].done,
        "ms_per_decision": milliseconds["decision"],
        "playouts_per_decision": DECISION,
        "ms_per_game": milliseconds["game"],
        "ms_per_game_in_lock_step": milliseconds["lock step"],
        "playouts_per_decision_in_games": GAME,
    }


def as_text(result: Mapping[str, Any]) -> str:
    """The figures as tables in Markdown, minimum / median / maximum of the samples."""
    machine = result["machine"]
    lines = [
        f"phantomgo {machine['phantomgo']} on {machine['processor']}, {machine['cores']}"
        f" cores, load {machine['load']:.1f}; processor time of one thread",
        "",
    ]
    rows = []
    for size, figures in result["sizes"].items():
        thousands = {key: value / 1e3 for key, value in figures["playouts_per_second"].items()}
        rows.append(
            [
                f"{size}x{size}",
                _shown(thousands, 0),
                _shown(figures["ms_per_decision"], 2),
                _shown(figures["ms_per_game"], 1),
                _shown(figures["ms_per_game_in_lock_step"], 1),
            ]
        )
    decision = f"ms a decision of {DECISION} playouts"
    game = f"ms a game of {GAME} playouts a decision"
    head = ["board", "thousand playouts a second", decision, game, "in lock step"]
    return "\n".join([*lines, *markdown(head, rows)])


def _shown(values: Spread, digits: int) -> str:
    """A spread in words: `1.90 / 2.00 / 2.10`."""
    return " / ".join(f"{values[key]:.{digits}f}" for key in ("min", "median", "max"))


def playouts(view: View) -> Callable[[int], tuple[int, int]]:
    """The kernel on the worlds of a view, candidates dealt evenly; moves include passes."""
    size = view.rules.size

    def play(number: int) -> tuple[int, int]:
        belief = presume_refused(view)
        points = as_array(candidates(view, belief), size)
        sets = (as_bytes(stones, size * size) for stones in belief[:3])
        position = position_of(sets, UNIFORM, belief.hidden, size)
        moves = play_out(
            *workspace(size), size, *position, only_task(len(points), number, key=1, need=0),
            np.arange(len(points)), points,
            np.zeros((3, len(points)), np.int64),
            np.zeros((2, 0), np.int64),
        )  # fmt: skip
        return number, int(moves)

    return play


def repeated(once: Callable[[int], object]) -> Callable[[int], tuple[int, int]]:
    """Something done for numbers from 0 on, the same in every sample."""

    def work(number: int) -> tuple[int, int]:
        for each in range(number):
            once(each)
        return number, 0

    return work


def games_in_lock_step(size: int) -> Callable[[int], tuple[int, int]]:
    """The same games as one by one."""
    rules = Rules(size=size)

    def play(number: int) -> tuple[int, int]:
        seeds = range(0, 2 * number, 2)
        lines = [((Step(PLAYER, seed),), (Step(PLAYER, seed + 1),)) for seed in seeds]
        play_batch(rules, PLAYER, PLAYER, 0, lines)
        return number, 0

    return play


def spread(values: list[float]) -> Spread:
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def rate(sample: Sample) -> float:
    """Things done in a second."""
    return sample.done / sample.seconds


def enough(work: Callable[[int], tuple[int, int]], seconds: float) -> Work:
    """A fixed amount of work that takes about this long; `work` takes the amount.

    It is tried here, so the kernels it needs are compiled now.
    """
    work(1)
    sample = timed(partial(work, 1))
    while sample.seconds < seconds / 4:
        sample = timed(partial(work, 4 * sample.done))
    return partial(timed, partial(work, max(1, round(sample.done * seconds / sample.seconds))))


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
