"""Which game has which number: who plays whom, which colour, with which seeds.

Games come in pairs. In both games of a pair each player has the same seed and the colours are
swapped, so what the seeds bring is the same for both. Pairs are dealt round by round over all
pairings, so a longer match begins with the games of a shorter one.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.points import Colour
from phantomgo.rng import GAMMA, MAX_SEED, mix
from phantomgo.wording import counted

_MASK = (1 << 64) - 1


class Ticket(NamedTuple):
    """A game to be played. Players are numbered as they were named.

    Attributes:
        number: of the game, from 0.
        black: the player of Black.
        white: the player of White.
        black_seed: the seed of Black's player.
        white_seed: the seed of White's player.
    """

    number: int
    black: int
    white: int
    black_seed: int
    white_seed: int

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
        whole("seed", self.seed, 0, MAX_SEED)
        whole("games", self.games)
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

    def ticket(self, number: int) -> Ticket:
        """The game of this number."""
        pairings = self.pairings
        pair, swapped = divmod(number, 2)
        round_number, pairing = divmod(pair, len(pairings))
        first, second = pairings[pairing]
        seeds = {who: self._seed(round_number, pairing, who) for who in (first, second)}
        black, white = (second, first) if swapped else (first, second)
        return Ticket(number, black, white, seeds[black], seeds[white])

    def _seed(self, *parts: int) -> int:
        key = mix(self.seed & _MASK)
        for part in parts:
            key = mix((key + (part + 1) * GAMMA) & _MASK)
        return key & MAX_SEED
