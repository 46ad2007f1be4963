"""Other programs' random playouts, measured in the same run if they are installed.

OpenSpiel (package `open_spiel`): its C++ rollouts, uniform over all legal moves including passes
and eyes, so its games differ in length from ours. Its evaluator is not accessible from Python; a
tree search of two simulations makes twice `n_rollouts` of them.

GNU Go (program `gnugo`): `--monte-carlo` with uniform patterns, up to 9x9. The difference in time
between a genmove with many simulations and one with few is the time of the additional ones,
including the tree.

Any other program, as `--peer NAME=COMMAND`: `{size}` and `{playouts}` in its words are replaced by
the points per side and a number, and the command plays that many random games from the empty board,
then exits with status 0. Its output is ignored. Its processor time for many playouts minus that for
few is the time of the additional ones, so its start doesn't count.
"""

import importlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.lab.measure.timing import Sample, Work, enough, rate, ratios, spread

PEER: Final = "peer "
FEW: Final = 10
"""Playouts to measure a program's start-up time with."""
GNUGO_LARGEST: Final = 9
GNUGO_SIMULATIONS: Final = (1000, 6000)
LONGEST: Final = 600
"""Seconds after which a program is killed."""
KILOBYTE: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit in which this system counts memory."""

LIBEGO: Final = {5: 142.7, 7: 155.8, 9: 158.6, 13: 169.9, 19: 176.5}
"""Cycles per move of libego 0.1.127 (C++), the fastest open light playouts known.

Not measured here: 613655, 318000, 200942, 94337 and 43619 playouts/s of 41.7, 73.7, 114.5, 227.7
and 474.0 moves from the empty board on one core of an AMD EPYC (Zen 4) at 3.65 GHz, 2026-11-20.
"""


def installed(size: int, seconds: float) -> dict[str, Work]:
    """The installed peers that play this size."""
    found: dict[str, Work] = {}
    if importlib.util.find_spec("pyspiel"):
        for game in ("go", "phantom_go"):
            found[f"openspiel {game}"] = enough(_open_spiel(game, size), seconds)
    # Debian's place for games is often not on the path.
    program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if program and size <= GNUGO_LARGEST:
        found["gnugo"] = lambda: _gnugo(program, size)
    return found


def parse_program(text: str) -> tuple[str, list[str]]:
    """The name and the command words of `NAME=COMMAND`.

    Raises:
        BadText: the name, the command or its `{playouts}` is missing.
    """
    name, equals, command = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", name):
        raise BadText(f"--peer {text[:60]!r} is not NAME=COMMAND with a plain name")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadText(f"--peer {name}: {error}") from error
    if not any("{playouts}" in word for word in words):
        raise BadText(f"--peer {name}: {{playouts}} is nowhere in the command {command[:60]!r}")
    if not shutil.which(words[0]):
        raise BadText(f"--peer {name}: there is no program {words[0][:60]!r}")
    return name, words


def named(programs: Mapping[str, Sequence[str]], size: int, seconds: float) -> dict[str, Work]:
    """The named programs, each playing for about `seconds` seconds."""
    return {f"{PEER}{name}": _program(words, size, seconds) for name, words in programs.items()}


def figures(size: int, samples: dict[str, list[Sample]]) -> dict[str, Any]:
    """Each peer's playouts per second, and our kernel's speed over it, round by round."""
    result: dict[str, Any] = {
        name.removeprefix(PEER): {
            "playouts_per_second": spread([rate(s) for s in taken]),
            "ratio": ratios(samples["empty"], taken),
        }
        for name, taken in samples.items()
        if name.startswith(("openspiel", "gnugo", PEER))
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
    """The processor time of GNU Go for one search of the empty board."""
    command = [
        program, "--mode", "gtp", "--monte-carlo", "--mc-patterns", "uniform", "--nofusekidb",
        "--level", "1", "--mc-games-per-level", str(simulations), "--boardsize", str(size),
    ]  # fmt: skip
    return run(command, b"genmove b\nquit\n").seconds


def _program(words: Sequence[str], size: int, seconds: float) -> Work:
    """A sample of a program, with as many playouts as take about so long."""

    def spent(playouts: int) -> float:
        values = {"{size}": str(size), "{playouts}": str(playouts)}
        command = [*words]
        for key, value in values.items():
            command = [word.replace(key, value) for word in command]
        return run(command).seconds

    few = many = FEW
    start = spent(few)
    while spent(many) - start < seconds:
        many *= 4
    return lambda: Sample(many - few, 0, spent(many) - spent(few))


class Spent(NamedTuple):
    """The cost of running a program.

    Attributes:
        seconds: processor time, from start to end.
        megabytes: the most memory that one of its processes had.
    """

    seconds: float
    megabytes: float


def run(
    command: Sequence[str], given: bytes = b"", environment: Mapping[str, str] | None = None
) -> Spent:
    """Run a program to its end, with `given` as its standard input.

    Raises:
        BadText: it fails, or takes longer than ten minutes.
    """
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as errors:
        typed.write(given)
        typed.seek(0)
        try:
            process = subprocess.Popen(
                command, stdin=typed, stdout=subprocess.DEVNULL, stderr=errors, env=environment
            )
        except OSError as error:
            raise BadText(f"the program {command[0][:60]!r} fails: {error}") from error
        limit = threading.Timer(LONGEST, process.kill)
        limit.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            limit.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            said = errors.read()[-200:].decode(errors="replace").strip()
            raise BadText(
                f"the program {command[0][:60]!r} fails with status {process.returncode}: {said}"
            )
    return Spent(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * KILOBYTE / 1e6)
