"""The grammar of players: what a spec names. Specs are parsed here and nowhere else.

NAME:KEY=VALUE,...                  a bot of ours, or of an installed package
MODULE:CLASS:KEY=VALUE,...          a foreign bot
book:BOOK,KEY=on|off,...            a bot driven by a book
opening:SPEC,book=BOOK,force=on     a bot that opens from a book of moves
online:SPEC|SPEC|...,state=FILE     a bot that learns between games which of these to play
variants:SPEC|SPEC|...              one of these bots, chosen by the seed
gtp:COMMAND LINE                    an engine
LEVEL                               an opponent for people: one of `LEVELS`
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from phantomgo.errors import BadText
from phantomgo.spec import ON_OFF, Decimal, Form, Source, Value, options, written


class Head(StrEnum):
    """The beginnings of specs that are not a bot's own name."""

    BOOK = "book:"
    ENGINE = "gtp:"
    ONLINE = "online:"
    OPENING = "opening:"
    VARIANTS = "variants:"
    NONE = ""


LEVELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "novice": "random",
        "easy": "flatmc:playouts=100",
        "medium": "flatmc:playouts=1000",
        "skilled": "phantom:playouts=20",
        "hard": "phantom:playouts=500",
        "expert": "phantom:playouts=5000",
    }
)
"""Specs by level, from the weakest up. They count playouts, so a level is equally strong on every
machine and under every clock.
"""
RESERVED: Final = ("human", *LEVELS, *(head.rstrip(":") for head in Head if head))
"""Names that mean something else in a spec."""
_PLACE: Final = re.compile(r"([A-Za-z_][\w.]*:[A-Za-z_]\w*)(?::(.*))?")


def head_of(text: str) -> Head:
    """The kind of player that a spec names, which need not exist."""
    return next(head for head in Head if text.startswith(head))


def is_engine(text: str) -> bool:
    """True if a spec names an engine, another program."""
    return head_of(text) is Head.ENGINE


class BotSpec(NamedTuple):
    """A spec `NAME:OPTIONS` or `MODULE:CLASS:OPTIONS`.

    Attributes:
        name: of a bot of ours or of an installed package, or `MODULE:CLASS`.
        options: the text after it.
    """

    name: str
    options: str

    @property
    def of_module(self) -> bool:
        """True if it names a module, whose code is run."""
        return ":" in self.name


class EngineSpec(NamedTuple):
    """A spec `gtp:COMMAND LINE`."""

    command: str


class BookSpec(NamedTuple):
    """A spec `book:SOURCE`, with options after commas.

    Attributes:
        source: the book's name, or its file.
        symmetry: whether to play under a drawn symmetry of the board.
        force: whether to play although the bot has changed, or with another komi.
        code: whether its bot may be a module's, whose code then runs.
    """

    source: str
    symmetry: bool = True
    force: bool = False
    code: bool = False


class VariantsSpec(NamedTuple):
    """A spec `variants:SPEC|SPEC|...`: the bots of which the seed chooses one."""

    bots: tuple[str, ...]


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
        arms: bot specs; a book's spec stands for all of its seeds.
        state: the file that keeps what was learned.
        discount: the factor by which each new game reduces the weight of older ones.
    """

    arms: tuple[str, ...]
    state: str
    discount: float = 1.0

    @property
    def text(self) -> str:
        """The spec, without options that are at their defaults."""
        discount = "" if self.discount == 1 else f",discount={written(self.discount)}"
        return f"{Head.ONLINE}{'|'.join(self.arms)},state={self.state}{discount}"


def _online(text: str) -> OnlineSpec:
    named, found = _with_options(text, Head.ONLINE, FORMS)
    arms = tuple(named.split("|"))
    if "state" not in found:
        raise BadText("online has no state=FILE to keep what it has learned in")
    if not all(arms):
        raise BadText(f"{text[:60]!r} has an arm without a name: online:SPEC|SPEC,state=FILE")
    for arm in arms:
        if head_of(arm) in (Head.ONLINE, Head.VARIANTS):
            raise BadText(f"{arm[:60]!r} cannot be an arm: it is several bots itself")
    return OnlineSpec(arms, str(found["state"]), float(found.get("discount", 1.0)))


class OpeningSpec(NamedTuple):
    """A spec `opening:SPEC,book=BOOK`, with `force=on` for games that the book is not for.

    Attributes:
        bot: the spec of the bot that plays on where the book knows no move.
        book: the book's name, or its file.
        force: whether to open from it with another komi or other rules too.
    """

    bot: str
    book: str
    force: bool = False

    @property
    def options(self) -> str:
        """The options as a spec has them."""
        return f",book={self.book}" + (",force=on" if self.force else "")


def _opening(text: str) -> OpeningSpec:
    bot, found = _with_options(text, Head.OPENING, OPENING_FORMS)
    if not bot or "book" not in found:
        raise BadText(f"{text[:60]!r} names no bot, or no book: opening:SPEC,book=BOOK")
    if head_of(bot) not in (Head.NONE, Head.ENGINE):
        raise BadText(f"{bot[:60]!r} cannot open from a book: it plays from one, or is several")
    return OpeningSpec(bot, str(found["book"]), found.get("force") == "on")


def _with_options(text: str, head: str, forms: Mapping[str, Form]) -> tuple[str, dict[str, Value]]:
    """The text between the head of a spec and its own options, and these."""
    items = text.removeprefix(head).split(",")
    last = len(items)
    while last and items[last - 1].partition("=")[0] in forms:
        last -= 1
    return ",".join(items[:last]), options(head.rstrip(":"), ",".join(items[last:]), forms)


def _variants(text: str) -> VariantsSpec:
    found = tuple(text.removeprefix(Head.VARIANTS).split("|"))
    if len(found) < 2 or not all(found):
        raise BadText(f"{text[:60]!r} does not name two bots: variants:SPEC|SPEC")
    for spec in found:
        if head_of(spec) in (Head.ONLINE, Head.VARIANTS, Head.BOOK):
            raise BadText(f"{spec[:60]!r} cannot be a variant: it is several bots itself")
    return VariantsSpec(found)


def _book(text: str) -> BookSpec:
    source, *items = text.removeprefix(Head.BOOK).split(",")
    spec, known = BookSpec(source), BookSpec._fields[1:]
    for item in items:
        key, _, value = item.partition("=")
        if key not in known:
            raise BadText(f"book has no option {key[:40]!r}; it has {', '.join(known)}")
        if value not in ("on", "off"):
            raise BadText(f"book {key}={value[:20]} is not on or off")
        spec = BookSpec(**{**spec._asdict(), key: value == "on"})
    return spec


def _bot(text: str) -> BotSpec:
    place = _PLACE.fullmatch(text)
    if place is not None:
        return BotSpec(place[1], place[2] or "")
    name, _, tail = text.partition(":")
    return BotSpec(name, tail)


Spec: TypeAlias = BotSpec | EngineSpec | BookSpec | OpeningSpec | OnlineSpec | VariantsSpec
_PARSERS: Final[Mapping[Head, Callable[[str], Spec]]] = {
    Head.BOOK: _book,
    Head.ENGINE: lambda text: EngineSpec(text.removeprefix(Head.ENGINE)),
    Head.ONLINE: _online,
    Head.OPENING: _opening,
    Head.VARIANTS: _variants,
    Head.NONE: _bot,
}


def parse(text: str) -> Spec:
    """The player that a spec names, without checking that there is such a bot, book or program.

    Raises:
        BadText: the spec violates the grammar, or the value of an option is not allowed.
    """
    return _PARSERS[head_of(text)](text)


def variants(text: str) -> tuple[str, ...]:
    """The specs of the bots that the seed chooses from; for any other bot, its own spec.

    Raises:
        BadText: as `parse`.
    """
    return _variants(text).bots if head_of(text) is Head.VARIANTS else (text,)


def variant(text: str, seed: int) -> tuple[str, int]:
    """The bot that a seed stands for, and its own seed: 0, 1, 2 are the first seeds of three."""
    found = variants(text)
    return found[seed % len(found)], seed // len(found)


def played_by(text: str) -> tuple[str, ...]:
    """The specs of the bots behind a spec: its arms, its variants, or itself.

    Raises:
        BadText: as `parse`.
    """
    spec = parse(text)
    return spec.arms if isinstance(spec, OnlineSpec) else variants(text)


def runs_module(text: str) -> bool:
    """True if a spec runs a module's code, itself, by an arm, or by allowing it to a book.

    Raises:
        BadText: as `parse`.
    """
    return any(map(_runs_module, map(parse, played_by(text))))


def _runs_module(spec: Spec) -> bool:
    match spec:
        case BookSpec():
            return spec.code
        case OpeningSpec():
            return _runs_module(parse(spec.bot))
        case BotSpec():
            return spec.of_module
        case _:
            return False
