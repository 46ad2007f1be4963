"""Methods against one another, rather than against single fresh seeds."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from phantomgo.errors import BadText
from phantomgo.portfolio.exploit import BEST_SPARSE
from phantomgo.portfolio.matrix import SeedMatrix, Seeds
from phantomgo.portfolio.methods import Method, parse_method
from phantomgo.portfolio.nash import FloatArray
from phantomgo.rng import MAX_SEED


class Meetings(NamedTuple):
    """The rates at which each of some methods wins against one method.

    Attributes:
        within: where both learned on the whole matrix (Reinforcing, Table I); shape (methods, 2),
            as Black and as White.
        fresh: where each learned on one half of the seeds, and the halves have no seed in common,
            so they meet in games that neither has seen (Reinforcing, figures 10 and 11); shape
            (repeats, methods, 2).
    """

    within: FloatArray
    fresh: FloatArray


def meet(
    matrix: SeedMatrix,
    methods: Sequence[str],
    other: str,
    *,
    repeats: int,
    seed: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Meetings:
    """Let the mixtures of some methods meet that of another one.

    Args:
        matrix: a square one.
        methods: texts for `parse_method`.
        other: whom they meet.
        repeats: how often the seeds are halved.
        seed: makes the draws.
        advance: called with the number of repeats just done.

    Raises:
        BadText: the matrix is not square or too small, or a method cannot be read.
    """
    if matrix.own != matrix.opponents or matrix.own < 4:
        raise BadText(
            f"methods meet on a square matrix of at least 4 seeds, not on {matrix.own} against"
            f" {matrix.opponents}"
        )
    if BEST_SPARSE in (*methods, other):
        raise BadText(f"{BEST_SPARSE} is chosen for each K', so it can't meet a method")
    ours, theirs = [parse_method(text) for text in methods], parse_method(other)
    everyone = np.arange(matrix.own)
    within = _rates(matrix, ours, theirs, everyone, everyone, 0)
    fresh = np.empty((repeats, len(ours), 2))
    for number in range(repeats):
        random = np.random.default_rng([seed, number])
        here, there = np.array_split(random.permutation(everyone), 2)
        ties = int(random.integers(MAX_SEED))
        fresh[number] = _rates(matrix, ours, theirs, here, there, ties)
        advance(1)
    return Meetings(within, fresh)


def _rates(
    matrix: SeedMatrix, ours: Sequence[Method], theirs: Method, here: Seeds, there: Seeds, ties: int
) -> FloatArray:
    """The rates of methods that learn on some seeds against one that learns on others."""
    known, met = matrix.select(here, here), theirs.learn(matrix.select(there, there), ties)
    as_black = matrix.black[np.ix_(here, there)] @ met.white
    as_white = 1 - met.black @ matrix.black[np.ix_(there, here)]
    mixtures = [method.learn(known, ties) for method in ours]
    return np.array([(mixed.black @ as_black, as_white @ mixed.white) for mixed in mixtures])
