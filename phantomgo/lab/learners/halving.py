"""Successive halving: many seeds, and most of the games for those that win.

Every seed of either colour plays a few opponents. The better half continues and plays twice as
many, until the survivors have played all of them. This finds the best of thousands of seeds from a
small part of their matrix, in which the survivors have complete rows. Both factors can be changed.

Source: Karnin, Koren and Somekh, Almost Optimal Exploration in Multi-Armed Bandits (ICML 2013),
algorithm 1, with opponents in place of pulls: all seeds meet the same ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from phantomgo.game.points import Colour
from phantomgo.lab.learners.learner import Learner, Rounds, SeedTerms
from phantomgo.portfolio.exploiter import Portfolio
from phantomgo.portfolio.matrix import Cell

FIRST: Final = 16
"""Opponents of the first round."""


class Survivors(NamedTuple):
    """The seeds of each colour that continue: ascending, and equally many per colour."""

    black: tuple[int, ...]
    white: tuple[int, ...]


def sizes(
    own: int, opponents: int, first: int = FIRST, keep: int = 2, more: int = 2
) -> Iterator[tuple[int, int]]:
    """The number of seeds in a round, and of opponents that each has met by its end."""
    met = min(first, opponents)
    yield own, met
    while met < opponents:
        own, met = max(1, own // keep), min(more * met, opponents)
        yield own, met


@dataclass
class Halving(Learner):
    """The learner.

    Attributes:
        first: opponents in the first round.
        keep: one seed in this many continues.
        more: the factor by which opponents grow from round to round.
        k: the number of survivors per colour, those that won most, in the uniform portfolio.
        survivors: the seeds of each colour that played in the last completed round.
        opponents: the number of opponents they have met.
    """

    terms: SeedTerms
    first: int = FIRST
    keep: int = 2
    more: int = 2
    k: int = 1

    def __post_init__(self) -> None:
        terms, everyone = self.terms, tuple(range(self.terms.own))
        self._sizes = tuple(sizes(terms.own, terms.opponents, self.first, self.keep, self.more))
        self.survivors, self.opponents = Survivors(everyone, everyone), 0
        self._wins = np.zeros((2, terms.own))

    def rounds(self) -> Rounds:
        for number, meeting in self._sizes:
            playing = Survivors(*(self._best(colour, number) for colour in Colour))
            games = list(_games(playing, range(self.opponents, meeting)))
            won = (yield games).reshape(meeting - self.opponents, -1)
            self._wins[0, list(playing.black)] += won[:, :number].sum(0)
            self._wins[1, list(playing.white)] += (1 - won[:, number:]).sum(0)
            self.survivors, self.opponents = playing, meeting

    def ends(self) -> Iterator[int]:
        asked = met = 0
        for number, meeting in self._sizes:
            asked, met = asked + 2 * number * (meeting - met), meeting
            yield asked

    def portfolio(self) -> Portfolio:
        shares = np.zeros(self._wins.shape)
        for colour, share in zip(Colour, shares, strict=True):
            best = self._best(colour, min(self.k, len(self.survivors.black)))
            share[list(best)] = 1 / len(best)
        return Portfolio(*shares)

    def _best(self, colour: Colour, number: int) -> tuple[int, ...]:
        """The survivors that won most; ties go to the lower seed."""
        wins, seeds = self._wins[colour - 1], self.survivors[colour - 1]
        order = sorted(seeds, key=lambda seed: (-wins[seed], seed))
        return tuple(sorted(order[:number]))


def _games(playing: Survivors, opponents: range) -> Iterator[Cell]:
    """Black's and White's survivors against one opponent after the other."""
    for opponent in opponents:
        yield from ((seed, opponent) for seed in playing.black)
        yield from ((opponent, seed) for seed in playing.white)
