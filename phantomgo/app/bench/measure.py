"""One run of the bench, which measures all figures in the same minutes."""

import os
import platform
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import fmean
from time import thread_time
from types import MappingProxyType
from typing import Any, Final

import numba

from bots.kernels.jit import ENTRY, processor
from phantomgo.app.bench import peers
from phantomgo.app.bench.cases import (
    DECISION,
    GAME,
    decisions,
    games,
    games_in_lock_step,
    playouts,
    views,
)
from phantomgo.app.progress import progress
from phantomgo.checks import cores
from phantomgo.files import PACKAGE
from phantomgo.lab.measure.timing import (
    Sample,
    Work,
    enough,
    interleaved,
    rate,
    ratios,
    spread,
)
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.version import __version__

KINDS: Final = ("empty", "middle")

GAMES_LONGER: Final = 5
"""Samples of games take this many times as long, as games vary more than playouts."""


def measure(
    sizes: Sequence[int],
    repeats: int,
    *,
    seconds: float = 0.2,
    others: bool = False,
    programs: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Measure all figures; return a JSON object, by board size.

    Args:
        sizes: points per side.
        repeats: samples of each figure.
        seconds: approximate processor time of a sample; a whole game may take longer.
        others: measure the installed programs of peers.py too.
        programs: further programs, as command words by name.
    """
    works: dict[int, dict[str, Work]] = {}
    for size in sizes:
        installed = peers.installed(size, seconds) if others else {}
        works[size] = _works(size, seconds) | installed | peers.named(programs, size, seconds)
    spare_the_collector()  # as workers do
    ghz: list[float] = []
    cases = {f"{size} {name}": work for size, own in works.items() for name, work in own.items()}
    cases["clock"] = lambda: _clock_sample(ghz)
    with progress("samples", len(cases) * repeats) as advance:
        samples = interleaved(cases, repeats, advance)
    result: dict[str, Any] = {"machine": {**machine(), "clock_ghz": spread(ghz)}, "sizes": {}}
    for size, measured in works.items():
        own = {name: samples[f"{size} {name}"] for name in measured}
        figures = _figures(own, result["machine"]["clock_ghz"]["median"])
        figures["all_cores"] = _all_cores(size, repeats, seconds)
        if others or programs:
            figures["peers"] = peers.figures(size, own)
        result["sizes"][str(size)] = figures
    return result


def _works(size: int, seconds: float) -> dict[str, Work]:
    """Our own cases, by name."""
    works = {
        "game": enough(games(size), GAMES_LONGER * seconds),
        "batch": enough(games_in_lock_step(size), GAMES_LONGER * seconds),
    }
    for kind, view in views(size).items():
        works[kind] = enough(playouts(view), seconds)
        works[f"{kind} amaf"] = enough(playouts(view, amaf=True), seconds)
        works[f"{kind} decision"] = enough(decisions(view), seconds)
    return works


def _figures(samples: dict[str, list[Sample]], ghz: float) -> dict[str, Any]:
    """The figures of one size; ratios are between samples of the same round."""
    figures: dict[str, Any] = {}
    for kind in KINDS:
        raw, amaf, decided = (samples[kind + end] for end in ("", " amaf", " decision"))
        nanoseconds = spread([1e9 * s.seconds / s.moves for s in raw])
        figures[kind] = {
            "playouts_per_second": spread([rate(s) for s in raw]),
            "moves_per_second": spread([s.moves / s.seconds for s in raw]),
            "moves_per_playout": raw[0].moves / raw[0].done,
            "ns_per_move": nanoseconds,
            "cycles_per_move": {key: ghz * value for key, value in nanoseconds.items()},
            "amaf_overhead": ratios(raw, amaf, -1),
            "decisions_per_second": spread([rate(s) for s in decided]),
            "decision_playouts": DECISION,
            "kept_of_kernel": ratios(
                [Sample(DECISION * s.done, 0, s.seconds) for s in decided], raw
            ),
        }
    played = samples["game"]
    figures["game"] = {
        "playouts_per_decision": GAME,
        "games": played[0].done,
        "attempts_per_game": played[0].moves / played[0].done,
        "games_per_second": spread([rate(s) for s in played]),
        "ms_per_game": spread([1e3 / rate(s) for s in played]),
    }
    together = samples["batch"]
    figures["batch"] = {
        "playouts_per_decision": GAME,
        "games": together[0].done,
        "ms_per_game": spread([1e3 / rate(s) for s in together]),
        "times_faster": ratios(together, played),
    }
    return figures


def _clock_sample(ghz: list[float]) -> Sample:
    ghz.append(clock())
    return Sample(0, 0, 0.0)


def _all_cores(size: int, repeats: int, seconds: float) -> dict[str, Any]:
    """Compare the kernel in one thread per core with one thread.

    Wall times show how well the threads scale on an idle machine; processor time per playout shows
    how much they slow each other down, on a busy machine too.
    """
    threads, work = cores(), enough(playouts(views(size)["empty"]), seconds)
    alone, together, cost = [], [], []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(repeats):
            begin = time.perf_counter()
            single = work()
            middle = time.perf_counter()
            every = list(pool.map(lambda _: work(), range(threads)))
            alone.append(middle - begin)
            together.append(time.perf_counter() - middle)
            cost.append(fmean(s.seconds for s in every) / single.seconds)
    return {
        "threads": threads,
        "wall_speedup": spread(
            [threads * one / all_ for one, all_ in zip(alone, together, strict=True)]
        ),
        "cpu_time_ratio": spread(cost),
    }


def machine() -> dict[str, Any]:
    """The machine and the versions that are measured, for JSON."""
    return {
        "processor": processor(),
        "cores": cores(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "numba": numba.__version__,
        "phantomgo": __version__,
        "commit": commit(),
    }


def commit() -> str | None:
    """The commit of the checkout that this code is in; None if it is installed elsewhere."""
    root = PACKAGE.parent
    if not (root / ".git").exists():
        return None
    words = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):  # without git, or not its owner
        return None
    return done.stdout.strip()


def clock() -> float:
    """The processor's clock in GHz during scalar instructions."""
    steps = 10_000_000
    _chain(10)
    begin = thread_time()
    _chain(steps)
    return 2 * steps / (thread_time() - begin) / 1e9


@numba.njit(**ENTRY)  # type: ignore[untyped-decorator]
def _chain(steps: int) -> int:
    """A chain of twice as many dependent operations of one cycle each."""
    x = 0
    for i in range(steps):
        x = (x ^ i) + i
    return x
