"""Measuring bots that learn online (bots/online.py): the games it takes them to beat an opponent.

Their games are those of a matrix (*Reinforcing*, figures 6 to 8), or played against books.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from bots.seeded import refuse
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.books import changes
from phantomgo.lab.measure.adaptation import (
    NEVER,
    Curve,
    Opponent,
    against_book,
    changing,
    curve,
)
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.workers import crew
from phantomgo.lab.seed_store import SeedStore
from phantomgo.lab.verbs.measuring import refuse_left
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
"""The number of pairs of opponents between which an opponent changes."""


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


class Adaptation(NamedTuple):
    """The results of learners.

    Attributes:
        title: the games and players.
        repeats: the number of learners.
        rows: the results against each opponent, as each colour.
    """

    title: str
    repeats: int
    rows: list[Row]

    @property
    def curves(self) -> dict[str, Curve]:
        """The curves against opponents who don't change, by title."""
        return {row.title: row.curve for row in self.rows if not row.switch}


def adapt(
    matrix: str,
    *,
    arms: int = 100,
    repeats: int = 1000,
    games: int = 1 << 14,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Adaptation:
    """Let bots that learn online meet mixtures and seeds of a matrix.

    Args:
        matrix: the matrix's name or .json file.
        arms: number of arms: the matrix's first seeds.
        repeats: independent learners.
        games: games that each learner plays.
        seed: seed of the random draws.
        progress: receives reports of progress.

    Raises:
        BadText: a number is out of range.
        BadBook: there is no such matrix.
    """
    _check(arms, repeats, games, seed)
    packed = read_matrix(matrix)
    most = packed.whole.opponents
    if arms > most:
        raise BadText(f"arms {arms} is not from 2 to {most}, as {packed.name} has")
    won = packed.whole.first(arms, arms)
    faced = [(c, *one) for c in Colour for one in _opponents(won, c, seed)]
    rows = []
    with progress.stage("curves", len(faced)) as advance:
        for colour, opponent, discount, switch in faced:
            found = curve(
                won.black if colour is BLACK else 1 - won.white.T,
                opponent,
                games=games if switch is None else 3 * switch,
                repeats=repeats,
                seed=seed,
                discount=discount,
                switch=switch or NEVER,
            )
            rows.append(Row(opponent.name, colour, found, discount, switch))
            advance(1)
    title = f"{packed.setup.title}: {arms} arms, against others of the same seeds"
    return Adaptation(title, repeats, rows)


def adapt_to_books(
    books: Sequence[str] = (),
    *,
    arms: int = 64,
    repeats: int = 1000,
    games: int = 1 << 14,
    seed: int = 0,
    store: str | Path | None = None,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = SILENT,
) -> Adaptation:
    """Let bots that learn online meet books as they are played.

    Args:
        books: names or .json files of books of whole games (default: those that are shipped).
        arms: fresh seeds.
        repeats: independent learners.
        games: games that each learner plays.
        seed: seed of the random draws.
        store: keep the games (of books of one bot).
        jobs: games to play in parallel.
        dask: play on a Dask cluster: its scheduler's address, or `local:N` for N local workers.
        progress: receives reports of progress.

    Raises:
        BadText: a number is out of range, or a book is left.
        BadBook: there is no such book, or its bots have changed.
        BadStore: the store cannot be used, or is of other games.
    """
    _check(arms, repeats, games, seed)
    found = [read_book(name) for name in books or book_names()]
    met = found if books else [book for book in found if not book.left]
    for book in met:
        refuse_left(book)
        refuse(changes(book), force=False)
    rows = []
    for book in met:
        with (
            crew(jobs, dask, progress, store) as workers,
            SeedStore(store, book.setup) as kept,
        ):
            for colour in Colour:
                won, opponent = against_book(kept, book, colour, arms, workers, progress)
                lost = curve(won, opponent, games=games, repeats=repeats, seed=seed)
                rows.append(Row(book.name, colour, lost))
    title = f"{arms} arms, fresh seeds, against books as they are played"
    return Adaptation(title, repeats, rows)


def _check(arms: int, repeats: int, games: int, seed: int) -> None:
    whole("repeats", repeats, 1)
    whole("games", games, 1)
    whole("arms", arms, 2)
    checked_seed(seed)


def _opponents(
    matrix: SeedMatrix, colour: Colour, seed: int
) -> Iterator[tuple[Opponent, float, int | None]]:
    """The opponents of learners of a colour, each with their discount and the game of a change."""
    for name in METHODS:
        portfolio = parse_method(name).learn(matrix, 0)
        chances = portfolio.white if colour is BLACK else portfolio.black
        yield Opponent(name, chances[None]), 1.0, None
    yield Opponent(SINGLE, np.eye(matrix.own)), 1.0, None
    for many in (1, 16):
        if 2 * many <= matrix.own:
            opponent = changing(matrix.own, SCENARIOS, many, seed)
            yield from ((opponent, discount, SWITCH) for discount in DISCOUNTS)
