"""The store: the results of one contest in one SQLite file, each durable before it counts.

A game of a contest always ends the same way, so a store only grows: more games, a larger matrix or
another method start from the results that are there. It records who played and on what terms, and
refuses results of anybody else.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, Protocol, Self

import phantomgo
from phantomgo.database import Database, Form
from phantomgo.errors import BadStore
from phantomgo.fields import Fields, Kind
from phantomgo.identity import Identity
from phantomgo.lab.contest import G, G_contra, Game, Result

FORM: Final = Form(
    "results",
    0x50474C31,  # "PGL1"
    1,
    (
        "CREATE TABLE results (a INTEGER NOT NULL, b INTEGER NOT NULL, result TEXT NOT NULL,"
        " PRIMARY KEY (a, b)) WITHOUT ROWID",
        "CREATE TABLE records (a INTEGER NOT NULL, b INTEGER NOT NULL, record TEXT NOT NULL,"
        " PRIMARY KEY (a, b))",
        "CREATE TABLE voids (a INTEGER NOT NULL, b INTEGER NOT NULL, why TEXT NOT NULL,"
        " record TEXT)",
    ),
)
MEMORY: Final = ":memory:"
"""In place of a file: what is kept nowhere."""
PLAYERS: Final = "players"
KIND: Final = Kind("player", BadStore)


class Results(Protocol[G_contra]):
    """Where results are kept."""

    def get(self, game: G_contra) -> str | None:
        """The result of a game, None if it has not been played."""

    def add(self, found: Sequence[tuple[G_contra, Result]]) -> None:
        """Keep the results of finished games; those that are void are only remembered as such."""


class Memory(Generic[G]):
    """Results that are kept for as long as the process runs."""

    def __init__(self) -> None:
        self._results: dict[G, str] = {}

    def get(self, game: G) -> str | None:
        return self._results.get(game)

    def add(self, found: Sequence[tuple[G, Result]]) -> None:
        self._results.update((game, result.text) for game, result in found if not result.void)


class Store:
    """The results of one contest, whose games are pairs of numbers.

    Attributes:
        path: the file, or MEMORY.
        players: who played.
        terms: on what terms, each value from JSON.
    """

    def __init__(
        self,
        path: str | Path,
        players: Sequence[Identity] | None = None,
        terms: Mapping[str, object] | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """Open a store; make it if there is none and players and terms are given.

        Args:
            path: the file.
            players: who its results have to be of; None takes them as they are.
            terms: on what terms; given with the players.
            alone: keep all others out until it is closed.

        Raises:
            BadStore: the file is missing, in use, no store, or made by other players or on other
                terms; the message names what differs.
        """
        named = {PLAYERS: [player.as_dict() for player in players or ()]}
        note = {**named, "version": phantomgo.__version__}
        self._database = Database(path, FORM, terms, alone=alone, note=note)
        self.path = self._database.path
        try:
            entries = {key: json.loads(text) for key, text in self._database.made_for.items()}
            entries.pop("version", None)
            self.players = tuple(map(self._player, entries.pop(PLAYERS)))
            self.terms: dict[str, Any] = entries
            if players is not None:
                self._compare(players)
        except BaseException as error:
            self.close()
            if isinstance(error, KeyError | TypeError | ValueError) and not isinstance(
                error, BadStore
            ):
                raise BadStore(f"{self.path} does not say what it is of: {error}") from error
            raise

    def _player(self, value: object) -> Identity:
        return Identity.read(Fields(value, KIND, f"{self.path}: {PLAYERS}."))

    def _compare(self, players: Sequence[Identity]) -> None:
        if len(players) != len(self.players):
            raise BadStore(f"{self.path} is of {len(self.players)} players, not {len(players)}")
        for there, now in zip(self.players, players, strict=True):
            if there.name != now.name:
                raise BadStore(f"{self.path} was made by {there.name}, not {now.name}")
            difference = there.difference(now)
            if difference is not None:
                raise BadStore(
                    f"{self.path} was made by another {there.name}: {difference};"
                    " games of the two cannot be added up"
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def get(self, game: Game) -> str | None:
        """The result of a game, None if it has not been played."""
        found = self._database.select("SELECT result FROM results WHERE a = ? AND b = ?", *game)
        return found[0][0] if found else None

    def add(self, found: Sequence[tuple[Game, Result]]) -> None:
        """Save finished games; they are on the disk when this returns.

        A result that is there already is kept. Void games are saved to be looked at; they are
        still to be played.
        """
        good = [(game, result) for game, result in found if result.void is None]
        writes: list[tuple[str, Iterable[tuple[object, ...]]]] = [
            (
                "INSERT OR IGNORE INTO results VALUES (?, ?, ?)",
                [(*game, result.text) for game, result in good],
            ),
            (
                "INSERT OR IGNORE INTO records VALUES (?, ?, ?)",
                [(*game, result.record) for game, result in good if result.record is not None],
            ),
            (
                "INSERT INTO voids VALUES (?, ?, ?, ?)",
                [(*game, result.void, result.record) for game, result in found if result.void],
            ),
        ]
        self._database.write(*writes)

    def results(self, low: Game = (0, 0), high: Game | None = None) -> dict[Game, str]:
        """The results there are, in order; of games with numbers from `low` to `high` only."""
        if high is None:
            rows = self._database.select("SELECT a, b, result FROM results ORDER BY a, b")
        else:
            query = (
                "SELECT a, b, result FROM results"
                " WHERE a BETWEEN ? AND ? AND b BETWEEN ? AND ? ORDER BY a, b"
            )
            rows = self._database.select(query, low[0], high[0], low[1], high[1])
        return {(a, b): result for a, b, result in rows}

    def games(self) -> set[Game]:
        """Which games have been played."""
        return set(self._database.select("SELECT a, b FROM results"))

    def voids(self) -> int:
        """How many games were void."""
        return int(self._database.select("SELECT count(*) FROM voids")[0][0])

    def records(self) -> Iterator[tuple[Game, str]]:
        """The games with their records, in order."""
        for a, b, record in self._database.select("SELECT a, b, record FROM records ORDER BY a, b"):
            yield (a, b), record

    def record(self, game: Game) -> str | None:
        """The record of one game, None if there is none."""
        found = self._database.select("SELECT record FROM records WHERE a = ? AND b = ?", *game)
        return found[0][0] if found else None
