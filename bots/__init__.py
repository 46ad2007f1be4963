"""Players. Each sees a view and has a seed, nothing else; one file is one idea.

`BOTS` is the table of names; `make(spec, seed)` builds a bot from its spec.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bots.flatmc import FlatMC
from bots.random_bot import RandomBot
from bots.spec import Bot, build, parameters

__all__ = ["BOTS", "Bot", "make", "parameters"]

BOTS: Final[Mapping[str, type[Bot]]] = MappingProxyType(
    {bot.kind: bot for bot in (RandomBot, FlatMC)}
)


def make(spec: str, seed: int) -> Bot:
    """The bot that a spec names (`flatmc:playouts=1000`), playing this seed.

    Raises:
        phantomgo.errors.BadText: no such bot or parameter, or a value out of range.
    """
    return build(spec, BOTS, seed)
