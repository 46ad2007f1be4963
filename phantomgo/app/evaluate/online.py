"""`phantomgo evaluate online` and `arms`: how fast a bot that learns online beats its opponent.

From the games of a matrix (*Reinforcing*, figures 6 to 8), or against books as they are played.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from phantomgo.app import plots
from phantomgo.app.command import integer
from phantomgo.app.progress import Shown
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.measure.adaptation import (
    SETTLED,
    Curve,
    Opponent,
    against_book,
    changing,
    curve,
    mixture,
    single,
)
from phantomgo.lab.run.store import MEMORY
from phantomgo.lab.run.workers import crew
from phantomgo.lab.seeds import SeedStore
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.book import book_names, read_book
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.packed import read_matrix
from phantomgo.rng import checked_seed

METHODS: Final = ("nash", "uniform", "topk:k=16", "bestseed")
SINGLE: Final = "each single seed"
DISCOUNTS: Final = (1.0, 0.999, 0.99)
SWITCH: Final = 1024
SCENARIOS: Final = 200
"""Pairs of opponents that are changed for one another."""


def configure_online(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matrix", metavar="MATRIX", help="a packed matrix, or a .json file")
    parser.add_argument(
        "--arms", type=integer, default=100, metavar="K", help="its first seeds (default 100)"
    )
    _add_shared(parser)


def configure_arms(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("books", metavar="BOOK", nargs="*", help="default: all that are shipped")
    parser.add_argument(
        "--arms", type=integer, default=64, metavar="K", help="fresh seeds (default 64)"
    )
    parser.add_argument("--store", metavar="FILE", help="keep the games (of books of one bot)")
    parser.add_argument("--jobs", type=integer, default=1, metavar="N", help="games at a time")
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="the address of a Dask cluster that plays the games, or `local:N`",
    )
    _add_shared(parser)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repeats", type=integer, default=1000, metavar="N", help="learners (default 1000)"
    )
    parser.add_argument(
        "--games",
        type=integer,
        default=1 << 14,
        metavar="N",
        help="of each learner (default 16384)",
    )
    parser.add_argument(
        "--seed", type=integer, default=0, metavar="N", help="makes the draws (default 0)"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the curves (needs matplotlib)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_online(arguments: argparse.Namespace) -> int:
    return _show(arguments, _curves)


def run_arms(arguments: argparse.Namespace) -> int:
    return _show(arguments, _books)


def _show(
    arguments: argparse.Namespace,
    found_of: Callable[[argparse.Namespace], tuple[str, list["Row"]]],
) -> int:
    whole("repeats", arguments.repeats, 1)
    whole("games", arguments.games, 1)
    whole("arms", arguments.arms, 2)
    checked_seed(arguments.seed)
    if arguments.plot is not None:
        plots.check(Path(arguments.plot))
    title, found = found_of(arguments)
    if arguments.plot is not None:
        plots.draw_learners(
            Path(arguments.plot), title, {row.title: row.curve for row in found if not row.switch}
        )
    if arguments.json:
        print(json.dumps([row.as_dict() for row in found], indent=2))
    else:
        print(f"{title}; {arguments.repeats} learners\n")
        print(_table([row for row in found if not row.switch]))
        if changes := [row for row in found if row.switch]:
            print(f"\n{_table_of_changes(changes)}")
    return 0


@dataclass(frozen=True)
class Row:
    """The results of learners of a colour against an opponent, who changed after `switch` games."""

    opponent: str
    colour: Colour
    curve: Curve
    discount: float = 1.0
    switch: int | None = None

    @property
    def title(self) -> str:
        return f"{self.opponent}, as {self.colour}"

    def as_dict(self) -> dict[str, Any]:
        """Losing rates at the powers of two, with their standard errors, and the milestones."""
        found = self.curve
        return {
            "opponent": self.opponent,
            "colour": str(self.colour),
            "discount": self.discount,
            "switch": self.switch,
            "games": _powers(len(found.lost)),
            "lost": [float(found.lost[n - 1]) for n in _powers(len(found.lost))],
            "errors": [float(found.errors[n - 1]) for n in _powers(len(found.lost))],
            "best_arm_loses": found.best,
            "until_beaten": found.until_beaten,
            "until_lost_no_more": [int(n) for n in found.last] if found.best < 1e-9 else None,
            "until_recovered": self.switch and found.until_recovered(self.switch),
        }


def _curves(arguments: argparse.Namespace) -> tuple[str, list[Row]]:
    packed = read_matrix(arguments.matrix)
    most = packed.whole.opponents
    if not 2 <= arguments.arms <= most:
        raise BadText(f"arms {arguments.arms} is not from 2 to {most}, as {packed.name} has")
    matrix = packed.whole.first(arguments.arms, arguments.arms)
    title = f"{packed.setup.title}: {arguments.arms} arms, against others of the same seeds"
    rows = []
    for colour in Colour:
        won = matrix.black if colour is BLACK else 1 - matrix.white.T
        options = {"repeats": arguments.repeats, "seed": arguments.seed}
        for opponent in _opponents(matrix, colour):
            rows.append(
                Row(opponent.name, colour, curve(won, opponent, games=arguments.games, **options))
            )
        for many in (1, 16):
            if 2 * many > arguments.arms:
                continue
            opponent = changing(arguments.arms, SCENARIOS, many, arguments.seed)
            for discount in DISCOUNTS:
                found = curve(
                    won, opponent, games=3 * SWITCH, discount=discount, switch=SWITCH, **options
                )
                rows.append(Row(opponent.name, colour, found, discount, SWITCH))
    return title, rows


def _opponents(matrix: SeedMatrix, colour: Colour) -> Iterator[Opponent]:
    """Whom a learner of this colour meets."""
    for name in METHODS:
        portfolio = parse_method(name).learn(matrix, 0)
        chances = portfolio.white if colour is BLACK else portfolio.black
        yield Opponent(name, mixture(matrix.own, range(matrix.own), chances.tolist()))
    yield Opponent(SINGLE, single(matrix.own))


def _books(arguments: argparse.Namespace) -> tuple[str, list[Row]]:
    rows = []
    for name in arguments.books or book_names():
        book = read_book(name)
        shown = Shown()
        with (
            crew(arguments.jobs, arguments.dask, shown) as workers,
            SeedStore(arguments.store or MEMORY, book.setup) as store,
        ):
            for colour in Colour:
                won, opponent = against_book(store, book, colour, arguments.arms, workers, shown)
                found = curve(
                    won, opponent,
                    games=arguments.games, repeats=arguments.repeats, seed=arguments.seed,
                )  # fmt: skip
                rows.append(Row(book.name, colour, found))
    return f"{arguments.arms} arms, fresh seeds, against books as they are played", rows


def _powers(games: int) -> list[int]:
    """1, 4, 16 and so on."""
    return [4**n for n in range(16) if 4**n <= games]


def _table(rows: Sequence[Row]) -> str:
    powers = _powers(len(rows[0].curve.lost))
    lines = [
        "Losing rate in % in game number ... (± standard error), with the best arm, and the games"
        " until 55 % are won:",
        "",
        "| against | as | " + " | ".join(map(str, powers)) + " | best arm | until 55 % |",
        "|---|---|" + "---|" * (len(powers) + 2),
    ]
    for row in rows:
        found = row.curve
        cells = [f"{100 * found.lost[n - 1]:.1f} ± {100 * found.errors[n - 1]:.1f}" for n in powers]
        beaten = found.until_beaten
        cells += [f"{100 * found.best:.1f}", "never" if beaten is None else str(beaten)]
        lines.append(f"| {row.opponent} | {row.colour} | {' | '.join(cells)} |")
    for row in rows:
        if row.opponent == SINGLE:
            last = sorted(row.curve.last.tolist())
            half, most = last[len(last) // 2], last[-1]
            lines.append(
                f"\nAs {row.colour} half of the learners had lost for the last time against a"
                f" single seed after {half} games, 99 of 100 after {last[len(last) * 99 // 100]},"
                f" all after {most}."
            )
    return "\n".join(lines)


def _table_of_changes(rows: Sequence[Row]) -> str:
    lines = [
        f"Losing rate in % when the opponent changes after {SWITCH} games:",
        "",
        "| opponent | as | discount | before | in the next game | games to recover | at the end |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lost = row.curve.lost
        recovered = row.curve.until_recovered(SWITCH)
        before, after = lost[SWITCH - SETTLED : SWITCH].mean(), lost[-SETTLED:].mean()
        lines.append(
            f"| {row.opponent} | {row.colour} | {row.discount:g} | {100 * before:.1f}"
            f" | {100 * lost[SWITCH]:.1f} | {'never' if recovered is None else recovered}"
            f" | {100 * after:.1f} |"
        )
    return "\n".join(lines)
