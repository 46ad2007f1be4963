"""The grammar of players: what a spec names. Specs are parsed here and nowhere else.

NAME:KEY=VALUE,...                  a bot of ours, or of an installed package
MODULE:CLASS:KEY=VALUE,...          a foreign bot
...,book=BOOK                       any of these, its games opened by a book
book:BOOK,KEY=on|off,...            a bot driven by a book
online:SPEC|...,state=FILE,...      a bot that learns between games which of these to play
gtp:COMMAND LINE                    an engine
LEVEL                               an opponent for people: one of `LEVELS`
default                             the bot that plays where none is named
"""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from phantomgo.errors import BadText
from phantomgo.spec import ON_OFF, Form, Source, options

NO_BOOK: Final = "none"
"""The value of `book` of a bot that plays without one."""
BEST: Final = "best"
"""The value of a parameter that leaves the choice to the bot."""


class Head(StrEnum):
    """The beginnings of specs that are not a bot's own name."""

    BOOK = "book:"
    ENGINE = "gtp:"
    ONLINE = "online:"
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
DEFAULT_BOT: Final = "phantom:time=0.5"
"""The strongest bot, at about a second per move, which takes two attempts on average."""
DEFAULT: Final = "default"
"""The name of `DEFAULT_BOT` on all cores, the bot that plays where none is named."""
NAMED: Final[Mapping[str, str]] = MappingProxyType({**LEVELS, DEFAULT: f"{DEFAULT_BOT},threads=0"})
"""Specs by the name that stands for them."""
RESERVED: Final = ("human", *NAMED, *(head.rstrip(":") for head in Head if head))
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
        options: the text after it, without the book.
        book: the book that opens its games, by name or file, `best` or `none`; None if not given.
    """

    name: str
    options: str
    book: str | None = None


class EngineSpec(NamedTuple):
    """A spec `gtp:COMMAND LINE`."""

    command: str


class BookSpec(NamedTuple):
    """A spec `book:SOURCE`, with options after commas.

    Attributes:
        source: the book's name, or its file.
        symmetry: whether to play under a drawn symmetry of the board.
        force: whether to play although the bot has changed, or with other announcements.
        code: whether its bot may be a module's, whose code then runs.
    """

    source: str
    symmetry: bool = True
    force: bool = False
    code: bool = False


FORMS: Final[Mapping[str, Form]] = {
    "state": Source("the file of what was learned"),
    "seeds": ON_OFF,
}
"""The options of a bot that learns online; they stand at the end."""


class OnlineSpec(NamedTuple):
    """A spec `online:ARMS,state=FILE`.

    Attributes:
        arms: bot specs; a book's spec stands for all of its seeds.
        state: the file that keeps what was learned.
        seeds: whether a bot's spec stands for its seeds, of which more join as games go on.
    """

    arms: tuple[str, ...]
    state: str
    seeds: bool = False

    @property
    def text(self) -> str:
        seeds = ",seeds=on" if self.seeds else ""
        return f"{Head.ONLINE}{'|'.join(self.arms)},state={self.state}{seeds}"


def _online(text: str) -> OnlineSpec:
    items = text.removeprefix(Head.ONLINE).split(",")
    last = len(items)
    while last and items[last - 1].partition("=")[0] in FORMS:
        last -= 1
    arms = tuple(",".join(items[:last]).split("|"))
    found = options("online", ",".join(items[last:]), FORMS)
    if "state" not in found:
        raise BadText("online has no state=FILE to keep what it has learned in")
    if not all(arms):
        raise BadText(f"{text[:60]!r} has an arm without a name: online:SPEC|SPEC,state=FILE")
    for arm in arms:
        if head_of(arm) is Head.ONLINE:
            raise BadText(f"{arm[:60]!r} cannot be an arm: it is several bots itself")
    return OnlineSpec(arms, str(found["state"]), found.get("seeds") == "on")


def _book(text: str) -> BookSpec:
    source, _, tail = text.removeprefix(Head.BOOK).partition(",")
    given = options("book", tail, dict.fromkeys(BookSpec._fields[1:], ON_OFF))
    return BookSpec(source, **{key: value == "on" for key, value in given.items()})


def _bot(text: str) -> BotSpec:
    place = _PLACE.fullmatch(text)
    name, _, tail = text.partition(":") if place is None else (place[1], "", place[2] or "")
    items = tail.split(",") if tail else []
    books = [item for item in items if item.startswith("book=")]
    if not books:
        return BotSpec(name, tail)
    if len(books) > 1 or books[0] == "book=":
        raise BadText(f"{name}: book= names one book, {BEST}, or {NO_BOOK}")
    others = ",".join(item for item in items if item not in books)
    return BotSpec(name, others, books[0].removeprefix("book="))


Spec: TypeAlias = BotSpec | EngineSpec | BookSpec | OnlineSpec
_PARSERS: Final[Mapping[Head, Callable[[str], Spec]]] = {
    Head.BOOK: _book,
    Head.ENGINE: lambda text: EngineSpec(text.removeprefix(Head.ENGINE)),
    Head.ONLINE: _online,
    Head.NONE: _bot,
}


def parse(text: str) -> Spec:
    """The player that a spec names, without checking that there is such a bot, book or program.

    Raises:
        BadText: the spec violates the grammar, or the value of an option is not allowed.
    """
    return _PARSERS[head_of(text)](text)


def with_book(text: str, book: str) -> str:
    """The spec of the same bot with games that this book opens."""
    spec = parse(NAMED.get(text, text))
    if not isinstance(spec, BotSpec):
        raise BadText(f"{text[:60]} cannot have an opening book: name a single bot")
    return f"{spec.name}:{','.join(filter(None, (spec.options, f'book={book}')))}"


def played_by(text: str) -> tuple[str, ...]:
    """The specs of the bots behind a spec: its arms, or itself."""
    spec = parse(text)
    return spec.arms if isinstance(spec, OnlineSpec) else (text,)
