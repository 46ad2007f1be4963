"""Bots whose names are not in the table: of books, bots that learn online, and foreign ones."""

import shutil
from collections.abc import Mapping
from typing import Final

from bots import naming
from bots.book import make_book
from bots.foreign import installed, make_foreign
from bots.naming import BookSpec, BotSpec, EngineSpec, OnlineSpec
from bots.spec import Bot, Make
from phantomgo.errors import BadText

FORMER: Final = {
    "champion": "is called phantom now",
    "opening": "is gone since version 0.5: book:BOOK plays a book of moves",
    "variants": "is gone since version 0.5: lines of a book may name different bots",
}
"""Former names of bots, each with what became of it."""


def make_other(
    text: str, seed: int, own: Mapping[str, object], make: Make, make_installed: Make
) -> Bot:
    """The bot of a spec whose name is not in `own`, the table of our bots.

    `make` makes the bots behind it, and `make_installed` those of a book that may not run a module.

    Raises:
        BadText: no such bot or parameter, or a value out of range.
        BadBook: no such book, or its bot has changed since it was learned.
    """
    match naming.parse(text):
        case BookSpec() as spec:
            return make_book(text, spec, seed, make if spec.code else make_installed)
        case OnlineSpec() as spec:
            from bots.online import make_online  # noqa: PLC0415  (sqlite, seldom needed)

            return make_online(spec, seed, make)
        case BotSpec(name, tail):
            return make_foreign(name, _place(name, own), tail, seed)
        case EngineSpec():
            raise BadText(f"{text[:60]} is an engine, not a bot")


def _place(head: str, own: Mapping[str, object]) -> str:
    """The place of a foreign bot's class, `MODULE:CLASS`."""
    former = head.partition(":")[0]
    if former in FORMER:
        raise BadText(f"the bot {former} {FORMER[former]}")
    if ":" in head:
        return head
    offered = installed(own)
    if head not in offered:
        known = ", ".join([*sorted(own), *offered])
        program = shutil.which(head) and (f"{head} --mode gtp" if head == "gnugo" else head)
        raise BadText(
            f"no bot {head[:40]!r}; there are {known}, the levels {', '.join(naming.LEVELS)}, and"
            f" MODULE:CLASS is anyone's; where engines may play, one is"
            f" 'gtp:{program or 'COMMAND LINE'}'"
        )
    return offered[head]
