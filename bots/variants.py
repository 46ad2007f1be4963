"""`variants:SPEC|SPEC|...`: one of several bots, whichever the seed says.

So what is learned of its seeds is a portfolio over bots and their seeds at once: variants of a
program are its seeds, too (St-Pierre et al., Automatically Reinforcing a Game AI, section IV-B).
Where seeds differ little, as on large boards, variants may differ more.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from bots.arms import VARIANTS, variants
from bots.decision import Decision
from bots.spec import Bot, Make
from phantomgo.errors import BadText
from phantomgo.points import Move, Point
from phantomgo.rng import MAX_SEED
from phantomgo.view import View


@dataclass(frozen=True)
class Variants(Bot):
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
        return VARIANTS + "|".join(bot.name for bot in self.bots)

    @property
    def pure(self) -> bool:
        return all(bot.pure for bot in self.bots)

    @property
    def foreign(self) -> bool:
        return any(bot.foreign for bot in self.bots)

    def within(self, times: int) -> Self:
        return replace(self, bots=tuple(bot.within(times) for bot in self.bots))

    def data(self) -> Mapping[str, str]:
        return {what: digest for bot in self.bots for what, digest in bot.data().items()}

    def propose(self, view: View) -> Move:
        return self.playing.propose(view)

    def propose_within(self, view: View, seconds: float) -> Move:
        return self.playing.propose_within(view, seconds)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        return replace(self.playing.decide(view, seconds), bot=self)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        return self.playing.stone_shares(view)

    def warm_up(self, size: int) -> None:
        self.playing.warm_up(size)


def make_variants(spec: str, seed: int, make: Make) -> Variants:
    """The bot of a spec `variants:...`.

    Raises:
        BadText: the seed is out of range, or a variant is no bot that can be one.
    """
    if not 0 <= seed <= MAX_SEED:
        raise BadText(f"seed {seed} is not from 0 to {MAX_SEED}")
    specs = variants(spec)
    return Variants(seed, tuple(make(one, seed // len(specs)) for one in specs))
