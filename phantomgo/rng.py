"""Random numbers that depend only on the values they are derived from (law 2 in CONTRIBUTING.md).

Each purpose for which numbers are drawn has a name here and a stream of its own.

SplitMix64 (Steele, Lea & Flood, Fast Splittable Pseudorandom Number Generators, 2014). The same
constants are used inside the kernels (bots/kernels).
"""

import secrets
from enum import IntEnum
from functools import lru_cache, reduce
from typing import Final

from phantomgo.game.points import Colour
from phantomgo.values import checked_int

GAMMA: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
MAX_SEED: Final = (1 << 63) - 1


def checked_seed(seed: object) -> int:
    """The seed, if it is one.

    Raises:
        BadText: it is not a whole number from 0 to MAX_SEED.
    """
    return checked_int("seed", seed, 0, MAX_SEED)


def fresh_seed() -> int:
    """A seed that nobody can foresee; everything else here is derived from others."""
    return secrets.randbelow(MAX_SEED + 1)


def mix(z: int) -> int:
    """SplitMix64's output function on a 64-bit number."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def derived(key: int, number: int) -> int:
    """A 64-bit key derived from another key and a number."""
    return mix((key + (number + 1) * GAMMA) & _MASK)


class Purpose(IntEnum):
    """The purposes for which random numbers are drawn, besides the attempts of bots.

    The numbers of a seed form a tree. Its first branch says what they are for: 1 and 2, the numbers
    of the colours, are the attempts of a bot that plays this colour (`decision_key`), and each
    purpose here has a branch of its own. So a number that draws the line of a game, for example,
    decides nothing else in it.
    """

    LINE = 16
    """The line that a book plays in a game."""
    SYMMETRY = 17
    """The symmetry of the board under which it plays that line."""
    ARM = 18
    """Ties between the arms of an `online:` bot."""
    BELIEF = 19
    """The worlds in which stones are counted for a person who asks what a bot believes."""
    REVIEW = 20
    """The playouts from a full board after a game."""
    RESPONSE = 21
    """The draws of a best-response player that learns."""
    HISTORY = 22
    """A whole game in which one player receives given messages."""


def decision_key(seed: int, colour: Colour, turn: int, refusals: int) -> int:
    """The 64-bit key of one decision's random stream, for a bot that plays `colour`.

    `turn` counts its accepted moves so far, `refusals` its refused attempts since then. Within a
    decision, `bots/kernels` derive the streams of playouts, ties and passes from it.
    """
    return _leaf(seed, colour, turn, refusals)


def purpose_key(purpose: Purpose, seed: int, colour: Colour, *parts: int) -> int:
    """The 64-bit key of the random stream of a purpose, for the player of `colour`."""
    return _leaf(seed, purpose, colour, *parts)


def _leaf(seed: int, branch: int, *parts: int) -> int:
    return reduce(derived, parts, _branch(seed, branch))


@lru_cache(maxsize=1024)
def _branch(seed: int, branch: int) -> int:
    """The key of all decisions of a side, or of all draws for a purpose."""
    return derived(mix(seed & _MASK), branch)


# Below are the numbers that the laboratory draws. Those that become seeds are mixed again before a
# bot draws by them. Results in stores and books depend on all of them, so they keep their forms.


def game_seed(seed: int, round_number: int, pairing: int, player: int) -> int:
    """The seed of a player for the games of a pairing in a round of a match."""
    return reduce(derived, (round_number, pairing, player), mix(seed)) & MAX_SEED


def growing_seed(seed: int, number: int, colour: Colour) -> int:
    """The seed of a colour's bot in one game from which a book of moves grows."""
    return derived(derived(mix(seed), number), colour - 1) & MAX_SEED


def tail_number(seed: int, test: int, game: int) -> int:
    """A 64-bit number that chooses the seed that continues a line in a game of a measurement."""
    return mix(mix(mix(seed) + test) + game)


def start_stream(seed: int) -> "Stream":
    """The stream that draws the line of an earlier book that this seed continues."""
    return Stream(mix(seed))


def ties_stream(seed: int) -> "Stream":
    """The stream by which a method of learning breaks its ties, from the method's seed."""
    return Stream(mix(seed))


def symmetries_stream(black: int, white: int) -> "Stream":
    """The stream that draws the symmetries under which two seeds meet in a measurement."""
    return Stream(mix(mix(black) + white))


def luck_number(black: int, white: int) -> int:
    """A 64-bit number from which the dice and cards of a game of two seeds are drawn."""
    return derived(mix(mix(black) + white), 0)


def learner_number(seed: int, round_number: int, colour: int) -> int:
    """A 64-bit number from which a learner draws in one of its rounds; 0 is neither colour's."""
    return mix(mix(seed) + 3 * round_number + colour)


class Stream:
    """A stream of random numbers from a 64-bit key."""

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; bound at most 2**32."""
        self._state = (self._state + GAMMA) & _MASK
        return (mix(self._state) >> 32) * bound >> 32
