"""Where hidden enemy stones tend to stand, learned from games of our own players.

A hidden stone is likelier in the open than on the first line, and hardly ever inside our shape.
`prior.json` holds, for each situation of a point, how many times as often a stone was there as if
the hidden stones were spread evenly over the open points; determinizations draw them with these
weights. `phantomgo prior` plays the games and writes the file, which says what it was made from.

A situation is the point's line (0 at the edge, 4 for the fifth and beyond), and how many of its
neighbours are own stones and enemy ones, located or presumed.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from bots.belief import Belief
from bots.worlds import Ints, as_flags

LINES: Final = 5
FULL_WEIGHT: Final = 1 << 16
"""The kernels' weight of the likeliest situation."""
LEAST_WEIGHT: Final = FULL_WEIGHT // 64
"""Never less: a rare stone must not keep the kernel drawing for long."""


def weights(belief: Belief, size: int) -> Ints:
    """The kernels' weight of every point."""
    return np.asarray(_table()[situations(belief, size)])


def situations(belief: Belief, size: int) -> tuple[Ints, Ints, Ints]:
    """Of every point: its line, its own neighbours, its enemy neighbours."""
    return _lines(size), _neighbours(belief.own, size), _neighbours(belief.enemy, size)


def weights_from(ratios: np.ndarray) -> Ints:
    """The kernels' weights for ratios of shape (LINES, 5, 5): whole numbers, the greatest full."""
    scaled = np.rint(ratios / ratios.max() * FULL_WEIGHT).astype(np.int64)
    limited: Ints = np.maximum(scaled, LEAST_WEIGHT)
    return limited


@cache
def _table() -> Ints:
    text = files("bots").joinpath("prior.json").read_text()
    return np.array(json.loads(text)["weights"], np.int64)


@cache
def _lines(size: int) -> Ints:
    rows, columns = np.divmod(np.arange(size * size), size)
    to_edge = np.minimum(np.minimum(rows, columns), size - 1 - np.maximum(rows, columns))
    lines: Ints = np.minimum(to_edge, LINES - 1)
    return lines


def _neighbours(points: int, size: int) -> Ints:
    """How many neighbours of each point are in the set."""
    inside = as_flags(points, size).reshape(size, size)
    count = np.zeros((size, size), np.int64)
    count[1:] += inside[:-1]
    count[:-1] += inside[1:]
    count[:, 1:] += inside[:, :-1]
    count[:, :-1] += inside[:, 1:]
    return count.ravel()
