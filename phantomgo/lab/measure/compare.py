"""Comparing learners at equal games or equal processor time, on one recorded matrix.

The seeds are dealt into folds. A learner may ask for the games of all other seeds, and its
portfolio after a number of games is measured against the held-out seeds of the fold.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from phantomgo.errors import BadText
from phantomgo.lab.learners.learner import Terms, recorded
from phantomgo.lab.learners.table import parse_learner
from phantomgo.portfolio.exploit import Spread, here
from phantomgo.portfolio.exploiter import against, expected_exploited
from phantomgo.portfolio.matrix import SeedMatrix, Seeds
from phantomgo.portfolio.nash import FloatArray

LEARNERS: Final = (
    "uniform",
    "bestseed",
    "besthalf",
    "topk:k=16",
    "besttop",
    "sparse",
    "nash",
    "bagged",
    "quantal",
    "halving",
    "halving:k=16",
    "ucb",
    "ucb:k=16",
    "exp3",
    "exp3:share=0.2",
    "exp3:widening=8",
    "sublinear",
    "oracle",
    "psro",
    "apsro",
    "selfplay",
    "window",
)
"""Each learner, and those that end with one seed once more with several."""
FEWEST: Final = 800
"""Games of the first budget; each further one is four times as large, as in Fast seeds."""
EXPLOITERS: Final = (1, 16)
FRESH: Final = 20
"""The fewest seeds in a fold."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of learners at several numbers of games.

    Attributes:
        own: training seeds per colour.
        learners: the rows.
        budgets: the columns: games that a learner may ask for; seconds if `price` is set.
        exploiters: the K' of the opponents.
        rates: winning rates on fresh seeds, shape (deals, folds, learners, budgets, exploiters).
        games: different games that were asked for, shape (deals, folds, learners, budgets).
        seconds: processor time of the learner itself, in the same shape.
        price: seconds of processor time per game, which count as well.
    """

    own: int
    learners: tuple[str, ...]
    budgets: tuple[float, ...]
    exploiters: tuple[int, ...]
    rates: FloatArray
    games: FloatArray
    seconds: FloatArray
    price: float | None

    @property
    def mean(self) -> FloatArray:
        """Shape (learners, budgets, exploiters)."""
        mean: FloatArray = self.rates.mean(axis=(0, 1))
        return mean

    @property
    def error(self) -> FloatArray:
        """The standard error of the mean, due to the choice of test seeds.

        The folds of one deal share no test seed. Further deals share them all, so they don't reduce
        this error.
        """
        deals = self.rates.std(axis=1, ddof=1) / np.sqrt(self.rates.shape[1])
        error: FloatArray = deals.mean(axis=0)
        return error


def budgets_of(own: int) -> tuple[int, ...]:
    """Budgets of 800 games, four times as many and so on, up to the whole matrix."""
    return (*_quadrupled(own**2), own**2)


def folds_of(matrix: SeedMatrix, exploiters: Sequence[int]) -> int:
    """The number of folds that the seeds are dealt into.

    Raises:
        BadText: there are too few seeds, or the sides have different seeds.
    """
    if not exploiters:
        raise BadText("exploiters is empty; name one K' at least")
    most = max(exploiters)
    number = matrix.opponents // max(FRESH, most)
    if matrix.own != matrix.opponents or number < 2:
        raise BadText(
            f"{matrix.own} x {matrix.opponents} seeds are not a square matrix that can be split"
            f" into folds for an exploiter with K'={most}, which takes {2 * max(FRESH, most)} seeds"
            " at least"
        )
    return number


def _quadrupled(below: int) -> list[int]:
    found = [FEWEST]
    while 4 * found[-1] < below:
        found.append(4 * found[-1])
    return [budget for budget in found if budget < below]


def compare(
    matrix: SeedMatrix,
    learners: Sequence[str] = LEARNERS,
    budgets: Sequence[float] | None = None,
    *,
    price: float | None = None,
    noise: float = 0.0,
    exploiters: Sequence[int] = EXPLOITERS,
    deals: int = 5,
    seed: int = 0,
    spread: Spread = here,
    advance: Callable[[int], None] = lambda _: None,
) -> Comparison:
    """Compare learners on one large square matrix, with the same budgets.

    Args:
        matrix: all recorded results.
        learners: specs for `parse_learner`; their `games` are the budgets.
        budgets: games each may ask for; None for `budgets_of`. With a price, the seconds of
            processor time that these games take.
        price: seconds of processor time per game; None to count games.
        noise: the probability that a result used for learning is wrong.
        exploiters: the K' to test.
        deals: how often the seeds are dealt into folds.
        seed: the seed of the deals and the learners' draws.
        spread: maps a function of shared data over items, on any workers.
        advance: called when a fold is done.

    Raises:
        BadText: a learner cannot be read or limits its own games, or there are too few seeds.
    """
    for chosen in map(parse_learner, learners):
        if chosen.games:
            raise BadText(f"{chosen.text}: how many games each may play is given for all alike")
    number = folds_of(matrix, exploiters)
    own = matrix.own - -(-matrix.own // number)
    asked = tuple(sorted(budgets or budgets_of(own)))
    if price is not None:
        asked = tuple(price * games for games in asked)
    plan = _Plan(matrix, tuple(learners), asked, tuple(exploiters), seed, own, price, noise)
    items = [
        (deal, fold)
        for deal in range(deals)
        for fold in np.array_split(_order(seed, deal, matrix.own), number)
    ]
    found = []
    for one in spread(_fold, plan, items):
        found.append(one)
        advance(1)
    rates = np.stack(found).reshape(deals, number, *found[0].shape)
    rates, games, seconds = rates[..., :-2], rates[..., -2], rates[..., -1]
    return Comparison(own, plan.learners, asked, plan.exploiters, rates, games, seconds, price)


class _Plan(NamedTuple):
    """The data that all folds share."""

    matrix: SeedMatrix
    learners: tuple[str, ...]
    budgets: tuple[float, ...]
    exploiters: tuple[int, ...]
    seed: int
    own: int
    price: float | None
    noise: float


def _order(seed: int, deal: int, number: int) -> Seeds:
    return np.random.default_rng([seed, deal]).permutation(number)


def _fold(plan: _Plan, item: tuple[int, Seeds]) -> FloatArray:
    """Rates, games and seconds without a fold: shape (learners, budgets, exploiters + 2)."""
    deal, fold = item
    others = np.setdiff1d(np.arange(plan.matrix.own), fold)
    random = np.random.default_rng([plan.seed, deal, *fold])
    learned = random.permutation(others)[: plan.own]
    wrong = random.random((plan.own, plan.own)) < plan.noise
    told = plan.matrix.black[np.ix_(learned, learned)] ^ wrong
    training = SeedMatrix(told, told)
    as_black = plan.matrix.black[np.ix_(learned, fold)]
    as_white = plan.matrix.black[np.ix_(fold, learned)]
    found = np.empty((len(plan.learners), len(plan.budgets), len(plan.exploiters) + 2))
    for row, text in enumerate(plan.learners):
        learner = parse_learner(text).make(Terms(plan.own, plan.own, plan.seed))
        ended = recorded(learner, training, plan.budgets, plan.price)
        for column, (portfolio, *spent) in enumerate(ended):
            rates = against(portfolio, as_black, as_white)
            tried = [expected_exploited(rates, exploiter).rate for exploiter in plan.exploiters]
            found[row, column] = [*tried, *spent]
    return found
