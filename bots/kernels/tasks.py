"""Tasks: the playouts of a kernel call, each task a row of int64 numbers."""

import numpy as np
from numpy.typing import NDArray

# The number of the position they begin from; where the task's candidates begin among all; where
# its jobs begin, each an index of one of its candidates, and after how many they start over; how
# many playouts; the random stream of the first; a playout is won by an area margin, own less
# enemy, greater than NEED; 1 if the opponent has just passed, so that a pass ends the game; where
# the counts of all moves as first begin, -1 if there are none. And how many numbers these are
PLACE, CANDIDATES, JOBS, PERIOD, PLAYOUTS, KEY, NEEDED, PASSED, AMAF, TASK = range(10)


def only_task(
    period: int, playouts: int, key: int, need: int, passed: bool = False
) -> NDArray[np.int64]:
    """The tasks of a call that has one: everything is its own, from the beginning."""
    return np.array([[0, 0, 0, period, playouts, key, need, passed, 0]], np.int64)
