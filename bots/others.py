"""Bots whose names are not in the table: of books, of several bots, and foreign ones."""

from typing import Final

from bots import BOTS, make, make_installed, naming
from bots.foreign import foreign_class, installed
from bots.naming import BookSpec, BotSpec, EngineSpec, OnlineSpec, OpeningSpec, VariantsSpec
from bots.opening import make_opening
from bots.seeded import make_seeded
from bots.spec import Bot, built
from bots.variants import make_variants
from phantomgo.errors import BadText

RENAMED: Final = {"champion": "phantom"}
"""Bots that had another name once."""


def make_other(text: str, seed: int) -> Bot:
    """The bot of a spec whose name is not in the table.

    Raises:
        BadText: no such bot or parameter, or a value out of range.
        BadBook: no such book, or its bot has changed since it was learned.
    """
    match naming.parse(text):
        case BookSpec() as spec:
            return make_seeded(text, spec, seed, make if spec.code else make_installed)
        case OnlineSpec() as spec:
            from bots.online import make_online  # noqa: PLC0415  (sqlite, seldom needed)

            return make_online(spec, seed, make)
        case OpeningSpec() as spec:
            return make_opening(spec, seed, make)
        case VariantsSpec() as spec:
            return make_variants(spec, seed, make)
        case BotSpec(name, tail):
            return built(foreign_class(name, _place(name)), name, tail, seed)
        case EngineSpec():
            raise BadText(f"{text[:60]} is an engine, not a bot")


def runs_module(text: str) -> bool:
    """True if a spec runs a module's code, itself, by an arm, or by allowing it to a book.

    Raises:
        BadText: an option of a book, or of a bot that learns or opens from one, is not one.
    """
    return any(map(_runs_module, map(naming.parse, naming.played_by(text))))


def _runs_module(spec: naming.Spec) -> bool:
    match spec:
        case BookSpec():
            return spec.code
        case OpeningSpec():
            return _runs_module(naming.parse(spec.bot))
        case BotSpec():
            return spec.of_module
        case _:
            return False


def _place(head: str) -> str:
    """The place of a foreign bot's class, `MODULE:CLASS`."""
    if ":" in head:
        return head
    if head in RENAMED:
        raise BadText(f"the bot {head} is called {RENAMED[head]} now")
    offered = installed(BOTS)
    if head not in offered:
        known = ", ".join([*sorted(BOTS), *offered])
        raise BadText(
            f"no bot {head[:40]!r}; there are {known}, and MODULE:CLASS is anyone's; where engines"
            " may play, one is 'gtp:COMMAND LINE'"
        )
    return offered[head]
