"""`variants:SPEC|SPEC|...`: one of several bots, chosen by the seed.

A portfolio learned over its seeds is therefore one over bots and their seeds: variants of a program
act as seeds too (St-Pierre et al., Automatically Reinforcing a Game AI, section IV-B). Where seeds
differ little, as on large boards, variants may differ more.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from bots.delegate import Delegate
from bots.naming import Head, VariantsSpec
from bots.spec import Bot, Make
from phantomgo.rng import checked_seed
from phantomgo.view import View


@dataclass(frozen=True)
class Variants(Delegate):
    """One of several bots.

    Attributes:
        bots: all of them, each with the seed that it would play.
    """

    kind: ClassVar[str] = "variants"
    bots: tuple[Bot, ...]

    @property
    def playing(self) -> Bot:
        """The one that plays."""
        return self.bots[self.seed % len(self.bots)]

    @property
    def name(self) -> str:
        return Head.VARIANTS + "|".join(bot.name for bot in self.bots)

    @property
    def players(self) -> tuple[Bot, ...]:
        return self.bots

    def player(self, view: View, seconds: float = math.inf) -> Bot:  # noqa: ARG002
        return self.playing

    def within(self, times: int) -> Self:
        return replace(self, bots=tuple(bot.within(times) for bot in self.bots))


def make_variants(spec: VariantsSpec, seed: int, make: Make) -> Variants:
    """The bot of a spec `variants:...`.

    Raises:
        BadText: the seed is out of range, or a variant is not a bot.
    """
    checked_seed(seed)
    number = len(spec.bots)
    return Variants(seed, tuple(make(one, seed // number) for one in spec.bots))
