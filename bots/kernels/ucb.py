"""Upper confidence bounds (UCB1: Auer, Cesa-Bianchi & Fischer, 2002; Buron 2013, formula 3.3.3).

Floats decide here, but only by operations that IEEE 754 specifies exactly (+ - * / and square
root); the logarithm is made of whole numbers.
"""

import math

from numba import njit

from bots.kernels.jit import ENTRY

LN_2 = 0.6931471805599453
PLACES = 16  # binary places of a logarithm


@njit(**ENTRY)
def log(n):
    """The natural logarithm of a whole number from 1 to 2**62, from 16 binary places of log2."""
    whole = 0
    while n >> (whole + 1):
        whole += 1
    x = n << (30 - whole) if whole <= 30 else n >> (whole - 30)  # n / 2**whole, 30 places
    result = whole
    for _ in range(PLACES):
        x = x * x >> 30
        bit = x >> 31
        x >>= bit
        result = result << 1 | bit
    return result * LN_2 / (1 << PLACES)


@njit(**ENTRY)
def bonus(visits, total):
    """What UCB1 adds to the mean of an arm visited so often, of so many visits in all."""
    return math.sqrt(2 * log(total) / visits)
