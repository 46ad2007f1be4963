"""SPSA: moves the weights along a random direction, by the games of players on either side.

Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation (1992), with the gain sequences of his Implementation of the simultaneous perturbation
algorithm (1998). Stockfish is tuned this way: a step takes two players, however many weights there
are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from bots.nets import CANDIDATES, read_net
from bots.phantom import Phantom
from phantomgo.lab.teaching.outcomes import Meeting, Player, won
from phantomgo.lab.teaching.taught import Weights
from phantomgo.lab.teaching.terms import NAMES, tuned
from phantomgo.rng import Stream, mix

RATE: Final = 2.0
"""The first step if one side wins every game, in units of each weight."""
MOVES: Final = 0.602
"""The exponent with which gains decay (Spall's alpha)."""
TRIES: Final = 0.101
"""The exponent with which perturbations decay (Spall's gamma)."""
SETTLING: Final = 3
"""Spall's stability constant, about a tenth of the steps."""


@dataclass(frozen=True)
class Spsa:
    """Teaches the weights `terms.NAMES`, each in units of its own.

    Attributes:
        bot: the initial player, who has a judge.
        seed: the seed of the directions.
    """

    names: ClassVar[Sequence[str]] = NAMES
    start: ClassVar[Weights] = (0.0,) * len(NAMES)
    contest: ClassVar[type[Meeting]] = Meeting
    bot: Phantom
    seed: int

    @property
    def terms(self) -> Mapping[str, object]:
        return {"teacher": "spsa", "weights": [*NAMES], "rate": RATE}

    def player(self, weights: Weights) -> Player:
        bot, judge = tuned(self.bot, read_net(self.bot.judge, CANDIDATES), weights)
        return Player(bot.name, judge)

    def meeting(self, weights: Weights, number: int) -> tuple[Player, tuple[Player, ...]]:
        """The players one perturbation along the direction of a step, and against it."""
        direction, size = self._direction(number), number**-TRIES
        forth, back = (
            tuple(w + sign * size * d for w, d in zip(weights, direction, strict=True))
            for sign in (1, -1)
        )
        return self.player(forth), (self.player(back),)

    def moved(self, weights: Weights, number: int, results: Sequence[str]) -> Weights:
        gain = RATE * ((1 + SETTLING) / (number + SETTLING)) ** MOVES * number**TRIES
        lead = 2 * sum(map(won, results)) / len(results) - 1
        pairs = zip(weights, self._direction(number), strict=True)
        return tuple(weight + gain * lead * sign for weight, sign in pairs)

    def _direction(self, number: int) -> Sequence[int]:
        """A sign for each weight."""
        stream = Stream(mix(mix(self.seed) ^ number))
        return [2 * stream.below(2) - 1 for _ in NAMES]
