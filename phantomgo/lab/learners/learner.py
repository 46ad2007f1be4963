"""Learners: which games to ask for next, given those that are known, and the mixture they end with.

Every way to learn a portfolio is one of these: the whole matrix, halving, the bandits, the
sublinear algorithm, double oracle. `Learning` has the games of any of them played by the one loop;
`recorded` looks them up in a matrix instead.
"""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from time import process_time
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.lab.run.study import MANY
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Cell, SeedMatrix, black_won

Won: TypeAlias = NDArray[np.bool_]
Rounds: TypeAlias = Generator[Sequence[Cell], Won, None]
"""Yields the games of a round, and is sent which of them Black won."""


class Learner(Protocol):
    """Learns over own seeds 0 to K - 1 of each colour."""

    def rounds(self) -> Rounds:
        """The games it asks for. Those of a round are played in any order, or all at once."""

    def portfolio(self) -> Portfolio:
        """The portfolio after the finished rounds: shape (K,) for each colour."""


class Ended(NamedTuple):
    """A learner's portfolio.

    Attributes:
        portfolio: it.
        games: the number of different games it was learned from.
        seconds: of processor time to choose them and to mix the seeds.
    """

    portfolio: Portfolio
    games: int
    seconds: float


class Terms(NamedTuple):
    """The terms that a learner is given.

    Attributes:
        own: how many seeds of each colour it may choose from.
        opponents: how many of each colour it may let them play, of those.
        seed: makes its draws.
    """

    own: int
    opponents: int
    seed: int = 0


class Learning:
    """A learner as a study: round after round, up to a number of games.

    Attributes:
        games: how many it may ask for; a round of more is not begun. It can be raised between runs.
        number: how many it has asked for.
        results: of the different games so far.
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
        """True if the learner asks for nothing more."""
        return not self._todo

    def round(self) -> set[Cell]:
        """The games of this round that have not been asked for."""
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
        learner: it, not begun.
        matrix: of all its seeds against each other.
        budgets: numbers of games it may ask for, ascending; or seconds, if a game has a price.
        price: seconds of processor time that a different game takes; what the learner computes
            counts too, so that two measurements differ.

    Yields:
        For each budget what it has come to, by the rounds that are over by then.
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
