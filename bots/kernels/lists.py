"""Short arrays that every decision needs; numpy takes several times as long to make them."""

import numpy as np
from numba import njit

from bots.kernels.jit import ENTRY
from bots.kernels.positions import holds


@njit(**ENTRY)
def members_of(points, count):
    """The members, int64, of a set of `count` points at the most, as bytes (`positions.holds`)."""
    found = np.empty(count, np.int64)
    size = 0
    for p in range(count):
        found[size] = p
        size += holds(points, p)
    return found[:size]


@njit(**ENTRY)
def in_turn(count, total):
    """`total` numbers, int64, from 0 to count - 1 over and over."""
    numbers = np.empty(total, np.int64)
    number = 0
    for i in range(total):
        numbers[i] = number
        number = number + 1 if number < count - 1 else 0
    return numbers
