"""Players. Each sees a view and has a seed, nothing else; one file is one idea.

`BOTS` is the table of names; `make(spec, seed)` builds a bot from its spec. A spec `book:NAME`
names a bot of that table driven by a book.
"""

from typing import Final

from bots.seeded import make_seeded, parse_book_spec
from bots.spec import Bot, Table, build, parameters

__all__ = ["BOTS", "Bot", "make", "parameters"]

BOTS: Final = Table(
    {
        "random": "bots.random_bot:RandomBot",
        "flatmc": "bots.flatmc:FlatMC",
        "phantom": "bots.phantom:Phantom",
        "imperfect": "bots.imperfect:Imperfect",
        "twolevel": "bots.twolevel:TwoLevel",
        "hybrid": "bots.hybrid:Hybrid",
        "mcts": "bots.mcts:MCTS",
    }
)


def make(spec: str, seed: int) -> Bot:
    """The bot that a spec names (`flatmc:playouts=1000`), playing this seed.

    Raises:
        phantomgo.errors.BadText: no such bot or parameter, or a value out of range.
        phantomgo.errors.BadBook: no such book, or its bot has changed since it was learned.
    """
    book = parse_book_spec(spec)
    if book is not None:
        return make_seeded(spec, book, seed, make)
    return build(spec, BOTS, seed)
