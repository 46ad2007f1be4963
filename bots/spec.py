"""Specs, the texts that name players, and their grammar.

Each bot reads its own options (bots/bot.py).

NAME:KEY=VALUE,...                  a bot of ours, or of an installed package
MODULE:CLASS:KEY=VALUE,...          a foreign bot
...,book=BOOK                       any of these, its games opened by a book
book:BOOK,KEY=on|off,...            the bot of a book, whose games that book opens or plays
online:SPEC|...,state=FILE,...      a bot that learns between games which of these to play
gtp:COMMAND LINE                    an engine
LEVEL                               an opponent for people: one of `LEVELS`
default                             the bot that plays where none is named
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from bots.deployed import DEFAULT_BOT, LEVELS, NONE
from phantomgo.errors import BadText
from phantomgo.values import ON_OFF, Form, Source, options

BEST: Final = "best"
"""The value of a parameter that leaves the choice to the bot."""
BOOK: Final = "book:"
ENGINE: Final = "gtp:"
ONLINE: Final = "online:"
DEFAULT: Final = "default"
"""The name of `DEFAULT_BOT` on all cores, the bot that plays where none is named."""
SHORT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {**LEVELS, DEFAULT: f"{DEFAULT_BOT},threads=0"}
)
"""Specs by their short names."""
RESERVED: Final = ("human", *SHORT_NAMES, *(head.rstrip(":") for head in (BOOK, ENGINE, ONLINE)))
"""Names with another meaning in a spec."""
_CLASS_PATH: Final = re.compile(r"([A-Za-z_][\w.]*:[A-Za-z_]\w*)(?::(.*))?")
_REMEMBERED: Final = 256
"""The size of the cache of parsed specs; an untrusted controller may send any number."""


class BotSpec(NamedTuple):
    """A spec `NAME:OPTIONS` or `MODULE:CLASS:OPTIONS`.

    Attributes:
        name: of a bot of ours or of an installed package, or `MODULE:CLASS`.
        options: the text after it, without the book.
        book: its opening book, by name or file, `best` or `none`; None if not given.
    """

    name: str
    options: str = ""
    book: str | None = None

    @property
    def text(self) -> str:
        """The spec."""
        book = "" if self.book is None else f"book={self.book}"
        tail = ",".join(filter(None, (self.options, book)))
        return f"{self.name}:{tail}" if tail else self.name


class EngineSpec(NamedTuple):
    """A spec `gtp:COMMAND LINE`."""

    command: str

    @property
    def text(self) -> str:
        """The spec."""
        return f"{ENGINE}{self.command}"


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

    @property
    def text(self) -> str:
        """The spec."""
        options = zip(self._fields[1:], self[1:], (True, False, False), strict=True)
        given = [f",{key}={'on' if on else 'off'}" for key, on, usual in options if on != usual]
        return f"{BOOK}{self.source}{''.join(given)}"


ONLINE_OPTIONS: Final[Mapping[str, Form]] = {
    "state": Source("the file of what was learned"),
    "seeds": ON_OFF,
    "cautious": ON_OFF,
}
"""The options of a bot that learns online, at the end of its spec."""


class OnlineSpec(NamedTuple):
    """A spec `online:ARMS,state=FILE`.

    Attributes:
        arms: bot specs; a book's spec represents all of its seeds.
        state: the file that stores what was learned.
        seeds: whether a bot's spec represents its seeds, of which more join as games go on.
        cautious: whether arms are drawn from a distribution that begins as the books'.
    """

    arms: tuple[str, ...]
    state: str
    seeds: bool = False
    cautious: bool = False

    @property
    def text(self) -> str:
        """The spec."""
        on = "".join(f",{name}=on" for name in ("seeds", "cautious") if getattr(self, name))
        return f"{ONLINE}{'|'.join(self.arms)},state={self.state}{on}"


Spec: TypeAlias = BotSpec | EngineSpec | BookSpec | OnlineSpec


@lru_cache(_REMEMBERED)
def parse(text: str) -> Spec:
    """The player that a spec names, without checking that there is such a bot, book or program.

    Raises:
        BadText: the spec violates the grammar, or the value of an option is not allowed.
    """
    text = SHORT_NAMES.get(text, text)
    if text.startswith(BOOK):
        return _book(text)
    if text.startswith(ENGINE):
        return EngineSpec(text.removeprefix(ENGINE))
    if text.startswith(ONLINE):
        return _online(text)
    return _bot(text)


def is_engine(text: str) -> bool:
    """True if a spec names an engine, another program."""
    return text.startswith(ENGINE)


def learns(text: str) -> bool:
    """True if a spec's player learns from earlier games."""
    return text.startswith(ONLINE)


def learned_in(text: str) -> str | None:
    """The file in which a spec's player stores what it learns; None if it learns nothing."""
    spec = parse(text)
    return spec.state if isinstance(spec, OnlineSpec) else None


def is_book(text: str) -> bool:
    """True if a spec names a book's player."""
    return text.startswith(BOOK)


def with_book(text: str, book: str) -> str:
    """The spec of the same bot with this opening book.

    Raises:
        BadText: the spec names no single bot, or violates the grammar.
    """
    spec = parse(text)
    if not isinstance(spec, BotSpec):
        raise BadText(f"{text[:60]} cannot have an opening book: name a single bot")
    return spec._replace(book=book).text


def played_by(text: str) -> Iterator[Spec]:
    """The players behind a spec: its arms, or itself."""
    spec = parse(text)
    yield from map(parse, spec.arms) if isinstance(spec, OnlineSpec) else (spec,)


def book_specs(text: str) -> Iterator[BookSpec]:
    """The specs `book:...` behind a spec."""
    return (spec for spec in played_by(text) if isinstance(spec, BookSpec))


def _online(text: str) -> OnlineSpec:
    items = text.removeprefix(ONLINE).split(",")
    last = len(items)
    while last and items[last - 1].partition("=")[0] in ONLINE_OPTIONS:
        last -= 1
    arms = tuple(",".join(items[:last]).split("|"))
    found = options("online", ",".join(items[last:]), ONLINE_OPTIONS)
    if "state" not in found:
        raise BadText("online has no state=FILE to keep what it has learned in")
    if not all(arms):
        raise BadText(f"{text[:60]!r} has an arm without a name: online:SPEC|SPEC,state=FILE")
    for arm in arms:
        if learns(arm):
            raise BadText(f"{arm[:60]!r} cannot be an arm: it is several bots itself")
    seeds, cautious = (found.get(name) == "on" for name in ("seeds", "cautious"))
    if seeds and cautious:
        raise BadText("online: cautious=on draws as its books do, so not with seeds=on")
    return OnlineSpec(arms, str(found["state"]), seeds, cautious)


def remembering(text: str, file: str) -> str:
    """The spec of a player that draws its lines by what it has learned about its opponent."""
    if learns(text):
        raise BadText(f"{text[:60]!r} cannot remember its opponent by a file more: it has its own")
    return OnlineSpec((text,), file, cautious=True).text


def _book(text: str) -> BookSpec:
    source, _, tail = text.removeprefix(BOOK).partition(",")
    given = options("book", tail, dict.fromkeys(BookSpec._fields[1:], ON_OFF))
    return BookSpec(source, **{key: value == "on" for key, value in given.items()})


def _bot(text: str) -> BotSpec:
    path = _CLASS_PATH.fullmatch(text)
    name, _, tail = text.partition(":") if path is None else (path[1], "", path[2] or "")
    items = tail.split(",") if tail else []
    books = [item for item in items if item.startswith("book=")]
    if not books:
        return BotSpec(name, tail)
    if len(books) > 1 or books[0] == "book=":
        raise BadText(f"{name}: book= names one book, {BEST}, or {NONE}")
    others = ",".join(item for item in items if item not in books)
    return BotSpec(name, others, books[0].removeprefix("book="))
