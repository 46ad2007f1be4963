"""Methods: from the results of seeds to a distribution over the seeds of each colour.

Each is a pure function of a seed matrix and of a number that breaks ties. `METHODS` is the table
of their names, `parse_method` reads a text such as `sparse:alpha=0.5`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.portfolio.exploiter import Portfolio, Rates, expected_exploited
from phantomgo.portfolio.matrix import Cells, SeedMatrix, Seeds
from phantomgo.portfolio.nash import FloatArray
from phantomgo.rng import ties_stream
from phantomgo.values import Choice, Keys, Number, Whole, kind_of, options_or_defaults, written

TOPS: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""The k that `besttop` chooses from."""
MAX_TOP: Final = 20_000
NEAR: Final = 0.02
"""The most that `besttop:aim=both` may lose against 16 tries, compared with the best k."""
FOLDS: Final = 4
DEALS: Final = 4
"""The number of times that `besttop` deals the opponents into parts."""

Learn: TypeAlias = Callable[[SeedMatrix, int], Portfolio]
"""A method: a matrix and a tie-breaking number to a portfolio."""


def uniform(matrix: SeedMatrix, _ties: int = 0) -> Portfolio:
    """Every seed with the same probability: the baseline (Fast seeds, algorithm 1)."""
    everywhere = np.full(matrix.own, 1 / matrix.own)
    return Portfolio(everywhere, everywhere)


def oneseed(matrix: SeedMatrix, ties: int = 0) -> Portfolio:
    """One seed per colour, drawn blindly: the baseline of CIG 2016, Table I.

    On average it scores like `uniform` against a fresh seed, but an opponent who tries K' seeds
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

    If at least half of the seeds tie for the best, so that none did, uniform over those.
    """
    return Portfolio(*(_better_half(wins) for wins in _strengths(matrix)))


def topk(matrix: SeedMatrix, _ties: int = 0, *, k: int) -> Portfolio:
    """The k seeds that won most, with equal probabilities; ties go to the lower seed.

    BestSeed is k = 1, besthalf about K/2. A broader mixture is harder to exploit, and so few
    numbers are fitted to the matrix that it hardly loses strength on fresh seeds.
    """
    return Portfolio(*(_of_best(order, k) for order in _orders(matrix)))


def besttop(matrix: SeedMatrix, ties: int = 0, *, aim: str, turned: str) -> Portfolio:
    """`topk` with the k that does best in a cross-validation within the matrix.

    With the eight symmetries of the board one seed plays like eight different players, so an eighth
    as many seeds are about as hard to exploit (docs/notes/as-played.md has figures).

    Args:
        matrix: the results.
        ties: deals the opponents into parts.
        aim: the K' to optimize for; `both`: of the k within NEAR of the best against 16 tries, the
            one that does best against one.
        turned: whether the portfolio is for play under symmetries.
    """
    k = _best_k(matrix, ties, aim)
    return topk(matrix, k=-(-k // len(SYMMETRIES)) if turned == "on" else k)


def _best_k(matrix: SeedMatrix, ties: int, aim: str) -> int:
    """The k of TOPS that does best when each part of the opponents is left out of learning once."""
    tops = np.array([k for k in TOPS if k <= matrix.own])
    random, total = np.random.default_rng(ties), np.zeros((len(tops), 2))
    for part in (part for _ in range(DEALS) for part in parts(matrix.opponents, random)):
        others = np.setdiff1d(np.arange(matrix.opponents), part)
        black, white = _orders(SeedMatrix(matrix.black[:, others], matrix.white[others]))
        as_black = _running_means(matrix.black[np.ix_(black, part)])[tops - 1]
        as_white = 1 - _running_means(matrix.white[np.ix_(part, white)].T)[tops - 1]
        for row, rates in enumerate(map(Rates, as_black, as_white)):
            total[row] += [expected_exploited(rates, min(n, len(part))).rate for n in (1, 16)]
    one, many = total.T / (DEALS * FOLDS)
    if aim == "both":
        one = np.where(many >= many.max() - NEAR, one, -1)
    return int(tops[(many if aim == "16" else one).argmax()])


def _running_means(rows: Cells) -> FloatArray:
    """The means of the first row, of the first two, and so on."""
    return np.asarray(rows.cumsum(axis=0, dtype=np.float64) / np.arange(1, len(rows) + 1)[:, None])


def parts(number: int, random: np.random.Generator) -> Iterator[Seeds]:
    """The numbers below `number` dealt into FOLDS parts, without those that would be empty."""
    deal = np.array_split(random.permutation(number), FOLDS)
    return filter(len, deal if number > 1 else ())


def nash(matrix: SeedMatrix, _ties: int = 0) -> Portfolio:
    """A Nash equilibrium (CIG 2016, algorithm 2; rectangular: Fast seeds, algorithm 1)."""
    black, white = matrix.equilibria
    return Portfolio(black.rows, white.columns)


def sparse(matrix: SeedMatrix, _ties: int = 0, *, alpha: float) -> Portfolio:
    """Nash without the seeds less probable than alpha times the likeliest (CIG 2016, algorithm 3).

    Probabilities that differ by rounding only count as equal.
    """
    return Portfolio(*(_sparsened(weights, alpha) for weights in nash(matrix)))


METHODS: Final[Mapping[str, Callable[..., Portfolio]]] = {
    "oneseed": oneseed,
    "uniform": uniform,
    "bestseed": bestseed,
    "besthalf": besthalf,
    "topk": topk,
    "besttop": besttop,
    "nash": nash,
    "sparse": sparse,
}

PARAMETERS: Final[Mapping[str, Keys]] = {
    "sparse": {"alpha": (0.75, Number(0.000001, 1, 6))},
    "topk": {"k": (16, Whole(1, MAX_TOP))},
    "besttop": {
        "aim": ("both", Choice(("1", "16", "both"))),
        "turned": ("off", Choice(("on", "off"))),
    },
}
"""The parameters of the methods that have some."""


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
    given = options_or_defaults(name, tail, PARAMETERS.get(name, {}))
    keys = ",".join(f"{key}={written(value)}" for key, value in given.items())
    return Method(f"{name}:{keys}" if keys else name, partial(METHODS[name], **given))


def learn_portfolio(matrix: SeedMatrix, method: str = "nash", ties: int = 0) -> Portfolio:
    """The distributions over the seeds of a matrix that a method learns.

    Args:
        matrix: the results.
        method: `nash`, `sparse:alpha=0.5`, `bestseed` and so on.
        ties: breaks the method's ties.

    Raises:
        BadText: there is no such method or parameter.
    """
    return parse_method(method).learn(matrix, ties)


def _strengths(matrix: SeedMatrix) -> tuple[FloatArray, FloatArray]:
    """Each own seed's wins: as Black over opponent White seeds, and as White over Black ones."""
    black = matrix.black.sum(axis=1, dtype=np.float64)
    white = matrix.opponents - matrix.white.sum(axis=0, dtype=np.float64)
    return black, white


def _orders(matrix: SeedMatrix) -> tuple[Seeds, Seeds]:
    """The own seeds of each colour, those that won most first."""
    black, white = (np.argsort(-wins, kind="stable") for wins in _strengths(matrix))
    return black, white


def _of_best(order: Seeds, k: int) -> FloatArray:
    """Uniform over the first k of an order."""
    shares = np.zeros(len(order))
    shares[order[:k]] = 1 / min(k, len(order))
    return shares


def _drawn_among_best(black: FloatArray, white: FloatArray, ties: int) -> Portfolio:
    """Probability 1 on one of the highest entries of each, drawn from the stream `ties`."""
    stream = ties_stream(ties)
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
    return np.asarray(chosen / chosen.sum())


def _sparsened(weights: FloatArray, alpha: float) -> FloatArray:
    kept = np.where(weights < alpha * weights.max() * (1 - 1e-9), 0.0, weights)
    return np.asarray(kept / kept.sum())
