"""A contest: the players and terms that determine the results of its games.

This interface is all that the laboratory needs to know of a game. Phantom Go is one contest; any
other game whose matches can be numbered by pairs may be another.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias

from phantomgo.identity import Identity

GameNumber: TypeAlias = tuple[int, int]
"""The number of a game in its contest: both seeds, or a pair and its first or second game."""

SEEDS: Final = "seeds"
"""The entry `game` in the terms of a contest whose games are numbered by two seeds."""


class Result(NamedTuple):
    """The result of a game.

    Attributes:
        text: the result as the contest writes it; studies receive nothing else.
        record: the record of the game, if the contest keeps one.
        void: a sentence that says why the game doesn't count and has to be played again.
        place: the worker that played it; None if all workers are processes of this machine.
    """

    text: str
    record: str | None = None
    void: str | None = None
    place: str | None = None


class Contest(Protocol):
    """The players and terms that determine results. Picklable."""

    @property
    def players(self) -> Sequence[Identity]:
        """The players."""

    @property
    def terms(self) -> Mapping[str, object]:
        """Everything else that results depend on, as JSON; those on different terms never mix."""

    @property
    def engines(self) -> bool:
        """True if playing starts other programs; False by default."""
        return False

    def play(self, games: Sequence[GameNumber]) -> list[Result]:
        """Play these games, in a worker."""
