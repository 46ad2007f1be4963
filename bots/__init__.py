"""Players. Each sees a view and has a seed, nothing else; one file is one idea.

`BOTS` is the table of names; `make(spec, seed)` builds a bot from its spec. A spec `book:NAME`
names a bot driven by a book; any other name is a foreign bot's (bots/others.py).
"""

from typing import Final

from bots.spec import Bot, Table, build, parameters

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
    if spec.partition(":")[0] in BOTS:
        return build(spec, BOTS, seed)
    from bots.others import make_other  # noqa: PLC0415  (it needs this module, and time)

    return make_other(spec, seed)


def make_installed(spec: str, seed: int) -> Bot:
    """The same, but only of bots that are installed, as ours are: for specs found in files.

    Raises:
        phantomgo.errors.BadText: as `make`, and if the spec names a module.
        phantomgo.errors.BadBook: as `make`.
    """
    if spec.partition(":")[0] not in BOTS:
        from bots.others import refuse_module  # noqa: PLC0415

        refuse_module(spec)
    return make(spec, seed)
