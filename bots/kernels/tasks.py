"""Tasks: the playouts of a kernel call, each task a row of int64 numbers."""

import numpy as np
from numpy.typing import NDArray

POSITION_INDEX = 0  # the number of the position that they begin from
CANDIDATES = 1  # where the task's candidates begin among all
JOBS = 2  # where its jobs begin, each an index of one of its candidates
PERIOD = 3  # how many jobs it has; further playouts begin with the first job again
PLAYOUTS = 4  # how many playouts it has
KEY = 5  # the random stream of the first
NEEDED = 6  # a playout is won by an area margin, own less enemy, greater than this
PASSED = 7  # 1 if the opponent has just passed, so that a pass ends the game
AMAF = 8  # where the counts of all moves as first begin; -1 if there are none
TASK = 9  # how many numbers a task has


def only_task(
    period: int, playouts: int, key: int, need: int, passed: bool = False
) -> NDArray[np.int64]:
    """The tasks of a call that has one: everything is its own, from the beginning."""
    return np.array([[0, 0, 0, period, playouts, key, need, passed, 0]], np.int64)
