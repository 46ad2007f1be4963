"""Comparing this version with another installed one: the same commands, round by round.

Commands that both versions know run in processes of their own. Their processor time includes the
start of the program, the loading of kernels and everything around the games.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from phantomgo.app.bench.peers import seconds_of
from phantomgo.app.progress import progress
from phantomgo.errors import BadText
from phantomgo.lab.measure.timing import Sample, Work, interleaved, ratios, spread
from phantomgo.match.text import markdown
from phantomgo.version import __version__

BOT: Final = "flatmc:playouts=200"
DECISIONS: Final = 200
GAMES: Final = 600
"""Games of a long match."""
LEARNED: Final = (16, 48, 128)
"""Seeds per colour."""
SLOWER: Final = 0.97
"""A command is slower if even its best round has less than this ratio of speeds."""


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
            for bot in ("flatmc:playouts=1000", "phantom:playouts=1000,net=stones1")
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
    with tempfile.TemporaryDirectory() as folder:
        for name, case in known.items():
            try:  # the kernels that it needs are compiled now
                for program in programs.values():
                    _sample(program, case._replace(cold=False), folder)
            except BadText:
                left_out.append(name)
                continue
            for where, program in programs.items():
                works[f"{where} {name}"] = partial(_sample, program, case, folder)
        with progress("commands", len(works) * repeats) as advance:
            samples = interleaved(works, repeats, advance)
    figures = {
        name: {
            "seconds": spread([sample.seconds for sample in samples[f"here {name}"]]),
            "seconds_there": spread([sample.seconds for sample in samples[f"there {name}"]]),
            "times_faster": ratios(samples[f"here {name}"], samples[f"there {name}"]),
        }
        for name in known
        if name not in left_out
    }
    return {"phantomgo": __version__, "against": other, "cases": figures, "left_out": left_out}


def _sample(program: Program, case: Case, folder: str) -> Sample:
    new = tempfile.mkdtemp(dir=folder)
    words = [word.replace("{new}", new) for word in case.words]
    environment = {**program.environment}
    if case.cold:
        environment |= {"NUMBA_CACHE_DIR": new, "XDG_CACHE_HOME": new}
    seconds = seconds_of([*program.command, *words], case.given.encode(), environment)
    shutil.rmtree(new)
    return Sample(1, 0, seconds)


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    """The figures as lines of a Markdown table."""
    yield f"phantomgo {result['phantomgo']} beside {result['against']}, processor time"
    yield ""
    rows = []
    for name, case in result["cases"].items():
        times = case["times_faster"]
        shown = " / ".join(f"{times[key]:.2f}" for key in ("min", "median", "max"))
        seconds = (f"{case[key]['median']:.2f}" for key in ("seconds", "seconds_there"))
        rows.append([name, *seconds, shown, "**slower**" if times["max"] < SLOWER else ""])
    yield from markdown(
        ["command", "s here", "s there", "times as fast (min / median / max)", ""], rows
    )
    yield ""
    for name in result["left_out"]:
        yield f"left out, as one of the two does not know it: {name}"
