"""The input of a net: the board as one player knows it, as planes of whole numbers."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.kernels.net import ONE, mark
from bots.worlds import as_bytes
from phantomgo.game.messages import Accepted, Moved, Passed
from phantomgo.game.points import PointSet, grid
from phantomgo.game.view import View

PLANES: Final = (
    "board", "own", "enemy", "open", "vacant", "density", "turn", "lost", "taken", "refused"
)  # fmt: skip
"""The inputs of the net at each point: whether it is on the board, an own stone, a located enemy
stone, open to hidden stones, certainly empty; equal at all points, the share of open points that
hold a hidden stone and the own moves so far per point of the board; and how recently an own stone
was captured there, an enemy stone was captured there, and an attempt was refused there for an
uncertain reason (1 just now, 1/2 eight moves ago, 0 never).
"""
LOST, TAKEN, REFUSED = (PLANES.index(name) for name in ("lost", "taken", "refused"))

NET_PLANES: Final = (*PLANES, "placed")
"""`PLANES`, plus how recently each own stone was played, hidden from the opponent."""
EVALUATOR_PLANES: Final = (
    *NET_PLANES, "odds", "candidate", "visits", "share", "amaf", "amaf_visits", "mean"
)  # fmt: skip
"""The inputs of the candidate evaluator (bots/evaluator.py): `NET_PLANES`, the log odds of a belief
net, and from the first round of the search the candidates, the playouts of each, the share won, the
share won by all moves as first, their number, and the mean share.
"""

PLACED: Final = NET_PLANES.index("placed")


def net_input(view: View, count: int = len(PLANES)) -> NDArray[np.uint32]:
    """The net's input in units of 1 / ONE, shape (channels, points).

    The first `count` channels of `EVALUATOR_PLANES`; those after `NET_PLANES` remain zero.
    """
    size, full = view.rules.size, grid(view.rules.size).full
    unknown = view.unknown
    density = ONE * view.hidden // max(unknown.bit_count(), 1)
    turn = min(ONE * view.turn // size**2, 2 * ONE)
    sets = [full, view.own, view.located, unknown, view.vacant, full, full]
    channels, values = [*range(7)], [*(ONE,) * 5, density, turn]
    placed = _placed(view) if count > PLACED else ()
    refusals = ((REFUSED, 1 << r.point, view.turn - r.turn) for r in view.refused)
    for channel, where, age in (*_captures(view), *refusals, *placed):
        channels.append(channel)
        values.append(8 * ONE // (8 + age))
        sets.append(where)
    planes = np.zeros((count, size**2), np.uint32)
    joined = b"".join([as_bytes(points, size**2) for points in sets])
    mark(planes, bytes(channels), bytes(values), joined)
    return planes


def _captures(view: View) -> Iterator[tuple[int, PointSet, int]]:
    """Every capture in order: its plane, where, and how many enemy moves ago."""
    if not view.lost and not view.taken:
        return
    age = view.opponent_turn
    for event in view.events:
        if isinstance(event, Moved):
            age -= 1
            if event.lost:
                yield LOST, event.lost, age
        elif isinstance(event, Accepted):
            if event.taken:
                yield TAKEN, event.taken, age
        elif isinstance(event, Passed):
            age -= 1


def _placed(view: View) -> Iterator[tuple[int, PointSet, int]]:
    """Every own stone: its plane, where, and how many own moves ago it was played."""
    age = view.turn
    for event in view.events:
        if isinstance(event, Accepted):
            age -= 1
            if event.move >= 0 and view.own >> event.move & 1:
                yield PLACED, 1 << event.move, age
