"""Studies ask for games and receive their results.

A matrix, a match, a calibration or a bandit only says which game it wants next; `run.run` plays
them.
"""

import sys
from collections.abc import Iterable
from typing import Final, Protocol

from phantomgo.lab.run.contest import GameNumber

MANY: Final = sys.maxsize
"""The value of `ahead` for studies that ask for the same games at any time."""


class Study(Protocol):
    """Asks for games.

    It receives results in the order in which it asked, and has at most `ahead` games outstanding:
    then it receives a result before it is asked again. What it asks for therefore depends on the
    results alone, never on the number of workers, their pace, or interruptions.

    Attributes:
        ahead: the most games that may be outstanding; `MANY` if the number changes nothing.
    """

    @property
    def ahead(self) -> int: ...

    def ask(self) -> GameNumber | None:
        """The next game; None if there is none, or none until more results are known."""

    def tell(self, game: GameNumber, result: str) -> None:
        """Receive the result of the game asked for longest ago."""

    @property
    def settled(self) -> bool:
        """True if no more results are needed."""


class Listed:
    """A study that asks for a list of games, whatever their results."""

    ahead = MANY
    settled = False

    def __init__(self, games: Iterable[GameNumber]) -> None:
        self._games = iter(games)

    def ask(self) -> GameNumber | None:
        return next(self._games, None)

    def tell(self, game: GameNumber, result: str) -> None:
        """Ignore the result."""
