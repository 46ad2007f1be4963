"""Specs that name other bots: `online:SPEC|SPEC|...,state=FILE`, `variants:SPEC|SPEC|...`,
`opening:SPEC,book=BOOK`.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.spec import ON_OFF, Decimal, Form, Source, Value, options, written

ONLINE: Final = "online:"
"""How the spec of a bot that learns online begins."""
VARIANTS: Final = "variants:"
"""How the spec of a bot begins that is one of several, whichever its seed says."""
OPENING: Final = "opening:"
"""How the spec of a bot begins that opens from a book of moves."""
BOOK: Final = "book:"
"""How the spec of a bot begins that plays from a book."""
HEADS: Final = (BOOK, ONLINE, OPENING, VARIANTS)
"""How the specs begin that name other bots."""
FORMS: Final[Mapping[str, Form]] = {
    "state": Source("the file of what was learned"),
    "discount": Decimal(0, 1),
}
"""The options of a bot that learns online; they stand at the end."""
OPENING_FORMS: Final[Mapping[str, Form]] = {
    "book": Source("the name of a book of moves, or its file"),
    "force": ON_OFF,
}
"""The options of a bot that opens from a book of moves; they stand at the end."""


class OnlineSpec(NamedTuple):
    """A spec `online:ARMS,state=FILE`.

    Attributes:
        arms: bot specs; one of a book stands for all of its seeds.
        state: the file in which is kept what was learned.
        discount: what a game counts for once one more has been played.
    """

    arms: tuple[str, ...]
    state: str
    discount: float = 1.0

    @property
    def text(self) -> str:
        """The spec, without options that are at their defaults."""
        discount = "" if self.discount == 1 else f",discount={written(self.discount)}"
        return f"{ONLINE}{'|'.join(self.arms)},state={self.state}{discount}"


def parse_online_spec(text: str) -> OnlineSpec | None:
    """What a bot spec says of learning online; None if it is another bot's.

    Raises:
        BadText: it names no arm or no file, or an option is not as allowed.
    """
    if not text.startswith(ONLINE):
        return None
    named, found = _with_options(text, ONLINE, FORMS)
    arms = tuple(named.split("|"))
    if "state" not in found:
        raise BadText("online has no state=FILE, in which is kept what it has learned")
    if not all(arms):
        raise BadText(f"{text[:60]!r} has an arm without a name: online:SPEC|SPEC,state=FILE")
    for arm in arms:
        if arm.startswith((ONLINE, VARIANTS)):
            raise BadText(f"{arm[:60]!r} cannot be an arm: it is several bots itself")
    return OnlineSpec(arms, str(found["state"]), float(found.get("discount", 1.0)))


class OpeningSpec(NamedTuple):
    """A spec `opening:SPEC,book=BOOK`, with `force=on` for games that the book is not for.

    Attributes:
        bot: the spec of who plays on where the book knows nothing.
        book: the book's name, or its file.
        force: whether to open from it with another komi or other rules, too.
    """

    bot: str
    book: str
    force: bool = False

    @property
    def options(self) -> str:
        """The options as a spec has them."""
        return f",book={self.book}" + (",force=on" if self.force else "")


def parse_opening_spec(text: str) -> OpeningSpec | None:
    """What a bot spec says of the book of moves it opens from; None if it is another bot's.

    Raises:
        BadText: it names no bot or no book, its bot is several, or an option is not as allowed.
    """
    if not text.startswith(OPENING):
        return None
    bot, found = _with_options(text, OPENING, OPENING_FORMS)
    if not bot or "book" not in found:
        raise BadText(f"{text[:60]!r} names no bot, or no book: opening:SPEC,book=BOOK")
    if bot.startswith((ONLINE, VARIANTS, OPENING, BOOK)):
        raise BadText(f"{bot[:60]!r} cannot open from a book: it plays from one, or is several")
    return OpeningSpec(bot, str(found["book"]), found.get("force") == "on")


def _with_options(text: str, head: str, forms: Mapping[str, Form]) -> tuple[str, dict[str, Value]]:
    """What stands between the head of a spec and its own options, and these."""
    items = text.removeprefix(head).split(",")
    last = len(items)
    while last and items[last - 1].partition("=")[0] in forms:
        last -= 1
    return ",".join(items[:last]), options(head.rstrip(":"), ",".join(items[last:]), forms)


def variants(text: str) -> tuple[str, ...]:
    """The specs of the bots of which its seed chooses one; of any other bot itself.

    Raises:
        BadText: there are not two of them, or one is several itself.
    """
    if not text.startswith(VARIANTS):
        return (text,)
    found = tuple(text.removeprefix(VARIANTS).split("|"))
    if len(found) < 2 or not all(found):
        raise BadText(f"{text[:60]!r} does not name two bots: variants:SPEC|SPEC")
    for spec in found:
        if spec.startswith((ONLINE, VARIANTS, BOOK)):
            raise BadText(f"{spec[:60]!r} cannot be a variant: it is several bots itself")
    return found


def variant(text: str, seed: int) -> tuple[str, int]:
    """Who plays a seed, and with which seed of theirs: 0, 1, 2 are the first seeds of three."""
    found = variants(text)
    return found[seed % len(found)], seed // len(found)


def played_by(text: str) -> tuple[str, ...]:
    """The specs of the bots behind a spec: arms if it learns online, variants, or itself."""
    spec = parse_online_spec(text)
    return variants(text) if spec is None else spec.arms
