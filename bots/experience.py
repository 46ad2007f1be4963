"""The results of the arms of a bot that learns online: an SQLite file that processes may share.

An arm is drawn once for each game and kept before the first move is made, so whoever plays that
game again plays the same arm. A result counts once, and only for a game whose arm was drawn.
Drawing an arm and counting a result are one transaction each, so a killed process leaves neither
half done.
"""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.database import Database, FileFormat

FORM: Final = FileFormat(
    "what a bot has learned online",
    0x50474F31,  # "PGO1"
    1,
    (
        "CREATE TABLE learners (id INTEGER PRIMARY KEY, what TEXT NOT NULL UNIQUE)",
        # `place` numbers games in the order they ended; like `won`, it is null until then.
        "CREATE TABLE games (learner INTEGER NOT NULL, seed INTEGER NOT NULL, arm INTEGER NOT NULL,"
        " won REAL, place INTEGER, PRIMARY KEY (learner, seed)) WITHOUT ROWID",
        "CREATE UNIQUE INDEX places ON games (learner, place)",
    ),
)

Floats: TypeAlias = NDArray[np.float64]
Choose: TypeAlias = Callable[["Arms"], int]
"""Chooses the arm to play, given the results of all arms."""

_log = logging.getLogger(__name__)


class Arms(NamedTuple):
    """The results of the arms.

    Attributes:
        played: the games of each, float64; older ones may count less.
        won: how many of them it won, with the same weights; a draw counts half.
    """

    played: Floats
    won: Floats


class Experience:
    """The games of one learner: one colour of one bot under one set of rules."""

    def __init__(self, path: str | Path, made_for: Mapping[str, object], what: str) -> None:
        """Nothing is opened yet.

        Args:
            path: the file; made when it is first needed.
            made_for: the arms this file is for; a file made for others is refused.
            what: the learner, one of several that a file may hold.
        """
        self.path, self._made_for, self._what = path, made_for, what

    def draw(self, seed: int, count: int, discount: float, choose: Choose) -> int:
        """The arm of a game, drawn now unless it has been.

        Args:
            seed: of the game.
            count: how many arms there are.
            discount: what a game counts for once one more has been played.
            choose: maps the results so far to the arm to play.

        Raises:
            BadStore: the file cannot be used, or holds other arms.
        """
        with self._opened() as database, database.alone():
            learner = self._learner(database)
            drawn = database.select(
                "SELECT arm, won FROM games WHERE learner = ? AND seed = ?", learner, seed
            )
            if drawn:
                if drawn[0][1] is not None:
                    self._tell_of_repetition()
                return int(drawn[0][0])
            arm = choose(_arms(database, learner, count, discount))
            row = (learner, seed, arm, None, None)
            database.add(("INSERT INTO games VALUES (?, ?, ?, ?, ?)", [row]))
            return arm

    def tell(self, seed: int, won: float) -> None:
        """Count a game's result, unless its arm was never drawn or the game has been counted.

        Raises:
            BadStore: the file cannot be used, or holds other arms.
        """
        with self._opened() as database, database.alone():
            learner = self._learner(database)
            place = "(SELECT count(place) FROM games WHERE learner = ?)"
            database.add(
                (
                    f"UPDATE games SET won = ?, place = {place}"
                    " WHERE learner = ? AND seed = ? AND won IS NULL",
                    [(won, learner, learner, seed)],
                )
            )

    def arms(self, count: int, discount: float = 1.0) -> Arms:
        """The arms' results so far.

        Raises:
            BadStore: the file cannot be used, or holds other arms.
        """
        with self._opened() as database, database.alone():
            return _arms(database, self._learner(database), count, discount)

    def _opened(self) -> Database:
        return Database(self.path, FORM, self._made_for, often=True)

    def _learner(self, database: Database) -> int:
        database.add(("INSERT OR IGNORE INTO learners (what) VALUES (?)", [(self._what,)]))
        (found,) = database.select("SELECT id FROM learners WHERE what = ?", self._what)
        return int(found[0])

    def _tell_of_repetition(self) -> None:
        if str(self.path) not in _told:
            _told.add(str(self.path))
            _log.warning(
                "%s: a game with the same seed has been played before; it is played with the same"
                " arm again, and counts once",
                self.path,
            )


def holdings(path: str | Path) -> list[dict[str, Any]]:
    """The learners of a file and their arms, for people to read.

    Raises:
        BadStore: there is no such file, or it is not one of ours.
    """
    with Database(path, FORM) as database:
        query = "SELECT learner, arm, count(place), sum(won) FROM games WHERE place IS NOT NULL"
        rows = database.select(query + " GROUP BY learner, arm ORDER BY learner, count(place) DESC")
        found = []
        for learner, what in database.select("SELECT id, what FROM learners ORDER BY id"):
            said = json.loads(what)
            arms = [
                {"arm": said["arms"][arm], "games": games, "won": won}
                for whose, arm, games, won in rows
                if whose == learner
            ]
            total = {key: sum(arm[key] for arm in arms) for key in ("games", "won")}
            found.append({**said, **total, "arms": arms})
        return found


_told: set[str] = set()
"""Files that this process has already warned about."""


def _arms(database: Database, learner: int, count: int, discount: float) -> Arms:
    rows = database.select(
        "SELECT arm, won FROM games WHERE learner = ? AND place IS NOT NULL ORDER BY place", learner
    )
    arms = Arms(np.zeros(count), np.zeros(count))
    if rows:
        played = np.array([arm for arm, _ in rows])
        weights = discount ** np.arange(len(rows) - 1, -1, -1.0)
        np.add.at(arms.played, played, weights)
        np.add.at(arms.won, played, weights * np.array([won for _, won in rows]))
    return arms
