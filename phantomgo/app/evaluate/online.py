"""`phantomgo evaluate online` and `arms`: how fast a bot that learns online beats its opponent.

Its games are those of a matrix (*Reinforcing*, figures 6 to 8), or played against books.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from phantomgo.app import plots
from phantomgo.app.command import print_json
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
from phantomgo.match.text import markdown
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.book import book_names, read_book
from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.packed import Packed, read_matrix
from phantomgo.rng import checked_seed

METHODS: Final = ("nash", "uniform", "topk:k=16", "bestseed")
SINGLE: Final = "each single seed"
DISCOUNTS: Final = (1.0, 0.999, 0.99)
SWITCH: Final = 1024
SCENARIOS: Final = 200
"""The number of pairs of opponents between which an opponent changes."""


class Learners(NamedTuple):
    """The learners that are measured, and how the results are shown.

    Attributes:
        arms: seeds that each chooses from.
        repeats: the number of learners.
        games: games of each.
        seed: the seed of all draws.
        plot: a file for the curves.
        json: print JSON.
    """

    arms: int
    repeats: int
    games: int
    seed: int
    plot: str | Path | None
    json: bool

    def check(self) -> None:
        """Refuse numbers out of range, and a plot that cannot be drawn, before the work."""
        for name in ("repeats", "games"):
            whole(name, getattr(self, name), 1)
        whole("arms", self.arms, 2)
        checked_seed(self.seed)
        if self.plot is not None:
            plots.check(Path(self.plot))

    def show(self, title: str, found: Sequence["Row"]) -> None:
        """Draw and print the results."""
        steady = [row for row in found if not row.switch]
        if self.plot is not None:
            plots.draw_learners(Path(self.plot), title, {row.title: row.curve for row in steady})
        if self.json:
            print_json([row.as_dict() for row in found])
            return
        print(f"{title}; {self.repeats} learners\n")
        print(_table(steady))
        if changes := [row for row in found if row.switch]:
            print(f"\n{_table_of_changes(changes)}")


def online(
    matrix: str,
    *,
    arms: int = 100,
    repeats: int = 1000,
    games: int = 1 << 14,
    seed: int = 0,
    plot: str | Path | None = None,
    json: bool = False,
) -> None:
    """Let bots that learn online meet mixtures and seeds of a matrix.

    Args:
        matrix: the matrix's name or .json file.
        arms: number of arms: the matrix's first seeds.
        repeats: independent learners.
        games: games that each learner plays.
        seed: seed of the random draws.
        plot: draw the curves (needs matplotlib).
        json: print JSON.
    """
    learners = Learners(arms, repeats, games, seed, plot, json)
    learners.check()
    learners.show(*_curves(read_matrix(matrix), learners))


def arms(
    books: Sequence[str] = (),
    *,
    arms: int = 64,
    repeats: int = 1000,
    games: int = 1 << 14,
    seed: int = 0,
    store: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    plot: str | Path | None = None,
    json: bool = False,
) -> None:
    """Let bots that learn online meet books as they are played.

    Args:
        books: names or .json files of books (default: all shipped books).
        arms: fresh seeds.
        repeats: independent learners.
        games: games that each learner plays.
        seed: seed of the random draws.
        store: keep the games (of books of one bot).
        jobs: games to play in parallel.
        dask: play on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        plot: draw the curves (needs matplotlib).
        json: print JSON.
    """
    learners = Learners(arms, repeats, games, seed, plot, json)
    learners.check()
    rows = []
    for name in books or book_names():
        book, shown = read_book(name), Shown()
        with (
            crew(jobs, dask, shown, store) as workers,
            SeedStore(store or MEMORY, book.setup) as kept,
        ):
            for colour in Colour:
                won, opponent = against_book(kept, book, colour, arms, workers, shown)
                found = curve(won, opponent, games=games, repeats=repeats, seed=seed)
                rows.append(Row(book.name, colour, found))
    learners.show(f"{arms} arms, fresh seeds, against books as they are played", rows)


@dataclass(frozen=True)
class Row:
    """Results of learners of a colour against an opponent who changes after `switch` games."""

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


def _curves(packed: Packed, learners: Learners) -> tuple[str, list[Row]]:
    """The title and the rows of learners whose arms are the first seeds of a matrix."""
    arms, most = learners.arms, packed.whole.opponents
    if not 2 <= arms <= most:
        raise BadText(f"arms {arms} is not from 2 to {most}, as {packed.name} has")
    matrix = packed.whole.first(arms, arms)
    title = f"{packed.setup.title}: {arms} arms, against others of the same seeds"
    rows = []
    for colour in Colour:
        won = matrix.black if colour is BLACK else 1 - matrix.white.T
        learn = partial(curve, won, repeats=learners.repeats, seed=learners.seed)
        for opponent in _opponents(matrix, colour):
            rows.append(Row(opponent.name, colour, learn(opponent, games=learners.games)))
        for many in (1, 16):
            if 2 * many > arms:
                continue
            opponent = changing(arms, SCENARIOS, many, learners.seed)
            for discount in DISCOUNTS:
                found = learn(opponent, games=3 * SWITCH, discount=discount, switch=SWITCH)
                rows.append(Row(opponent.name, colour, found, discount, SWITCH))
    return title, rows


def _opponents(matrix: SeedMatrix, colour: Colour) -> Iterator[Opponent]:
    """The opponents of a learner of this colour."""
    for name in METHODS:
        portfolio = parse_method(name).learn(matrix, 0)
        chances = portfolio.white if colour is BLACK else portfolio.black
        yield Opponent(name, mixture(matrix.own, range(matrix.own), chances.tolist()))
    yield Opponent(SINGLE, single(matrix.own))


def _powers(games: int) -> list[int]:
    """1, 4, 16 and so on."""
    return [4**n for n in range(16) if 4**n <= games]


def _table(rows: Sequence[Row]) -> str:
    powers = _powers(len(rows[0].curve.lost))
    lines = [
        "Losing rate in % in game number ... (± standard error), with the best arm, and the games"
        " until 55 % are won:",
        "",
    ]
    table = []
    for row in rows:
        found = row.curve
        cells = [f"{100 * found.lost[n - 1]:.1f} ± {100 * found.errors[n - 1]:.1f}" for n in powers]
        beaten = found.until_beaten
        cells += [f"{100 * found.best:.1f}", "never" if beaten is None else str(beaten)]
        table.append([row.opponent, row.colour, *cells])
    lines += markdown(["against", "as", *powers, "best arm", "until 55 %"], table)
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
    head = ("opponent", "as", "discount", "before", "in the next game", "games to recover")
    table = []
    for row in rows:
        lost = row.curve.lost
        recovered = row.curve.until_recovered(SWITCH)
        before, after = lost[SWITCH - SETTLED : SWITCH].mean(), lost[-SETTLED:].mean()
        rates = [f"{100 * rate:.1f}" for rate in (before, lost[SWITCH], after)]
        until = "never" if recovered is None else recovered
        table.append([row.opponent, row.colour, f"{row.discount:g}", *rates[:2], until, rates[2]])
    title = f"Losing rate in % when the opponent changes after {SWITCH} games:"
    return "\n".join([title, "", *markdown([*head, "at the end"], table)])
