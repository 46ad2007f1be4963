"""All learners at equal games, or at equal processor time, off one recorded matrix.

The seeds are dealt into folds. A learner has the games of all other seeds to ask for, and what it
ends with after a number of games is measured against the seeds of the fold, of which it has never
asked.
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
"""Games of the first column; each has four times as many as the one before, as in Fast seeds."""
EXPLOITERS: Final = (1, 16)
FRESH: Final = 20
"""Seeds of a fold, at least."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The results of learners at several numbers of games.

    Attributes:
        own: the seeds of each colour that they learn on.
        learners: the rows.
        budgets: the columns: how many games a learner may ask for; or seconds, if `price` is set.
        exploiters: the K' of the opponents.
        rates: winning rates on fresh seeds, shape (deals, folds, learners, budgets, exploiters).
        games: how many different games were asked for, shape (deals, folds, learners, budgets).
        seconds: of processor time that the learner itself took, in the same shape.
        price: seconds of processor time that a game takes, which counts as well.
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
        """The standard error of the mean, for the luck of which seeds there are.

        The folds of one deal share no test seed; several deals share them all, so they tell no
        more of it.
        """
        deals = self.rates.std(axis=1, ddof=1) / np.sqrt(self.rates.shape[1])
        error: FloatArray = deals.mean(axis=0)
        return error


def budgets_of(own: int) -> tuple[int, ...]:
    """800 games, four times as many and so on, and finally the whole matrix."""
    return (*_quadrupled(own**2), own**2)


def folds_of(matrix: SeedMatrix, exploiters: Sequence[int]) -> int:
    """Into how many folds the seeds are dealt.

    Raises:
        BadText: there are too few seeds, or others of one side than of the other.
    """
    most = max(exploiters)
    number = matrix.opponents // max(FRESH, most)
    if matrix.own != matrix.opponents or number < 2:
        raise BadText(
            f"{matrix.own} x {matrix.opponents} seeds are not a square matrix that can be split"
            f" into folds for an exploiter with K'={most}"
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
    """Have learners learn from one large square matrix, with the same budgets.

    Args:
        matrix: all the results there are.
        learners: texts for `parse_learner`; their `games` are the budgets.
        budgets: how many games each may ask for; None for `budgets_of`. With a price, as many
            seconds of processor time as these games take.
        price: seconds of processor time for a game; None to count games.
        noise: the chance that a result which is learned from is the wrong one.
        exploiters: the K' to test.
        deals: how often the seeds are dealt into folds.
        seed: makes the deals and the learners' draws.
        spread: computes a function of what is shared and of each item, wherever.
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
