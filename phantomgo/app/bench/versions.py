"""Comparing this version with another one: installed, or measured earlier.

With an installed version, the commands that both know run in processes of their own, in turn. Their
processor time includes the start of the program, the loading of kernels and everything around the
games. With the file of an earlier bench, its figures are put beside those measured now.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from phantomgo.app.bench.measure import KINDS, machine
from phantomgo.app.bench.peers import Spent, run
from phantomgo.app.bench.report import shown
from phantomgo.app.progress import progress
from phantomgo.errors import BadText
from phantomgo.fields import Kind, parse_json
from phantomgo.lab.measure.timing import Sample, Spread, Work, interleaved, ratios, spread
from phantomgo.match.text import markdown

BOT: Final = "flatmc:playouts=200"
DECIDING: Final = (
    "flatmc:playouts=200",
    "flatmc:playouts=1000",
    "phantom:playouts=1000,net=stones1",
    "phantom:playouts=1000,net=stones4,judge=judge2,trust=300",
)
"""The bots whose decisions are timed."""
DECISIONS: Final = 200
GAMES: Final = 600
"""Games of a long match."""
LEARNED: Final = (16, 32, 128)
"""Seeds per colour."""
SLOWER: Final = 0.97
"""A figure is slower if even its best sample has less than this ratio of speeds."""
TIMES: Final = ("times as fast (min / median / max)", "")
"""The heads of the columns of `_times`."""


class Case(NamedTuple):
    """A command to be timed.

    Attributes:
        words: the words after `phantomgo`; `{new}` is a new folder each time.
        given: its standard input.
        cold: whether its kernels are compiled anew.
    """

    words: Sequence[str]
    given: str = ""
    cold: bool = False


def cases(sizes: Sequence[int]) -> dict[str, Case]:
    """The commands to time, by name."""
    found = {"start and quit": Case(["gtp"], "quit\n")}
    for size in sizes:
        board = f"boardsize {size}\n"
        games = ["--size", str(size), "--games", str(2 * max(2, 500 // size**2))]
        found |= {
            f"{size}x{size}, {DECISIONS} decisions of {bot}": Case(
                ["gtp", "--bot", bot], board + "clear_board\ngenmove b\n" * DECISIONS + "quit\n"
            )
            for bot in DECIDING
        }
        found[f"{size}x{size}, games one by one"] = Case(
            ["match", "--black", BOT, "--white", BOT, *games]
        )
    games = ["--size", "5", "--games", str(GAMES)]
    found[f"5x5, match of {GAMES} games"] = Case(["match", "--black", BOT, "--white", BOT, *games])
    for seeds in LEARNED:
        words = ["--size", "5", "--seeds", str(seeds), "--test-seeds", "0"]
        files = ["--store", "{new}/games.db", "--out", "{new}/learned.json"]
        found[f"5x5, learn {seeds} seeds"] = Case(["learn", "--bot", BOT, *words, *files])
    found["first move with an empty cache"] = Case(["gtp", "--bot", BOT], "genmove b\nquit\n", True)
    return found


def program_of(environment: str) -> str:
    """The `phantomgo` program in an environment's folder.

    Raises:
        BadText: there is none.
    """
    found = shutil.which("phantomgo", path=Path(environment) / "bin")
    if found is None:
        raise BadText(f"--against {environment[:60]!r} has no bin/phantomgo")
    return str(Path(found).absolute())


class Program(NamedTuple):
    """An installed version.

    Attributes:
        command: the first words of its commands.
        environment: its variables.
    """

    command: Sequence[str]
    environment: Mapping[str, str]


def compare(other: str, sizes: Sequence[int], repeats: int) -> dict[str, Any]:
    """Time this version and another program; return a JSON object."""
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    programs = {
        "here": Program([sys.executable, "-m", "phantomgo"], os.environ),
        "there": Program([other], alone),
    }
    known, works, left_out = cases(sizes), dict[str, Work](), list[str]()
    megabytes: dict[str, float] = {}

    def sample(name: str, program: Program, case: Case) -> Sample:
        spent = _spent(program, case, folder)
        megabytes[name] = max(megabytes.get(name, 0), spent.megabytes)
        return Sample(1, 0, spent.seconds)

    with tempfile.TemporaryDirectory() as folder:
        for name, case in known.items():
            try:  # the kernels that it needs are compiled now
                for program in programs.values():
                    _spent(program, case._replace(cold=False), folder)
            except BadText:
                left_out.append(name)
                continue
            for where, program in programs.items():
                works[f"{where} {name}"] = partial(sample, f"{where} {name}", program, case)
        with progress("commands", len(works) * repeats) as advance:
            samples = interleaved(works, repeats, advance)
    figures = {
        name: {
            "seconds": spread([sample.seconds for sample in samples[f"here {name}"]]),
            "seconds_there": spread([sample.seconds for sample in samples[f"there {name}"]]),
            "times_faster": ratios(samples[f"here {name}"], samples[f"there {name}"]),
            "megabytes": megabytes[f"here {name}"],
            "megabytes_there": megabytes[f"there {name}"],
        }
        for name in known
        if name not in left_out
    }
    return {"machine": machine(), "against": other, "cases": figures, "left_out": left_out}


def _spent(program: Program, case: Case, folder: str) -> Spent:
    new = tempfile.mkdtemp(dir=folder)
    words = [word.replace("{new}", new) for word in case.words]
    environment = {**program.environment}
    if case.cold:
        environment |= {"NUMBA_CACHE_DIR": new, "XDG_CACHE_HOME": new}
    spent = run([*program.command, *words], case.given.encode(), environment)
    shutil.rmtree(new)
    return spent


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    """The figures as lines of a Markdown table."""
    yield f"{_named(result['machine'])} beside {result['against']}, processor time"
    yield ""
    rows = []
    for name, case in result["cases"].items():
        seconds = (f"{case[key]['median']:.2f}" for key in ("seconds", "seconds_there"))
        memory = f"{case['megabytes']:.0f} / {case['megabytes_there']:.0f}"
        rows.append([name, *seconds, memory, *_times(case["times_faster"])])
    yield from markdown(["command", "s here", "s there", "MB here / there", *TIMES], rows)
    yield ""
    for name in result["left_out"]:
        yield f"left out, as one of the two does not know it: {name}"


def read(path: Path) -> dict[str, Any]:
    """The result of an earlier bench, from the file that `--json` printed.

    Raises:
        BadText: the file cannot be read, or is not such a result.
    """
    try:
        found: dict[str, Any] = parse_json(path.read_text(), Kind("bench", BadText))
        list(beside(found, found))  # all its figures are there
    except (OSError, BadText) as error:
        raise BadText(f"--against {path}: {error}") from error
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        raise BadText(f"--against {path} is not what `bench --json` prints") from error
    return found


def beside(result: Mapping[str, Any], earlier: Mapping[str, Any]) -> Iterator[str]:
    """The speeds of a bench beside those of an earlier one, as lines of a Markdown table."""
    yield f"{_named(result['machine'])} beside {_named(earlier['machine'])}"
    yield ""
    rows = []
    for size in result["sizes"]:
        if size not in earlier["sizes"]:
            continue
        for (name, now), (_, then) in zip(
            _speeds(result, size), _speeds(earlier, size), strict=True
        ):
            times = {
                "min": now["min"] / then["max"],
                "median": now["median"] / then["median"],
                "max": now["max"] / then["min"],
            }
            medians = (f"{speed['median']:.4g}" for speed in (now, then))
            rows.append([f"{size}x{size}, {name}", *medians, *_times(times)])
    yield from markdown(["a second", "now", "then", *TIMES], rows)
    yield ""
    yield "Not measured in turn: a machine's speed changes from hour to hour."


def _times(times: Spread) -> tuple[str, str]:
    """A ratio of speeds, and a mark if even its maximum is slower."""
    return shown(times, 2), "**slower**" if times["max"] < SLOWER else ""


def _named(machine: Mapping[str, Any]) -> str:
    """The version, commit and machine of a result in words."""
    commit = f" ({machine['commit']})" if machine["commit"] else ""
    return f"phantomgo {machine['phantomgo']}{commit} on {machine['processor']}"


def _speeds(result: Mapping[str, Any], size: str) -> Iterator[tuple[str, Spread]]:
    """The speeds of one board, each with its name."""
    figures = result["sizes"][size]
    for kind in KINDS:
        yield f"playouts, {kind} board", figures[kind]["playouts_per_second"]
        yield f"decisions, {kind} board", figures[kind]["decisions_per_second"]
    yield "games one by one", figures["game"]["games_per_second"]
    milliseconds = figures["batch"]["ms_per_game"]
    ends = {"min": "max", "median": "median", "max": "min"}
    yield "games in lock step", {key: 1e3 / milliseconds[end] for key, end in ends.items()}
