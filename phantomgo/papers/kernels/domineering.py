"""Random playouts of Domineering (phantomgo/papers/games/domineering.py)."""

import numpy as np
from numba import njit

from bots.kernels.jit import INLINE, entry
from bots.kernels.stream import GAMMA, below, mix


@njit(**INLINE)
def cover(free, cell, upright, size):
    """Put a domino on a cell and on the one above it, or to the right of it."""
    free[cell] = 0
    free[cell + (size if upright else 1)] = 0


@njit(**INLINE)
def list_room(free, upright, size, room):
    """List the places where a domino fits; return their number."""
    count = 0
    rows, columns = (size - 1, size) if upright else (size, size - 1)
    step = size if upright else 1
    for row in range(rows):
        for column in range(columns):
            cell = row * size + column
            if free[cell] and free[cell + step]:
                room[count] = cell
                count += 1
    return count


@entry
def play_out(free, size, upright, moves, each, key):
    """Play playouts of each move; return how many of each the player to move wins, int64.

    Args:
        free: uint8, 1 for each free cell.
        size: cells per side.
        upright: whether the mover's dominoes stand upright.
        moves: the lower or left cells of their moves, int64.
        each: playouts of each move.
        key: the random stream.
    """
    wins = np.zeros(len(moves), np.int64)
    room = np.empty(size * size, np.int64)
    board = np.empty_like(free)
    state = key
    for i in range(len(moves)):
        for _ in range(each):
            board[:] = free
            cover(board, moves[i], upright, size)
            standing = not upright
            count = list_room(board, standing, size, room)
            while count:
                state += GAMMA
                cover(board, room[below(mix(state), count)], standing, size)
                standing = not standing
                count = list_room(board, standing, size, room)
            wins[i] += standing != upright
    return wins
