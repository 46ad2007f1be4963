"""The kernels' random numbers: splitmix64 (Steele, Lea, Flood 2014), one stream per playout."""

from numba import njit

from bots.kernels.jit import INLINE
from bots.kernels.vectors import shift_right

GAMMA = -7046029254386353131  # step of the state ...
MIX1 = -4658895280553007687  # ... and the multipliers of its output function
MIX2 = -7723592293110705685
STREAM = -3372029247567499371  # odd; separates the streams of playouts


@njit(**INLINE)
def mix(z):
    """The output function of splitmix64, for an int64 or for a vector of 64-bit lanes."""
    z = (z ^ shift_right(z, 30)) * MIX1
    z = (z ^ shift_right(z, 27)) * MIX2
    return z ^ shift_right(z, 31)


@njit(**INLINE)
def below(number, count):
    """A number below `count` from the high 32 bits of a random one (int64 or lanes of 64)."""
    return shift_right(shift_right(number, 32) * count, 32)
