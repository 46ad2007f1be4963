"""Other programs' random playouts, measured in the same run where they are installed.

OpenSpiel (package `open_spiel`): its C++ rollouts, uniform over all legal moves, eyes filled and
passes among them, so its games differ in length from ours. Its evaluator is not open to Python;
a tree search of two simulations makes twice `n_rollouts` of them.

GNU Go (program `gnugo`): `--monte-carlo` with uniform patterns, up to 9x9. The time of a genmove
with many simulations less one with few is that of the difference, tree included.
"""

import importlib
import importlib.util
import resource
import shutil
import subprocess
from collections.abc import Callable
from typing import Any, Final

from phantomgo.lab.timing import Sample, Spread, Work, enough, spread

GNUGO_LARGEST: Final = 9
GNUGO_SIMULATIONS: Final = (1000, 6000)

LIBEGO: Final = {5: 142.7, 7: 155.8, 9: 158.6, 13: 169.9, 19: 176.5}
"""Cycles per move of libego 0.1.127 (C++), the fastest open light playouts known.

Not measured here: 613655, 318000, 200942, 94337 and 43619 playouts/s of 41.7, 73.7, 114.5, 227.7
and 474.0 moves from the empty board on one core of an AMD EPYC (Zen 4) at 3.65 GHz, 2026-11-20.
"""


def works(size: int, seconds: float) -> dict[str, Work]:
    """The peers that are installed and play this size."""
    found: dict[str, Work] = {}
    if importlib.util.find_spec("pyspiel"):
        for game in ("go", "phantom_go"):
            found[f"openspiel {game}"] = enough(_open_spiel(game, size), seconds)
    # Debian's place for games is often not on the path.
    program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if program and size <= GNUGO_LARGEST:
        found["gnugo"] = lambda: _gnugo(program, size)
    return found


def figures(size: int, samples: dict[str, list[Sample]], ours: float) -> dict[str, Any]:
    """Of each peer its playouts per second and how many times as many our kernel makes."""
    rates: dict[str, Spread] = {
        name: spread([s.done / s.seconds for s in taken])
        for name, taken in samples.items()
        if name.startswith(("openspiel", "gnugo"))
    }
    result: dict[str, Any] = {
        name: {"playouts_per_second": rate, "ratio": ours / rate["median"]}
        for name, rate in rates.items()
    }
    if size in LIBEGO:
        result["libego, elsewhere"] = {"cycles_per_move": LIBEGO[size]}
    return result


def _open_spiel(game: str, size: int) -> Callable[[int], tuple[int, int]]:
    pyspiel = importlib.import_module("pyspiel")
    rules = pyspiel.load_game(game, {"board_size": size})
    state = rules.new_initial_state()

    def roll_out(number: int) -> tuple[int, int]:
        evaluator = pyspiel.RandomRolloutEvaluator(number, 1)
        bot = pyspiel.MCTSBot(rules, evaluator, 2.0, 2, 10, False, 1, False)
        bot.step(state)
        return 2 * number, 0

    return roll_out


def _gnugo(program: str, size: int) -> Sample:
    times = [_gnugo_seconds(program, size, simulations) for simulations in GNUGO_SIMULATIONS]
    return Sample(GNUGO_SIMULATIONS[1] - GNUGO_SIMULATIONS[0], 0, times[1] - times[0])


def _gnugo_seconds(program: str, size: int, simulations: int) -> float:
    """Processor time of a GNU Go that searches the empty board once and quits."""
    command = [
        program, "--mode", "gtp", "--monte-carlo", "--mc-patterns", "uniform", "--nofusekidb",
        "--level", "1", "--mc-games-per-level", str(simulations), "--boardsize", str(size),
    ]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, input=b"genmove b\nquit\n", stdout=subprocess.DEVNULL, check=True, timeout=600
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
