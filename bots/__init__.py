"""Players. Each sees a view and has a seed, nothing else; one file is one idea.

`BOTS` is the table of names; `make(spec, seed)` builds a bot from its spec. A spec `book:NAME`
names a bot driven by a book; any other name is a foreign bot's (bots/foreign.py).
"""

from typing import Final

from bots.foreign import foreign_class, installed, names_module, split_foreign
from bots.seeded import make_seeded, parse_book_spec
from bots.spec import Bot, Table, build, built, parameters
from phantomgo.errors import BadText

__all__ = ["BOTS", "Bot", "make", "make_installed", "parameters"]

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

    A spec `MODULE:CLASS` runs that module's code, so it has to come from whoever sits at this
    machine; `make_installed` is for others.

    Raises:
        phantomgo.errors.BadText: no such bot or parameter, or a value out of range.
        phantomgo.errors.BadBook: no such book, or its bot has changed since it was learned.
    """
    book = parse_book_spec(spec)
    if book is not None:
        return make_seeded(spec, book, seed, make if book.code else make_installed)
    if spec.partition(":")[0] in BOTS:
        return build(spec, BOTS, seed)
    head, tail = split_foreign(spec)
    return built(foreign_class(head, _place(head)), head, tail, seed)


def make_installed(spec: str, seed: int) -> Bot:
    """The same, but only of bots that are installed, as ours are: for specs found in files.

    Raises:
        phantomgo.errors.BadText: as `make`, and if the spec names a module.
        phantomgo.errors.BadBook: as `make`.
    """
    book = parse_book_spec(spec)
    if book is None and spec.partition(":")[0] not in BOTS and names_module(spec):
        raise BadText(f"{spec[:60]} is a module's bot, whose code is run only where you say so")
    return make(spec, seed)


def _place(head: str) -> str:
    """Where the class of a foreign bot is."""
    if ":" in head:
        return head
    offered = installed(BOTS)
    if head not in offered:
        known = ", ".join([*sorted(BOTS), *offered])
        raise BadText(f"no bot {head[:40]!r}; there are {known}, and MODULE:CLASS is anyone's")
    return offered[head]
