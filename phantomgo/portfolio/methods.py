"""Methods: the results of the seeds in, a distribution over the seeds of each colour out.

Each is a pure function of a seed matrix and of a number that breaks ties. `METHODS` is the table
of their names, `parse_method` reads a text such as `sparse:alpha=0.5`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from phantomgo.portfolio.matrix import SeedMatrix
from phantomgo.portfolio.nash import FloatArray
from phantomgo.rng import Stream, mix
from phantomgo.spec import Decimal, Form, Value, kind_of, options, written


class Portfolio(NamedTuple):
    """Two distributions over the K own seeds, one per colour, each of shape (K,)."""

    black: FloatArray
    white: FloatArray


Learn: TypeAlias = Callable[[SeedMatrix, int], Portfolio]
"""A method: a matrix and a tie-breaking number to a portfolio."""


def uniform(matrix: SeedMatrix, _ties: int = 0) -> Portfolio:
    """Every seed alike: the original randomized bot, the baseline (Fast seeds, algorithm 1)."""
    everywhere = np.full(matrix.own, 1 / matrix.own)
    return Portfolio(everywhere, everywhere)


def oneseed(matrix: SeedMatrix, ties: int = 0) -> Portfolio:
    """One seed per colour, drawn blindly: the baseline of CIG 2016, Table I.

    On average it does to a fresh seed what `uniform` does, but an opponent who tries K' seeds
    faces a single deterministic player.
    """
    everyone = np.ones(matrix.own)
    return _drawn_among_best(everyone, everyone, ties)


def bestseed(matrix: SeedMatrix, ties: int = 0) -> Portfolio:
    """The seed that won most, ties broken at random (CIG 2016, algorithm 1).

    Called BestArm in Reinforcing, section III-A, equations 2 and 3.
    """
    return _drawn_among_best(*_strengths(matrix), ties)


def besthalf(matrix: SeedMatrix, _ties: int = 0) -> Portfolio:
    """Uniform over the seeds that won more than the median (Reinforcing, section VII).

    Where no seed did, because at least half of them tie for the best, over those.
    """
    return Portfolio(*(_better_half(wins) for wins in _strengths(matrix)))


def nash(matrix: SeedMatrix, _ties: int = 0) -> Portfolio:
    """A Nash equilibrium (CIG 2016, algorithm 2; rectangular: Fast seeds, algorithm 1)."""
    black, white = matrix.equilibria
    return Portfolio(black.rows, white.columns)


def sparse(matrix: SeedMatrix, _ties: int = 0, *, alpha: float = 0.75) -> Portfolio:
    """Nash without the seeds less probable than alpha times the likeliest (CIG 2016, algorithm 3).

    Probabilities that differ by rounding only count as equal.
    """
    return Portfolio(*(_sparsened(weights, alpha) for weights in nash(matrix)))


METHODS: Final[Mapping[str, Learn]] = MappingProxyType(
    {
        "oneseed": oneseed,
        "uniform": uniform,
        "bestseed": bestseed,
        "besthalf": besthalf,
        "nash": nash,
        "sparse": sparse,
    }
)


PARAMETERS: Final[Mapping[str, Mapping[str, tuple[Value, Form]]]] = MappingProxyType(
    {"sparse": {"alpha": (0.75, Decimal(0.000001, 1, places=6))}}
)
"""The parameters of methods that have some: by key, the default and what is allowed."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method and its parameters; `text` names both, as books and tables print them."""

    text: str
    learn: Learn


def parse_method(text: str) -> Method:
    """Read `nash`, `sparse` or `sparse:alpha=0.5`.

    Raises:
        BadText: no such method or parameter, or a value out of range.
    """
    name, tail = kind_of(text, METHODS, "method")
    forms = PARAMETERS.get(name, {})
    given = {key: default for key, (default, _) in forms.items()}
    given |= options(name, tail, {key: form for key, (_, form) in forms.items()})
    keys = ",".join(f"{key}={written(value)}" for key, value in given.items())
    return Method(f"{name}:{keys}" if keys else name, partial(METHODS[name], **given))


def _strengths(matrix: SeedMatrix) -> tuple[FloatArray, FloatArray]:
    """Each own seed's wins: as Black over opponent White seeds, and as White over Black ones."""
    black = matrix.black.sum(axis=1, dtype=np.float64)
    white = matrix.opponents - matrix.white.sum(axis=0, dtype=np.float64)
    return black, white


def _drawn_among_best(black: FloatArray, white: FloatArray, ties: int) -> Portfolio:
    """Probability 1 on one of the highest entries of each, drawn from the stream `ties`."""
    stream = Stream(mix(ties))
    sides = []
    for strengths in (black, white):
        best = np.flatnonzero(strengths == strengths.max())
        side = np.zeros(len(strengths))
        side[best[stream.below(len(best))]] = 1.0
        sides.append(side)
    return Portfolio(*sides)


def _better_half(wins: FloatArray) -> FloatArray:
    median = np.median(wins)
    chosen = wins > median if (wins > median).any() else wins >= median
    shares: FloatArray = chosen / chosen.sum()
    return shares


def _sparsened(weights: FloatArray, alpha: float) -> FloatArray:
    kept = np.where(weights < alpha * weights.max() * (1 - 1e-9), 0.0, weights)
    shares: FloatArray = kept / kept.sum()
    return shares
