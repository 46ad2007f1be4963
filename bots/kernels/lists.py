"""The members of a set, several times as fast as numpy lists them."""

import numpy as np

from bots.kernels.jit import entry
from bots.kernels.positions import holds


@entry
def members_of(points, count):
    """The members, int64, of a set of `count` points at the most, as bytes (`positions.holds`)."""
    found = np.empty(count, np.int64)
    size = 0
    for p in range(count):
        found[size] = p
        size += holds(points, p)
    return found[:size]
