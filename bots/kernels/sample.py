"""Counting worlds: how often a hidden stone is dealt to each point."""

import numpy as np

from bots.kernels.deal import deal
from bots.kernels.jit import entry
from bots.kernels.lanesets import but_first, first_lane
from bots.kernels.positions import ENEMY
from bots.kernels.rows import DEALT, FIELDS, clear
from bots.kernels.tasks import KEY, PERIOD, PLAYOUTS, TASK
from bots.kernels.vectors import lane_count, pointer


@entry
def count_stones(
    row_memory, register_memory, wide_memory, pools, size, positions, tables, key, count
):  # fmt: skip
    """Deal worlds of the first position; return how many of the `count` have a hidden stone on each
    point, int64.

    World number g is the one that playout g of the same key begins with when its candidate is a
    pass (`playouts.play_out`, where the arguments are explained).
    """
    rows, registers, wide = pointer(row_memory), pointer(register_memory), pointer(wide_memory)
    lanes = lane_count(rows)
    clear(rows, registers, wide, size)
    task = np.zeros(TASK, np.int64)
    task[PERIOD], task[PLAYOUTS], task[KEY] = 1, count, key
    jobs, passes = np.zeros(1, np.int64), np.full(1, -1)
    counts = np.zeros(size * size, np.int64)
    while True:
        whole = deal(
            rows, registers, wide, pointer(pools), pointer(positions), pointer(tables),
            pointer(task), 1, pointer(jobs), pointer(passes), size,
        )  # fmt: skip
        if not whole:
            return counts
        while whole:
            lane = first_lane(whole)
            whole = but_first(whole)
            for p in range(size * size):
                r, c = p // size, p % size
                dealt = np.int64(rows[((r + 1) * FIELDS + DEALT) * lanes + lane])
                counts[p] += (dealt & ~positions[0, ENEMY + r]) >> c & 1
