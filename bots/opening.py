"""Which book opens a game for a bot: the parameter `book` that every bot has.

`book=best` takes the shipped book that has been measured to win for this bot on the board and at
the komi (bots/openings.json); it is the default of `phantom`, and of no other bot. Those whose
lines decide whole games play for a bot that thinks for a set time, but not for one with a number of
playouts, which sets how strong it is. `book=NAME` or `book=FILE.json` is any other book, whoever it
was learned for, and `book=FOLDER/` the book of a folder that fits best. After the last step of a
line, the bot plays on with its own budget.

A book opens on its board, without handicap. It also opens at other komi, or with other
announcements, than it was learned with, which is logged.
"""

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from os.path import isdir
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from bots.book import BookBot, MovesBot, deciders, is_one_book, opener_changes, playing, refuse
from bots.naming import BEST, NO_BOOK
from bots.spec import REMEMBERED, Bot, Delegate, Make
from phantomgo.errors import BadBook
from phantomgo.messages import Placed
from phantomgo.points import Colour, Point
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any
from phantomgo.rules import Rules
from phantomgo.view import View

_log = logging.getLogger(__name__)
_read: Final = cache(read_any)


@dataclass(frozen=True)
class Opened(Delegate):
    """A bot whose games open from a book.

    Attributes:
        bot: the same bot without a book, which plays on.
        source: the value of the parameter `book`.
        make: makes the bots of lines.
    """

    kind: ClassVar[str] = "opened"
    bot: Bot
    source: str
    make: Make

    @property
    def name(self) -> str:
        return self.bot.spec_with(self.source)

    @property
    def bare(self) -> Bot:
        return self.bot

    @property
    def players(self) -> tuple[Bot, ...]:
        return (self.bot,)

    def player(self, view: View) -> Bot:
        return self.opening(view) or self.bot

    def opens_from(self, view: View) -> str | None:
        opens = self.opening(view)
        return None if opens is None else opens.opens_from(view)

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        return self.bot.stone_probabilities(view)  # bots of lines may be weak, or draw no worlds

    def opening(self, view: View) -> BookBot | None:
        """The bot that decides in this view by a book; None if no book does."""
        handicap = view.events and isinstance(view.events[0], Placed)
        whole = not self.bot.deterministic
        game = self.bot.kind, self.source, view.rules, whole
        source = None if handicap else _fitting(*game, view.colour)
        if source is None or view.turn >= _read(source).moves:
            return None
        book = self._checked(source)
        _announce(source, *game)
        if isinstance(book, MoveBook):
            return MovesBot(self.seed, self.name, book, self.bot, self.bot)
        return playing(self.name, book, self.seed, self.make, after=self.bot)

    def with_budget(self, times: int) -> Self:
        return replace(self, bot=self.bot.with_budget(times))

    def needs(self, rules: Rules) -> Sequence[Bot]:
        game = self.bot.kind, self.source, rules, not self.bot.deterministic
        sources = {_fitting(*game, colour) for colour in Colour}
        books = [_read(source) for source in sources if source is not None]
        specs = {spec for book in books for spec in deciders(book)}
        whole = len(books) == len(sources) and all(book.moves == math.inf for book in books)
        return [*([] if whole else [self.bot]), *(self.make(spec, 0) for spec in sorted(specs))]

    def warm_up(self, size: int) -> None:
        for source in sources_of(self.bot.kind, self.source, not self.bot.deterministic):
            if _read(source).phantom_go.rules.size == size:
                self._checked(source)  # which plays its bots

    def data(self) -> Mapping[str, str]:
        books = map(_read, sources_of(self.bot.kind, self.source, not self.bot.deterministic))
        return {**self.bot.data(), **{f"book {book.name}": book.digest for book in books}}

    def _checked(self, source: str) -> AnyBook:
        """The book; one whose bots have changed is refused, but tests check the shipped ones."""
        book = _read(source)
        if self.source != BEST:
            refuse(_changes(source, self.make), force=False)
        return book


def opened(bot: Bot, source: str, make: Make) -> Bot:
    """The bot whose games open from this book, folder of books, or the best shipped book.

    Raises:
        BadBook: there is no such book, it is not a good one, or its lines don't end.
    """
    if source == NO_BOOK:
        return bot
    if is_one_book(source):
        _check(source)
    return Opened(bot.seed, bot, source, make)


def sources_of(kind: str, source: str, whole: bool) -> tuple[str, ...]:
    """The books that may open for such bots on some board; books of whole games if `whole`."""
    if source == BEST:
        books = _measured().get(kind, ())
        return tuple(book for book in books if whole or _read(book).moves < math.inf)
    return _of_folder(source) if isdir(source) else (source,)


@cache
def _measured() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """For each kind of bot, the books that win for it: at which `komi`, by which `rules`."""
    text = files("bots").joinpath("openings.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(text)
    return found


def _check(source: str) -> None:
    book = _read(source)
    if math.isinf(book.moves):
        raise BadBook(
            f"book {book.name} plays whole games, and opens none for other bots:"
            f" book:{source} plays it"
        )


@cache
def _of_folder(folder: str) -> tuple[str, ...]:
    """The books of a folder whose lines end, when it is first looked at; others are logged then."""
    found = []
    for file in sorted(map(str, Path(folder).glob("*.json"))):
        try:
            _check(file)
            found.append(file)
        except BadBook as error:
            _log.warning("%s", error)
    return tuple(found)


@lru_cache(REMEMBERED)
def _fitting(kind: str, source: str, rules: Rules, whole: bool, colour: Colour) -> str | None:
    """The book for a colour in such games: one of `whole` games, or that of the nearest komi."""

    def distance(book: str) -> tuple[bool, bool, float]:
        learned, ends = _read(book).phantom_go.rules, _read(book).moves < math.inf
        return ends, replace(learned, komi=rules.komi) != rules, abs(learned.komi - rules.komi)

    def fits(book: str) -> bool:
        found = _read(book)
        fitting = found.phantom_go.rules.size == rules.size and colour in found.colours
        if source != BEST or not fitting:
            return fitting
        won = _measured()[kind][book]
        usual = (Rules.profile(name, size=rules.size, komi=rules.komi) for name in won["rules"])
        return won["komi"][0] <= rules.komi <= won["komi"][1] and rules in usual

    found = min(filter(fits, sources_of(kind, source, whole)), key=distance, default=None)
    if found is None and source != BEST:
        board = f"{rules.size}x{rules.size}"
        _log.info("%s has no lines for %s on %s: it opens without one", source, colour, board)
    return found


@cache
def _changes(source: str, make: Make) -> list[str]:
    """A sentence for each bot of a book's lines that has changed."""
    return opener_changes(_read(source), make)


@lru_cache(REMEMBERED)
def _announce(book: str, kind: str, source: str, rules: Rules, whole: bool) -> None:
    """Log which book opens, the first time that a game by these rules is played from it."""
    opening = (str(c) for c in Colour if _fitting(kind, source, rules, whole, c) == book)
    setup, colours = _read(book).phantom_go, " and ".join(opening)
    other = "" if setup.rules == rules else f", learned with {setup.game}"
    _log.info("%s opens as %s from book %s%s", kind, colours, _read(book).name, other)
