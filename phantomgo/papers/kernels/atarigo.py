"""Random playouts of Atari-Go (phantomgo/papers/games/stones.py)."""

import numpy as np

from bots.kernels.board import (
    BLACK,
    COUNT,
    EMPTIES,
    LENGTH,
    STATE,
    cell,
    copy,
    draw,
    play,
    set_aside,
    set_up,
)
from bots.kernels.jit import entry
from bots.kernels.vectors import pointer


@entry
def play_any(b, colour, width):
    """Play a random legal move; return the number of stones captured, -1 without a legal move."""
    count = b[COUNT]
    while count:
        i = draw(b, count)
        captured = play(b, b[EMPTIES + i], colour, width)
        if captured >= 0:
            return captured
        set_aside(b, i, count)
        count -= 1
    return -1


@entry
def play_out(own, enemy, size, moves, each, key):
    """Play playouts of each move; return how many of each the player to move wins, int64.

    The first capture wins, and a player without a legal move loses.

    Args:
        own: the mover's stones, uint8 with 1 for each point.
        enemy: the other side's.
        size: points per side.
        moves: points where the mover may play, int64.
        each: playouts of each move.
        key: the random stream.
    """
    work = np.zeros(2 * LENGTH, np.int64)
    b, base = pointer(work), pointer(work[LENGTH:])
    width = size + 2
    set_up(base, own, enemy, BLACK, size)
    wins = np.zeros(len(moves), np.int64)
    b[STATE] = key
    for i in range(len(moves)):
        for _ in range(each):
            copy(b, base, size)
            colour = BLACK
            captured = play(b, cell(moves[i], size), colour, width)
            while captured == 0:
                colour = 3 - colour
                captured = play_any(b, colour, width)
            wins[i] += (colour == BLACK) == (captured > 0)
    work[0] = 0  # the memory lives until here (`pointer`)
    return wins
