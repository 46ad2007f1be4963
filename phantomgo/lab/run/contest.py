"""A contest: what decides the result of a game.

The laboratory asks nothing more of a game than this. Phantom Go is one contest; whatever has
players whose games can be told apart by a pair of numbers may be another.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

from phantomgo.identity import Identity

Game: TypeAlias = tuple[int, int]
"""Which game of a contest, as a store keeps it: both seeds, or a pair and its first or second."""

SEEDS: Final = "seeds"
"""The game in the terms of a contest whose games are named by both seeds."""

G = TypeVar("G", bound=Hashable)
G_contra = TypeVar("G_contra", bound=Hashable, contravariant=True)


class Result(NamedTuple):
    """The result of a game.

    Attributes:
        text: the result as the contest writes it; all that a study receives.
        record: the whole game, for those who want to look at it.
        void: why the game does not count and has to be played again, in a sentence.
        place: which worker played it; None where all of them are processes of this machine.
    """

    text: str
    record: str | None = None
    void: str | None = None
    place: str | None = None


class Contest(Protocol[G_contra]):
    """The players and terms that decide a result. Picklable."""

    @property
    def players(self) -> Sequence[Identity]:
        """The players."""

    @property
    def terms(self) -> Mapping[str, object]:
        """All else that decides a result, for JSON: results of other terms are never mixed."""

    @property
    def engines(self) -> bool:
        """True if other programs have to be started to play it; False by default."""
        return False

    def play(self, games: Sequence[G_contra]) -> list[Result]:
        """Play these games, in a worker. The same game always has the same result."""

    def certain(self, text: str) -> str | None:
        """The part of a result that is the same whenever and wherever its game is played.

        None if that need not be so: for engines, by default, and by the clock.
        """
        return None if self.engines else text
