"""The store: finished games between seeds, one SQLite file, durable as soon as they are counted.

A game between two seeds always ends the same way, so a store only grows: a larger matrix or
another method starts from the games that are there. It records what the games are of and
refuses to mix them with others.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np

import phantomgo
from phantomgo.database import Database, Form
from phantomgo.errors import BadStore
from phantomgo.portfolio.matrix import Cell, SeedMatrix, Wins
from phantomgo.rules import Rules

FORM: Final = Form(
    "games",
    0x50474F31,  # "PGO1"
    1,
    (
        "CREATE TABLE games (black INTEGER NOT NULL, white INTEGER NOT NULL, result TEXT NOT NULL,"
        " PRIMARY KEY (black, white)) WITHOUT ROWID",
    ),
)


class Game(NamedTuple):
    """Black's seed, White's seed, and the result as GTP writes it (`B+2.5`, `W+R`, `0`)."""

    black: int
    white: int
    result: str


def black_won(result: str) -> bool:
    """Whether Black won a game with this result; a draw is no win."""
    return result.startswith("B+")


def drawn(result: str) -> bool:
    return result == "0"


class Tally(NamedTuple):
    """How many games there are, how many Black won, and how many were drawn."""

    games: int
    black_wins: int
    draws: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What decides the result of a game between two seeds.

    Attributes:
        black: the bot spec that plays Black, in its canonical form (a bot's `name`).
        white: the one that plays White.
        black_fingerprint: the digest of Black's behaviour (bots/fingerprint.py).
        white_fingerprint: White's.
        profile: the name of the rules profile; `rules` says what it was.
        rules: the rules of every game.
    """

    black: str
    white: str
    black_fingerprint: str
    white_fingerprint: str
    profile: str
    rules: Rules

    def entries(self) -> dict[str, object]:
        """The attributes in one dictionary, one entry for each thing that can differ."""
        flat = asdict(self)
        rules = flat.pop("rules")
        return {**flat, **rules}

    @classmethod
    def of_entries(cls, entries: Mapping[str, object]) -> Self:
        """Read `entries`; the version that made a store is there to be looked at only."""
        values: dict[str, Any] = {k: value for k, value in entries.items() if k != "version"}
        names = [name for name in cls.__dataclass_fields__ if name != "rules"]
        own = {name: values.pop(name) for name in names}
        return cls(rules=Rules(**values), **own)


class Store(Database):
    """The games of one setup.

    Attributes:
        setup: what the games are of.
    """

    def __init__(self, path: str | Path, setup: Setup | None = None) -> None:
        """Open a store; make it if there is none and a setup is given.

        Raises:
            BadStore: the file is missing, no store, or was made for another setup.
        """
        made_for = None if setup is None else setup.entries()
        super().__init__(path, FORM, made_for, note={"version": phantomgo.__version__})
        try:
            entries = {key: json.loads(text) for key, text in self.made_for.items()}
            self.setup = Setup.of_entries(entries)
        except (KeyError, TypeError, ValueError) as error:
            self.close()
            message = f"{self.path} does not say what its games are of: {error}"
            raise BadStore(message) from error

    def add(self, games: Iterable[Game]) -> None:
        """Save finished games; they are on the disk when this returns."""
        self.write("INSERT OR IGNORE INTO games VALUES (?, ?, ?)", games)

    def missing(self, wanted: Iterable[Cell]) -> list[Cell]:
        """Which of these games are not there yet, in the same order."""
        known = self._known()
        return [cell for cell in wanted if cell not in known]

    def wins(
        self, black: Sequence[int], white: Sequence[int], counts: Callable[[str], bool] = black_won
    ) -> Wins:
        """1 where Black won, for these Black seeds (rows) against these White seeds (columns).

        Instead of being won by Black a result may have to be another one that `counts`.

        Raises:
            BadStore: some of the games have not been played.
        """
        query = "SELECT * FROM games WHERE black BETWEEN ? AND ? AND white BETWEEN ? AND ?"
        bounds = (min(black), max(black), min(white), max(white))
        results = {(i, j): text for i, j, text in self.select(query, *bounds)}
        found = [results.get((i, j)) for i in black for j in white]
        lacking = found.count(None)
        if lacking:
            raise BadStore(
                f"{self.path} lacks {lacking} of the {len(found)} games of Black seeds {bounds[0]}"
                f" to {bounds[1]} against White seeds {bounds[2]} to {bounds[3]}"
            )
        won = np.array([text is not None and counts(text) for text in found], dtype=np.uint8)
        return won.reshape(len(black), len(white))

    def matrix(
        self, own: int, opponents: int, counts: Callable[[str], bool] = black_won
    ) -> SeedMatrix:
        """The matrix of `own` seeds against `opponents` seeds per colour.

        Raises:
            BadStore: some of its games have not been played.
        """
        black = self.wins(range(own), range(opponents), counts)
        if own == opponents:
            return SeedMatrix(black, black)
        return SeedMatrix(black, self.wins(range(opponents), range(own), counts))

    def tally(self, own: int, opponents: int) -> Tally:
        """How the games of this matrix ended."""
        query = "SELECT result FROM games WHERE max(black, white) < ? AND min(black, white) < ?"
        results = [text for (text,) in self.select(query, own, opponents)]
        return Tally(len(results), sum(map(black_won, results)), sum(map(drawn, results)))

    def side(self) -> int:
        """The side of the largest square matrix of which every game is there."""
        known, side = self._known(), 0
        while all((side, j) in known and (j, side) in known for j in range(side + 1)):
            side += 1
        return side

    def _known(self) -> set[Cell]:
        return set(self.select("SELECT black, white FROM games"))
