"""Where hidden enemy stones probably stand, learned from games of our own players.

A small convolutional net (bots/kernels/net.py) reads the board as one player knows it and says of
every open point how likely a stone is there. It has learned what an opponent's play looks like
around the stones that are known: the middle comes before the edge, stones answer no stone they
cannot see, nobody plays inside a shape that has just refused him. Determinizations then draw
hidden stones by the odds. Given the net's opinion, whether two points are taken is as good as
independent (measured), so stones drawn one by one make likely boards.

That knowing where the stones are is worth more than anything else is Buron's finding (A Study of
Monte Carlo Methods for Phantom Go, 2013), and a player who sees them all wins 97 % of games.
`phantomgo prior` plays the games, trains the net and writes `prior.json`, which says what it was
made from. All is whole numbers: an attempt is the same on every machine.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.kernels.net import VALUE, blank, evaluate, mark, paired, scaled
from bots.worlds import UNIFORM, Ints, as_bytes
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

FULL_WEIGHT: Final = 1 << 22
"""The kernels' weight of the likeliest point: a stone there may be a million times as likely as on
another. With a narrow range, one refused point lifts all that are unlikely, such as the edge."""

_LIMIT: Final = 8 * VALUE  # log odds are cut there
_STEP: Final = 1_090_650_797  # exp(1 / VALUE) in units of 2**-30, rounded


class Net(NamedTuple):
    """The numbers of a net.

    Attributes:
        channels: of each layer, the first being the inputs.
        numbers: of each output of each layer its weights and its bias, one after another.
        pairs: the same as `bots.kernels.net.evaluate` takes them.
    """

    channels: Ints
    numbers: NDArray[np.int32]
    pairs: NDArray[np.int32]


def weights(view: View) -> Ints:
    """The kernels' weight of every point, in proportion to the odds of a hidden stone there."""
    if not view.hidden or not view.unknown:
        return UNIFORM
    unknown = as_bytes(view.unknown, view.rules.size**2)
    of_points: Ints = scaled(log_odds(view), _odds(), unknown, FULL_WEIGHT)
    return of_points


def log_odds(view: View) -> Ints:
    """The net's opinion of every point, from -8 to 8, in units of 1 / VALUE."""
    net = shipped()
    opinion = evaluate(planes(view), net.channels, net.pairs, view.rules.size)
    limited: Ints = np.minimum(np.maximum(opinion, -_LIMIT), _LIMIT)
    return limited


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


@cache
def shipped() -> Net:
    """The net in prior.json."""
    return net_from(json.loads(files("bots").joinpath("prior.json").read_text())["layers"])


def net_from(layers: Sequence[Sequence[Sequence[int]]]) -> Net:
    """A net from its layers, each a list of outputs, each output its weights and then its bias."""
    parts = [np.array(layer, np.int32) for layer in layers]
    channels = [len(PLANES), *(len(part) for part in parts[:-1])]
    numbers = np.concatenate([part.ravel() for part in parts])
    return Net(np.array(channels, np.int64), numbers, paired(channels, numbers))


@cache
def _odds() -> Ints:
    """exp(x / VALUE) for x from -_LIMIT to _LIMIT in units of 2**-28; by whole numbers alone."""
    up = [1 << 48]
    for _ in range(_LIMIT):
        up.append(up[-1] * _STEP >> 30)
    down = [(1 << 96) // value for value in up[:0:-1]]
    return np.array([value >> 20 for value in (*down, *up)], np.int64)
