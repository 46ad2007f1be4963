"""Cross-validation: portfolios that are tested against exploiters with fresh seeds.

A portfolio is learned on some seeds and measured on others, never seen in learning.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from phantomgo.errors import BadText
from phantomgo.estimates import least_error, mean_error
from phantomgo.portfolio.exploiter import (
    EXPLOITERS,
    Rates,
    against,
    expected_exploited,
    exploited,
)
from phantomgo.portfolio.matrix import SeedMatrix, Seeds
from phantomgo.portfolio.methods import parse_method
from phantomgo.portfolio.nash import FloatArray
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.values import checked_int

DEFAULT_METHODS: Final = (
    "oneseed",
    "uniform",
    "bestseed",
    "besthalf",
    "topk",
    "besttop",
    "nash",
    "sparse:alpha=0.5",
    "sparse:alpha=0.75",
    "sparse:alpha=1",
)
"""The default rows: both readings of the papers' baseline, and every method with the papers'
alphas.
"""
TEST_SEEDS: Final = 20
"""The default number of test seeds: the papers train on 380 of 400."""
MOST_FOLDS: Final = 10
"""The number of folds for the standard errors."""
CHUNK: Final = 2
"""Repeats per task: a second of work for large matrices, for which Ctrl-C waits."""


class Split(NamedTuple):
    """One resampling: seeds to learn on, and fresh ones to be tested against.

    Attributes:
        own: the seeds to choose from, the same for both colours.
        opponents: the seeds they are learned against; all of them are own seeds too.
        black_tests: fresh Black seeds, in the order the exploiter tries them.
        white_tests: fresh White seeds.
    """

    own: Seeds
    opponents: Seeds
    black_tests: Seeds
    white_tests: Seeds


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Win rates by method and exploiter over many resamplings.

    Attributes:
        own: the number of seeds learned on, K.
        opponents: the number of opponent seeds learned against, Kt (K for a square matrix).
        tested: the number of seeds of each colour in the folds.
        methods: the rows.
        exploiters: the columns, K'.
        rates: every win rate, shape (repeats, methods, exploiters).
        folds: the rates where the seeds are dealt into folds and each is tested against once,
            having learned on others; shape (folds, methods, exploiters).
    """

    own: int
    opponents: int
    tested: int
    methods: tuple[str, ...]
    exploiters: tuple[int, ...]
    rates: FloatArray
    folds: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Shape (methods, exploiters)."""
        return np.asarray(self.rates.mean(axis=0))

    @property
    def deviation(self) -> FloatArray:
        """The standard deviation of one resampling's rate."""
        return np.asarray(self.rates.std(axis=0, ddof=min(1, len(self.rates) - 1)))

    @property
    def error(self) -> FloatArray:
        """The standard error of the mean due to the choice of seeds.

        All resamplings share their games, so their own spread says little about it. Between folds
        no test seed is shared; what they learned on is, for the most part.
        """
        return np.asarray(np.maximum(mean_error(self.folds), least_error(2 * self.tested)))


class Strengths(NamedTuple):
    """The spread of the seeds' strengths (Fast seeds, figure 1).

    Attributes:
        rates: for each n, the mean of the win rates of the n-th worst seed as Black and of
            the n-th worst as White, against all opponent seeds. Ascending, shape (K,).
        noise: the standard deviation such a mean would have if all seeds were alike.
    """

    rates: FloatArray
    noise: float


def strengths(matrix: SeedMatrix) -> Strengths:
    """The seeds' win rates, sorted, and the spread expected by chance."""
    black, white = matrix.black.mean(axis=1), 1 - matrix.white.mean(axis=0)
    variance = sum(float(side.mean() * (1 - side.mean())) for side in (black, white))
    noise = (variance / matrix.opponents) ** 0.5 / 2
    return Strengths((np.sort(black) + np.sort(white)) / 2, noise)


def split(matrix: SeedMatrix, opponents: int, tests: int, random: np.random.Generator) -> Split:
    """Draw training seeds and fresh test seeds from one large matrix.

    No seed is on both sides in either colour. Of the matrix's opponent seeds, `opponents` are
    learned against and the others may be tested against; own seeds are the same ones and, in a
    rectangular matrix, all others that are not for testing.
    """
    order = random.permutation(matrix.opponents)
    learned, fresh = order[:opponents], order[opponents:]
    own = np.concatenate([learned, np.arange(matrix.opponents, matrix.own)])
    black, white = random.permutation(fresh)[:tests], random.permutation(fresh)[:tests]
    return Split(own, learned, black, white)


Mapper: TypeAlias = Callable[
    [Callable[[Any, Any], FloatArray], object, Sequence[object]], Iterator[FloatArray]
]
"""Maps a function of shared data over items, in their order, in this process or on workers."""


def map_here(
    function: Callable[[Any, Any], FloatArray], shared: object, items: Sequence[object]
) -> Iterator[FloatArray]:
    """Map a function over items in this process."""
    return (function(shared, item) for item in items)


def cross_validate(
    matrix: SeedMatrix,
    methods: Sequence[str],
    *,
    opponents: int,
    exploiters: Sequence[int] = EXPLOITERS,
    repeats: int = 1000,
    seed: int = 0,
    mapper: Mapper = map_here,
    advance: Callable[[int], None] = lambda _: None,
) -> CrossValidation:
    """The papers' table from one large matrix.

    Args:
        matrix: all recorded results.
        methods: texts for `parse_method`.
        opponents: how many of the matrix's opponent seeds each repeat learns against; the others
            are for testing. For a square matrix this is the K of the papers.
        exploiters: the K' to test.
        repeats: how often to draw training and test seeds again.
        seed: makes the draws. Repeat number r draws the same wherever it is computed.
        mapper: maps a function of shared data over items, on any workers.
        advance: called with the number of repeats just done.

    Raises:
        BadText: the matrix has too few seeds for this, or a method's text cannot be read.
    """
    if len(exploiters) == 0:
        raise BadText("exploiters is empty: name at least one K'")
    for tries in exploiters:
        checked_int("exploiters", tries, 1)
    checked_int("training seeds", opponents, 1)
    checked_int("repeats", repeats, 1)
    checked_seed(seed)
    fresh, most = matrix.opponents - opponents, max(exploiters)
    if fresh < most:
        raise BadText(
            f"{opponents} training seeds of {matrix.opponents} leave {max(0, fresh)} fresh ones,"
            f" but an exploiter with K'={most} tries {most}"
        )
    if len(methods) == 0:
        raise BadText("methods is empty: name at least one")
    for text in methods:
        parse_method(text)
    plan = _Resampling(matrix, tuple(methods), opponents, tuple(exploiters), seed)
    chunks = [range(start, min(start + CHUNK, repeats)) for start in range(0, repeats, CHUNK)]
    found = []
    for rates in mapper(_rates, plan, chunks):
        found.append(rates)
        advance(len(rates))
    deal = np.random.default_rng(seed).permutation(matrix.opponents)
    folds = np.array_split(deal, max(2, min(MOST_FOLDS, len(deal) // most)))
    fold_rates = list(mapper(_fold, plan, folds))
    own = opponents + matrix.own - matrix.opponents
    rates, tested = np.concatenate(found), len(deal)
    return CrossValidation(
        own, opponents, tested, plan.methods, plan.exploiters, rates, np.stack(fold_rates)
    )


class _Resampling(NamedTuple):
    """The data that all repeats share."""

    matrix: SeedMatrix
    methods: tuple[str, ...]
    opponents: int
    exploiters: tuple[int, ...]
    seed: int


def _rates(plan: _Resampling, numbers: range) -> FloatArray:
    """The rates of the repeats with these numbers, shape (repeats, methods, exploiters)."""
    tests = max(plan.exploiters)
    rates = np.empty((len(numbers), len(plan.methods), len(plan.exploiters)))
    for row, number in enumerate(numbers):
        random = np.random.default_rng([plan.seed, number])
        drawn = split(plan.matrix, plan.opponents, tests, random)
        rates[row] = _scores(plan, drawn, random, partial(exploited, exploiters=plan.exploiters))
    return rates


def _fold(plan: _Resampling, fold: Seeds) -> FloatArray:
    """The rates against the seeds of a fold, shape (methods, exploiters); exact means."""
    random = np.random.default_rng([plan.seed, *fold])
    others = random.permutation(np.setdiff1d(np.arange(plan.matrix.opponents), fold))
    learned = others[: plan.opponents]
    more = np.arange(plan.matrix.opponents, plan.matrix.own)
    drawn = Split(np.concatenate([learned, more]), learned, fold, fold)
    return _scores(plan, drawn, random, partial(_means, exploiters=plan.exploiters))


def _means(rates: Rates, exploiters: Sequence[int]) -> FloatArray:
    """The exact mean against each exploiter, who tries all seeds where there are fewer than K'."""
    most = len(rates.black)
    return np.array([expected_exploited(rates, min(tries, most)).rate for tries in exploiters])


def _scores(
    plan: _Resampling,
    drawn: Split,
    random: np.random.Generator,
    measure: Callable[[Rates], FloatArray],
) -> FloatArray:
    """The scores of methods that learn on one part and are measured on the other."""
    training = plan.matrix.select(drawn.own, drawn.opponents)
    as_black = plan.matrix.black[np.ix_(drawn.own, drawn.white_tests)]
    as_white = plan.matrix.white[np.ix_(drawn.black_tests, drawn.own)]
    ties = int(random.integers(MAX_SEED))
    portfolios = (parse_method(text).learn(training, ties) for text in plan.methods)
    return np.array([measure(against(each, as_black, as_white)) for each in portfolios])
