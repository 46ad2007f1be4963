"""The schedule: each game's number, players, colours and seeds.

Games come in pairs. In both games of a pair each player has the same seed and the colours are
swapped, so that both have the same luck with seeds. Pairs are dealt round by round over all
pairings, so a longer match begins with the games of a shorter one.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from phantomgo.errors import BadText
from phantomgo.game.points import Colour
from phantomgo.game.wording import counted
from phantomgo.rng import checked_seed, game_seed
from phantomgo.values import checked_int


class ScheduledGame(NamedTuple):
    """A game of a schedule. Players are numbered as they were named.

    Attributes:
        number: of the game, from 0.
        black: the player of Black.
        white: the player of White.
        black_seed: the seed of Black's player.
        white_seed: the seed of White's player.
        round: how many pairs of games the two have played before.
    """

    number: int
    black: int
    white: int
    black_seed: int
    white_seed: int
    round: int = 0

    def player(self, colour: Colour) -> int:
        return self.black if colour is Colour.BLACK else self.white


@dataclass(frozen=True)
class Schedule:
    """Every two of `players` play `games` games; `seed` gives all seeds."""

    players: int
    games: int
    seed: int

    def __post_init__(self) -> None:
        if self.players < 2:
            raise BadText("a match takes at least two players")
        object.__setattr__(self, "seed", checked_seed(self.seed))
        object.__setattr__(self, "games", checked_int("games", self.games))
        if self.games < 2 or self.games % 2:
            raise BadText(
                f"{counted(self.games, 'game')}: they come in pairs, so 2 or any even number"
            )

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairings, in the order of the players."""
        return list(combinations(range(self.players), 2))

    @property
    def total(self) -> int:
        return len(self.pairings) * self.games

    def numbers(self) -> Iterable[int]:
        """The numbers of the games, in the order in which they are played."""
        return range(self.total)

    def counts(self, number: int) -> bool:
        """True if an existing game counts; it need not be one of `numbers`."""
        return number < self.total

    def game(self, number: int) -> ScheduledGame:
        """The game with this number."""
        pair, swapped = divmod(number, 2)
        round_number, pairing, (first, second) = self._pair(pair)
        seeds = {who: game_seed(self.seed, round_number, pairing, who) for who in (first, second)}
        black, white = (second, first) if swapped else (first, second)
        return ScheduledGame(number, black, white, seeds[black], seeds[white], round_number)

    def _pair(self, pair: int) -> tuple[int, int, tuple[int, int]]:
        """The round of a pair of games, the number of its pairing, and the two players."""
        pairings = self.pairings
        round_number, pairing = divmod(pair, len(pairings))
        return round_number, pairing, pairings[pairing]


@dataclass(frozen=True)
class Fixtures(Schedule):
    """Some of `players` meet in `games` games each.

    The number of a game follows from the two players and the round alone, so it stays the same
    when players, pairings or games are added.

    Attributes:
        meetings: the pairs of players who meet, in each the lower number first.
    """

    meetings: tuple[tuple[int, int], ...] = ()

    @property
    def pairings(self) -> list[tuple[int, int]]:
        return list(self.meetings)

    def numbers(self) -> Iterable[int]:
        for round_number in range(self.games // 2):
            for one, other in self.meetings:
                pair = _fold(_triangle(other - 1) + one, round_number)
                yield from (2 * pair, 2 * pair + 1)

    def counts(self, number: int) -> bool:  # noqa: ARG002
        """Every game counts, including pairings and rounds that are no longer scheduled."""
        return True

    def _pair(self, pair: int) -> tuple[int, int, tuple[int, int]]:
        diagonal = _root(pair)
        round_number = pair - _triangle(diagonal)
        pairing = diagonal - round_number
        second = _root(pairing) + 1
        return round_number, pairing, (pairing - _triangle(second - 1), second)


def _triangle(number: int) -> int:
    return number * (number + 1) // 2


def _root(number: int) -> int:
    """The largest number whose triangle is at most this one."""
    return (math.isqrt(8 * number + 1) - 1) // 2


def _fold(row: int, column: int) -> int:
    """One number for two (Cantor's pairing function); `Fixtures._pair` undoes it."""
    return _triangle(row + column) + column


def round_robin(players: int) -> tuple[tuple[int, int], ...]:
    """Every two players meet."""
    return tuple(combinations(range(players), 2))


def gauntlet(players: int, challengers: int) -> tuple[tuple[int, int], ...]:
    """Each of the first players meets all the others who are not among them."""
    return tuple(
        (one, other) for one in range(challengers) for other in range(challengers, players)
    )
