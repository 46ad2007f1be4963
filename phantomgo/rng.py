"""Random numbers that depend only on the values they are derived from (law 2 of the project).

SplitMix64 (Steele, Lea & Flood, Fast Splittable Pseudorandom Number Generators, 2014). The same
constants are used inside the kernels (bots/kernels).
"""

from functools import lru_cache
from typing import Final

from phantomgo.checks import whole
from phantomgo.points import Colour

GAMMA: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1
MAX_SEED: Final = (1 << 63) - 1


def checked_seed(seed: object) -> int:
    """The seed, if it is one.

    Raises:
        BadText: it is not a whole number from 0 to MAX_SEED.
    """
    return whole("seed", seed, 0, MAX_SEED)


def mix(z: int) -> int:
    """SplitMix64's output function on a 64-bit number."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def derived(key: int, number: int) -> int:
    """A 64-bit key that depends on another one and on a number."""
    return mix((key + (number + 1) * GAMMA) & _MASK)


def decision_key(seed: int, colour: Colour, turn: int, refusals: int) -> int:
    """The 64-bit key of one decision's random stream, for a bot that plays `colour`.

    `turn` counts its accepted moves so far, `refusals` its refused attempts since then.
    """
    key = _side_key(seed, colour)
    for part in (turn, refusals):
        key = derived(key, part)
    return key


@lru_cache(maxsize=1024)
def _side_key(seed: int, colour: Colour) -> int:
    """The key of all decisions of a side."""
    return derived(mix(seed & _MASK), colour)


class Stream:
    """A stream of random numbers from a 64-bit key."""

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1; bound at most 2**32."""
        self._state = (self._state + GAMMA) & _MASK
        return (mix(self._state) >> 32) * bound >> 32
