"""PSRO and anytime PSRO: populations that grow by approximate best responses.

Each colour has a population of seeds. Other seeds, drawn at random, play the opponent's
population, and the best of them join. PSRO mixes each population by the equilibrium between the
two, and the best response to the opponent's mixture joins.

Anytime PSRO mixes a population to be least exploitable: by its equilibrium against the opponent's
population *and* the seeds that have been tried, of which the one that the opponent plays most
joins theirs. Each mixture is therefore safe against everything that its opponent has. If all seeds
are tried, its exploitability never rises from round to round.

Double oracle (oracle.py) is PSRO in which all seeds are tried and many are added at once.

Sources: Lanctot et al., A unified game-theoretic approach to multiagent reinforcement learning
(NIPS 2017); McAleer, Wang, Lanier, Lanctot, Baldi, Sandholm and Fox, Anytime PSRO for two-player
zero-sum games (2022).
"""

from abc import ABC, abstractmethod
from itertools import chain

import numpy as np

from phantomgo.lab.learners.learner import Rounds, Terms
from phantomgo.lab.learners.lines import Lines
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Seeds
from phantomgo.portfolio.nash import TOLERANCE, FloatArray, solve


class Populations(ABC):
    """A learner with a population of each colour, until all seeds have been tried in vain.

    What is in a population and how it grows is up to `_seeds` and `_grow`.
    """

    def __init__(self, terms: Terms, tries: int) -> None:
        """Try this many seeds of each colour at once; all of them for 0."""
        self._own, self._tries = terms.own, min(tries or terms.own, terms.own)
        random = np.random.default_rng(terms.seed)
        self._queues: list[Seeds] = [random.permutation(terms.own) for _ in range(2)]
        self._lines = Lines(terms.own)

    def rounds(self) -> Rounds:
        barren, won = 0, self._lines.won
        while barren < self._own:
            tried = [queue[: self._tries].tolist() for queue in self._queues]
            self._queues = [np.roll(queue, -self._tries) for queue in self._queues]
            black, white = (seeds.tolist() for seeds in self._seeds())
            pairs = ((black, white), (tried[0], white), (black, tried[1]))
            missing = chain.from_iterable(self._lines.missing_between(*pair) for pair in pairs)
            if games := list(dict.fromkeys(missing)):
                self._lines.learn(games, (yield games))
            # Those who have played the whole population of the opponent, its members among them.
            played = (won[:, white] != 0).all(axis=1), (won[black] != 0).all(axis=0)
            barren = 0 if self._grow(*map(np.flatnonzero, played)) else barren + self._tries

    @abstractmethod
    def _seeds(self) -> list[Seeds]:
        """The seeds of each population."""

    @abstractmethod
    def _grow(self, black: Seeds, white: Seeds) -> bool:
        """Mix the populations and let answers of these seeds join; return False if none did."""


class Psro(Populations):
    """The learner.

    Attributes:
        members: the population of each colour, Black's first.
    """

    def __init__(self, terms: Terms, *, tries: int, anytime: bool) -> None:
        """Begin with one seed of each colour.

        Args:
            terms: the seeds.
            tries: seeds of each colour that are tried at once; 0 for all.
            anytime: whether the mixture is the least exploitable one.
        """
        super().__init__(terms, tries)
        self._anytime = anytime
        self.members: list[Seeds] = [queue[:1] for queue in self._queues]
        self._mixtures: list[FloatArray] = [np.ones(1), np.ones(1)]

    def portfolio(self) -> Portfolio:
        found = np.zeros((2, self._own))
        for shares, members, mixture in zip(found, self.members, self._mixtures, strict=True):
            shares[members[: len(mixture)]] = mixture  # those who have just joined are not in it
        return Portfolio(*found)

    def _seeds(self) -> list[Seeds]:
        return self.members

    def _grow(self, black: Seeds, white: Seeds) -> bool:
        mix = self._anytime_mix if self._anytime else self._nash_mix
        better = mix(black, white)
        joined = zip(self.members, better, strict=True)
        self.members = [np.append(members, seed) for members, seed in joined]
        return any(map(len, better))

    def _nash_mix(self, *known: Seeds) -> list[Seeds]:
        """Mix by the equilibrium of the populations; return the best responses that join."""
        won, (black, white) = self._lines.won, self.members
        found = solve(won[np.ix_(black, white)])
        self._mixtures = [found.rows, found.columns]
        rates = (
            won[np.ix_(known[0], white)] @ found.columns,
            -found.rows @ won[np.ix_(black, known[1])],
        )
        values = found.value, -found.value
        return [
            seeds[[side.argmax()]] if side.max() > value + TOLERANCE else seeds[:0]
            for seeds, side, value in zip(known, rates, values, strict=True)
        ]

    def _anytime_mix(self, *known: Seeds) -> list[Seeds]:
        """Mix each population against all known seeds; return the opponents' answers."""
        won, (black, white) = self._lines.won, self.members
        value = solve(won[np.ix_(black, white)]).value
        as_black, as_white = (
            solve(won[np.ix_(black, known[1])]),
            solve(won[np.ix_(known[0], white)]),
        )
        self._mixtures = [as_black.rows, as_white.columns]
        answers = [
            known[0][[_heaviest(as_white.rows, known[0], black)]],
            known[1][[_heaviest(as_black.columns, known[1], white)]],
        ]
        worse = as_white.value - value, value - as_black.value
        return [
            answer if lost > TOLERANCE else answer[:0]
            for answer, lost in zip(answers, worse, strict=True)
        ]


def _heaviest(mixture: FloatArray, seeds: Seeds, members: Seeds) -> int:
    """The place of the seed that is played most, of those that are not members."""
    return int(np.where(np.isin(seeds, members), -1.0, mixture).argmax())
