"""The interface of learners, and two ways to run one.

Every way to learn a portfolio is a learner: the whole matrix, halving, the bandits, the sublinear
algorithm, double oracle. `Learning` is a learner as a study, whose games the loop plays; `recorded`
looks them up in a matrix.
"""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from math import ceil
from time import process_time
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.lab.run.study import MANY
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Cell, SeedMatrix, black_won

Won: TypeAlias = NDArray[np.bool_]
Rounds: TypeAlias = Generator[Sequence[Cell], Won, None]
"""Yields the games of a round; receives which of them Black won."""


class Learner(Protocol):
    """Learns over own seeds 0 to K - 1 of each colour."""

    def rounds(self) -> Rounds:
        """Generate the games it asks for; those of a round may be played in any order."""

    def portfolio(self) -> Portfolio:
        """The portfolio after the completed rounds: shape (K,) for each colour."""


class Ended(NamedTuple):
    """A learner's portfolio.

    Attributes:
        portfolio: the mixture of each colour.
        games: the number of different games it was learned from.
        seconds: processor time for choosing games and mixing seeds.
    """

    portfolio: Portfolio
    games: int
    seconds: float


class Terms(NamedTuple):
    """The terms of a learner.

    Attributes:
        own: own seeds per colour that it may choose from.
        opponents: how many of them may be opponents.
        seed: the seed of its draws.
    """

    own: int
    opponents: int
    seed: int = 0


def open_seeds(own: int, games: int, widening: float, root: int) -> int:
    """The number of seeds that are open after some games: C games^(1 / root), all if C is 0."""
    return min(own, ceil(widening * max(1, games) ** (1 / root))) if widening else own


class Learning:
    """A learner as a study: round after round, up to a number of games.

    Attributes:
        games: the most it may ask for; a round that exceeds it is not begun. May be raised between
            runs.
        number: the number it has asked for.
        results: the results of the different games so far.
    """

    ahead = MANY
    settled = False

    def __init__(self, learner: Learner, games: int) -> None:
        self.games, self.number = games, 0
        self.results: dict[Cell, str] = {}
        self._rounds = learner.rounds()
        self._todo: deque[Cell] = deque(next(self._rounds, ()))
        self._size, self._won = len(self._todo), list[bool]()

    @property
    def over(self) -> bool:
        """True if the learner has finished."""
        return not self._todo

    def round(self) -> set[Cell]:
        """The games of this round that have not been asked for yet."""
        return set(self._todo)

    def ask(self) -> Cell | None:
        begins = len(self._todo) == self._size
        if not self._todo or (begins and self.number + self._size > self.games):
            return None
        self.number += 1
        return self._todo.popleft()

    def tell(self, game: Cell, result: str) -> None:
        self.results[game] = result
        self._won.append(black_won(result))
        if len(self._won) == self._size:
            with suppress(StopIteration):
                self._todo.extend(self._rounds.send(np.array(self._won)))
            self._size, self._won = len(self._todo), []


def recorded(
    learner: Learner, matrix: SeedMatrix, budgets: Sequence[float], price: float | None = None
) -> Iterator[Ended]:
    """A learner's portfolios at several budgets, its games looked up in a square matrix.

    Args:
        learner: a learner that has not begun.
        matrix: the results of all its seeds against each other.
        budgets: numbers of games it may ask for, ascending; seconds if `price` is given.
        price: seconds of processor time per different game. The learner's own time counts too, so
            repeated measurements differ.

    Yields:
        For each budget the portfolio after the rounds completed within it.
    """
    began = process_time()
    rounds, known = learner.rounds(), np.zeros_like(matrix.black, dtype=bool)
    asked, round_ = 0, list(next(rounds, ()))
    for budget in budgets:
        while round_:
            cells, then = tuple(np.array(round_).T), asked + len(round_)
            if price is not None:
                new = {game for game in round_ if not known[game]}
                spent = price * (int(known.sum()) + len(new)) + process_time() - began
            if (then if price is None else spent) > budget:
                break
            asked, known[cells] = then, True
            try:
                round_ = list(rounds.send(matrix.black[cells] == 1))
            except StopIteration:
                round_ = []
        portfolio = learner.portfolio()
        yield Ended(portfolio, int(known.sum()), process_time() - began)
