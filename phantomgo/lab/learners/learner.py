"""The interface of learners, and the study that has the loop play their games.

A learner chooses its games: successive halving, UCB, and double oracle on rates.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.game.outcome import black_score
from phantomgo.game.symmetry import IDENTITY, Symmetry
from phantomgo.lab.run.study import MANY
from phantomgo.portfolio.evaluation import RateEquilibrium
from phantomgo.portfolio.exploiter import Portfolio, Rates
from phantomgo.portfolio.matrix import Cell

Scores: TypeAlias = NDArray[np.float64]
"""Black's scores: 1 for a win, 1/2 for a draw, else 0."""
Place: TypeAlias = int | None
"""A seed or line by its number; None for the bot without a line."""
Rounds: TypeAlias = Generator[Sequence[Cell], Scores, None]
"""Yields the games of a round and receives Black's scores in them."""


class SeedTerms(NamedTuple):
    """The terms of a learner.

    Attributes:
        own: own seeds per colour that it may choose from.
        opponents: how many of them may be used as opponents.
        seed: the seed of its draws.
        turns: the symmetries of the board that keep the beginning of a game.
    """

    own: int
    opponents: int
    seed: int = 0
    turns: tuple[Symmetry, ...] = (IDENTITY,)


class Learner(ABC):
    """Learns over own seeds 0 to K - 1 of each colour.

    Attributes:
        terms: the seeds.
        equilibrium: how well the equilibrium is known, for lines that have win rates; else None.
    """

    terms: SeedTerms
    equilibrium: RateEquilibrium | None = None

    @property
    def lines(self) -> tuple[Sequence[Place], Sequence[Place]]:
        """The seeds or lines that Black and White may play."""
        return (range(self.terms.own),) * 2

    @abstractmethod
    def rounds(self) -> Rounds:
        """Generate the games to play; those of a round may be played in any order."""

    @abstractmethod
    def portfolio(self) -> Portfolio:
        """The portfolio after the completed rounds: a distribution over `lines` of each colour."""

    def ends(self) -> Iterator[int]:
        """The cumulative number of games at the end of each round, if known in advance."""
        return iter(())

    def secured(self, results: Mapping[Cell, str]) -> Rates:
        """The portfolio's rates against each opponent; games that were not played count as lost."""
        portfolio = self.portfolio()
        rates = Rates(*np.zeros((2, self.terms.opponents)))
        for (i, j), result in results.items():
            score = black_score(result)
            if j < self.terms.opponents:
                rates.black[j] += score * portfolio.black[i]
            if i < self.terms.opponents:
                rates.white[i] += (1 - score) * portfolio.white[j]
        return rates


class Learning:
    """A learner as a study: round after round, up to a number of games.

    Attributes:
        limit: the largest number of games; a round that would exceed it is not begun. May be raised
            between runs.
        asked: the number of games asked for.
        results: the results of the different games so far.
    """

    ahead = MANY
    settled = False

    def __init__(self, learner: Learner, limit: int) -> None:
        self.limit, self.asked = limit, 0
        self.results: dict[Cell, str] = {}
        self._rounds = learner.rounds()
        self._todo: deque[Cell] = deque(next(self._rounds, ()))
        self._size, self._won = len(self._todo), list[float]()

    @property
    def over(self) -> bool:
        """True if the learner has finished."""
        return not self._todo

    def ask(self) -> Cell | None:
        begins = len(self._todo) == self._size
        if not self._todo or (begins and self.asked + self._size > self.limit):
            return None
        self.asked += 1
        return self._todo.popleft()

    def tell(self, game: Cell, result: str) -> None:
        self.results[game] = result
        self._won.append(black_score(result))
        if len(self._won) == self._size:
            with suppress(StopIteration):
                self._todo.extend(self._rounds.send(np.array(self._won)))
            self._size, self._won = len(self._todo), []
