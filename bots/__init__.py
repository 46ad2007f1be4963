"""Players. Each sees a view and has a seed, nothing else; one file is one idea.

`BOTS` is the table of names; `make(spec, seed)` builds a bot from its spec. A spec `book:NAME`
names a bot of that table driven by a book.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bots.flatmc import FlatMC
from bots.hybrid import Hybrid
from bots.imperfect import Imperfect
from bots.mcts import MCTS
from bots.phantom import Phantom
from bots.random_bot import RandomBot
from bots.seeded import make_seeded
from bots.spec import Bot, build, parameters
from bots.twolevel import TwoLevel
from phantomgo.portfolio.book import parse_spec

__all__ = ["BOTS", "Bot", "make", "parameters"]

BOTS: Final[Mapping[str, type[Bot]]] = MappingProxyType(
    {bot.kind: bot for bot in (RandomBot, FlatMC, Phantom, Imperfect, TwoLevel, Hybrid, MCTS)}
)


def make(spec: str, seed: int) -> Bot:
    """The bot that a spec names (`flatmc:playouts=1000`), playing this seed.

    Raises:
        phantomgo.errors.BadText: no such bot or parameter, or a value out of range.
        phantomgo.errors.BadBook: no such book, or its bot has changed since it was learned.
    """
    played = parse_spec(spec)
    if played is not None:
        return make_seeded(spec, played, seed, make)
    return build(spec, BOTS, seed)
