"""The store: the results of one contest in an SQLite file, each durable before it counts.

A game of a contest always ends the same way, so a store only grows: more games, a larger matrix or
another method start from the results there are. It records the players and the terms, and refuses
results of any others. Before its first result it belongs to no players.

A store is used by one run at a time.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self

from phantomgo.database import Database, FileFormat, checksum
from phantomgo.errors import BadStore
from phantomgo.fields import Fields, Kind
from phantomgo.identity import Identity
from phantomgo.lab.run.contest import GameNumber, Result
from phantomgo.version import __version__

FORM: Final = FileFormat(
    "results",
    0x50474C31,  # "PGL1"
    4,
    (
        "CREATE TABLE results (a INTEGER NOT NULL, b INTEGER NOT NULL, result TEXT NOT NULL,"
        " place INTEGER, checksum INTEGER, kept REAL, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        "CREATE TABLE records (a INTEGER NOT NULL, b INTEGER NOT NULL, record TEXT NOT NULL,"
        " PRIMARY KEY (a, b))",
        "CREATE TABLE voids (a INTEGER NOT NULL, b INTEGER NOT NULL, why TEXT NOT NULL,"
        " record TEXT, checksum INTEGER)",
        # the next two are empty; older versions keep claims of games there
        "CREATE TABLE owners (id INTEGER PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL,"
        " expires REAL NOT NULL)",
        "CREATE TABLE claims (a INTEGER NOT NULL, b INTEGER NOT NULL, owner INTEGER NOT NULL,"
        " PRIMARY KEY (a, b)) WITHOUT ROWID",
    ),
    content="results",
)
PLAYERS: Final = "players"
MOST: Final = 2**63 - 1
KIND: Final = Kind("player", BadStore)


class Store:
    """The results of one contest, whose games are pairs of numbers.

    Attributes:
        path: the file, or `:memory:`.
        players: the players' identities.
        terms: the terms of the contest, as JSON values.
    """

    def __init__(
        self,
        path: str | Path | None,
        players: Sequence[Identity] | None = None,
        terms: Mapping[str, object] | None = None,
        *,
        joining: bool = False,
    ) -> None:
        """Open a store; create it if it is missing and players and terms are given.

        Args:
            path: the file; None keeps the results in memory.
            players: the players that its results must belong to; None accepts any.
            terms: the terms that its results must have; given with the players.
            joining: players given after those of the file are added to it.
        """
        note = {PLAYERS: [player.as_dict() for player in players or ()], "version": __version__}
        self._database = Database(path, FORM, terms, exclusive=True, note=note)
        self.path = self._database.path
        try:
            self.players, self.terms = self._recorded()
            self._check()
            if players is not None:
                self._admit(players, joining)
        except BaseException:
            self.close()
            raise

    def _recorded(self) -> tuple[tuple[Identity, ...], dict[str, Any]]:
        """The players and the terms that the file records."""
        try:
            terms = {key: json.loads(text) for key, text in self._database.made_for.items()}
            terms.pop("version", None)
            players = [
                Identity.read(Fields(player, KIND, f"{self.path}: {PLAYERS}."))
                for player in terms.pop(PLAYERS)
            ]
        except BadStore:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise BadStore(f"{self.path} does not say what it is of: {error}") from error
        return tuple(players), terms

    def _admit(self, players: Sequence[Identity], joining: bool) -> None:
        """Check that these are the file's players; one who has begun no game may be replaced.

        Raises:
            BadStore: others take the place of a player who has begun a game.
        """
        outdated = self._outdated(players, joining)
        if outdated is not None:
            self._database.write(
                ("DELETE FROM results WHERE a = ? AND b = ?", outdated),
                ("DELETE FROM records WHERE a = ? AND b = ?", outdated),
            )
            self._database.amend(PLAYERS, [player.as_dict() for player in players])
            self.players = tuple(players)

    def _outdated(self, players: Sequence[Identity], joining: bool) -> list[GameNumber] | None:
        """The games of players whose places others take; None if all players are the same.

        Raises:
            BadStore: others take the place of a player who has begun a game.
        """
        known = len(self.players)
        if len(players) != known and not (joining and len(players) > known):
            raise BadStore(
                f"{self.path} has games of {known} players, not of {len(players)}:"
                " choose another store"
            )
        outdated, changed = list[GameNumber](), len(players) > known
        for place, (saved, now) in enumerate(zip(self.players, players, strict=False)):
            difference = saved.difference(now)
            if saved.name == now.name and difference is None:
                continue
            unbegun = self.unbegun_games(place)
            if unbegun is not None:
                outdated += unbegun
                changed = True
                continue
            if saved.name != now.name:
                raise BadStore(
                    f"{self.path} has games of {saved.name}, not of {now.name}:"
                    " choose another store"
                )
            raise BadStore(
                f"{self.path} has games of another {saved.name}: {difference};"
                " choose another store, as games of the two cannot be added up"
            )
        return outdated if changed else None

    def unbegun_games(self, place: int) -> list[GameNumber] | None:  # noqa: ARG002
        """The games of a player who has not begun any; None if they have, or may have."""
        return None

    def _check(self) -> None:
        """Check every page, and the checksum of every game that has one."""
        self._database.check_structure()
        damaged = self._database.select(
            "SELECT a, b FROM results LEFT JOIN places ON place = id LEFT JOIN records USING (a, b)"
            " WHERE checksum != checksum(a, b, result, name, record) UNION ALL"
            " SELECT a, b FROM voids WHERE checksum != checksum(a, b, why, record) UNION ALL"
            " SELECT a, b FROM records LEFT JOIN results USING (a, b) WHERE result IS NULL LIMIT 1"
        )
        if damaged:
            raise BadStore(f"store {self.path} is damaged: game {damaged[0]}; use a copy of it")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def get(self, game: GameNumber) -> str | None:
        """The result of a game, None if it has not been played."""
        rows = self._database.select("SELECT result FROM results WHERE a = ? AND b = ?", *game)
        return rows[0][0] if rows else None

    def add(self, played: Sequence[tuple[GameNumber, Result]]) -> None:
        """Save finished games; they are on disk when this returns.

        Known results are not replaced. Void games are saved for inspection and still have to be
        played.
        """
        now = time.time()
        good = [
            (game, result, checksum(*game, result.text, result.place, result.record))
            for game, result in played
            if result.void is None
        ]
        self._database.write(
            (
                "INSERT OR IGNORE INTO places (name) VALUES (?)",
                {(result.place,) for _, result, _ in good if result.place is not None},
            ),
            (
                "INSERT OR IGNORE INTO results SELECT ?, ?, ?,"
                " (SELECT id FROM places WHERE name = ?), ?, ?",
                [(*game, result.text, result.place, total, now) for game, result, total in good],
            ),
            (  # the record of the result that is kept
                "INSERT OR IGNORE INTO records SELECT ?, ?, ? WHERE EXISTS"
                " (SELECT 1 FROM results WHERE a = ? AND b = ? AND checksum = ?)",
                [
                    (*game, result.record, *game, total)
                    for game, result, total in good
                    if result.record is not None
                ],
            ),
            (
                "INSERT INTO voids VALUES (?, ?, ?, ?, ?)",
                [
                    (*game, why, record, checksum(*game, why, record))
                    for game, (_, record, why, _) in played
                    if why is not None
                ],
            ),
        )

    def results(
        self, low: GameNumber = (0, 0), high: GameNumber = (MOST, MOST)
    ) -> dict[GameNumber, str]:
        """The known results in order, of games with numbers from `low` to `high`."""
        query = (
            "SELECT a, b, result FROM results"
            " WHERE a BETWEEN ? AND ? AND b BETWEEN ? AND ? ORDER BY a, b"
        )
        rows = self._database.select(query, low[0], high[0], low[1], high[1])
        return {(a, b): result for a, b, result in rows}

    def games(self) -> set[GameNumber]:
        """The games that have been played."""
        return set(self._database.select("SELECT a, b FROM results"))

    def missing(self, wanted: Iterable[GameNumber]) -> list[GameNumber]:
        """The games among these that have not been played, in the same order."""
        known = self.games()
        return [game for game in wanted if game not in known]

    def voids(self) -> int:
        """The number of void games."""
        return int(self._database.select("SELECT count(*) FROM voids")[0][0])

    def record(self, game: GameNumber) -> str | None:
        """The record of a game, None if there is none."""
        rows = self._database.select("SELECT record FROM records WHERE a = ? AND b = ?", *game)
        return rows[0][0] if rows else None

    def records(self) -> Iterator[tuple[GameNumber, str]]:
        """The games with their records, in order."""
        for a, b, record in self._database.select("SELECT a, b, record FROM records ORDER BY a, b"):
            yield (a, b), record
