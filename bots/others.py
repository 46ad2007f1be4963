"""Bots whose names are not in the table: of books, of several bots, and foreign ones."""

from bots import BOTS, make, make_installed
from bots.arms import VARIANTS, parse_online_spec, parse_opening_spec, played_by
from bots.foreign import foreign_class, installed, names_module, split_foreign
from bots.moves import make_opening
from bots.seeded import make_seeded, parse_book_spec
from bots.spec import Bot, built
from bots.variants import make_variants
from phantomgo.errors import BadText


def make_other(spec: str, seed: int) -> Bot:
    """The bot of a spec whose name is not in the table.

    Raises:
        BadText: no such bot or parameter, or a value out of range.
        BadBook: no such book, or its bot has changed since it was learned.
    """
    book = parse_book_spec(spec)
    if book is not None:
        return make_seeded(spec, book, seed, make if book.code else make_installed)
    online = parse_online_spec(spec)
    if online is not None:
        from bots.online import make_online  # noqa: PLC0415  (sqlite, seldom needed)

        return make_online(online, seed, make)
    opening = parse_opening_spec(spec)
    if opening is not None:
        return make_opening(opening, seed, make)
    if spec.startswith(VARIANTS):
        return make_variants(spec, seed, make)
    head, tail = split_foreign(spec)
    return built(foreign_class(head, _place(head)), head, tail, seed)


def runs_module(spec: str) -> bool:
    """Whether a spec has a module's code run, itself, by an arm, or by allowing it to a book.

    Raises:
        BadText: an option of a book, or of a bot that learns or opens from one, is not one.
    """
    return any(map(_runs_module, played_by(spec)))


def _runs_module(played: str) -> bool:
    opening, book = parse_opening_spec(played), parse_book_spec(played)
    if book is not None:
        return book.code
    return names_module(played if opening is None else opening.bot)


def _place(head: str) -> str:
    """Where the class of a foreign bot is."""
    if ":" in head:
        return head
    offered = installed(BOTS)
    if head not in offered:
        known = ", ".join([*sorted(BOTS), *offered])
        raise BadText(
            f"no bot {head[:40]!r}; there are {known}, and MODULE:CLASS is anyone's; where engines"
            " may play, one is 'gtp:COMMAND LINE'"
        )
    return offered[head]
