"""What a net sees of a view: the board as one player knows it, as planes of whole numbers."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.kernels.net import VALUE, blank, mark
from bots.worlds import as_bytes
from phantomgo.messages import Accepted, Moved, Passed
from phantomgo.points import PointSet, grid
from phantomgo.view import View

PLANES: Final = (
    "board", "own", "enemy", "open", "vacant", "density", "turn", "lost", "taken", "refused"
)  # fmt: skip
"""What the net sees of each point: whether it is on the board, an own stone, an enemy stone
located, open to hidden stones, certainly empty; the same for all points, the share of open ones
that hold a hidden stone, and the own moves so far per point of the board; and how lately an own
stone was captured there, and an enemy's, and how lately it was refused, cause uncertain (1 just
now, 1/2 eight moves ago, 0 never)."""


def planes(view: View) -> NDArray[np.uint32]:
    """What the net sees, a board of bots.kernels.net in units of 1 / VALUE."""
    size, full = view.rules.size, grid(view.rules.size).full
    density = VALUE * view.hidden // max(view.unknown.bit_count(), 1)
    turn = min(VALUE * view.turn // size**2, 2 * VALUE)
    board = blank(len(PLANES), size)
    for i, stones in enumerate((full, view.own, view.located, view.unknown, view.vacant)):
        mark(board, i, as_bytes(stones, size**2), VALUE, size)
    for i, value in ((5, density), (6, turn)):
        mark(board, i, as_bytes(full, size**2), value, size)
    for i, where, age in (*_captures(view), *_refusals(view)):
        mark(board, i, as_bytes(where, size**2), 8 * VALUE // (8 + age), size)
    return board


def _captures(view: View) -> Iterator[tuple[int, PointSet, int]]:
    """Every capture in order: its plane, where, and how many enemy moves ago."""
    age = view.opponent_turn
    for event in view.events:
        if isinstance(event, Moved):
            age -= 1
            if event.lost:
                yield PLANES.index("lost"), event.lost, age
        elif isinstance(event, Passed):
            age -= 1
        elif isinstance(event, Accepted) and event.taken:
            yield PLANES.index("taken"), event.taken, age


def _refusals(view: View) -> Iterator[tuple[int, PointSet, int]]:
    """Every refusal whose cause is uncertain: its plane, where, and how many own moves ago."""
    for refusal in view.refused:
        yield PLANES.index("refused"), 1 << refusal.point, view.turn - refusal.turn
