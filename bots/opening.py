"""Which shipped book opens a game for a bot.

A book opens for bots of the kind that it was learned by, in even games by its rules, if the bot
plays on a clock or thinks at least as long as the book's own. It has to end after some moves, so
that the bot plays on with its own budget.
"""

import logging
import math
import threading
from collections.abc import Iterator
from functools import cache
from typing import Final

from bots import make
from bots.book import BookBot, playing, quick_changes
from bots.spec import Bot
from phantomgo.beginning import START
from phantomgo.messages import Placed
from phantomgo.points import Colour
from phantomgo.portfolio.book import Book, book_names, read_book
from phantomgo.rules import Rules
from phantomgo.view import View

_CHECKING: Final = threading.Lock()
_log = logging.getLogger(__name__)


def opening(bot: Bot, plays_on: Bot, view: View, *, timed: bool) -> BookBot | None:
    """The bot that decides in this view by the lines of a book; None if no book does.

    `plays_on` is the same bot without a book; `timed` says that it plays on a clock.
    """
    handicap = view.events and isinstance(view.events[0], Placed)
    book = None if handicap else _shipped(bot.kind, view.rules)
    if book is None or view.colour not in book.colours or view.turn >= book.moves:
        return None
    if not timed and _budget(bot) < _budget(make(book.player(view.colour), 0)):
        return None
    if not _playable(book):
        return None
    _announce(bot.kind, book.name)
    return playing(bot.name, book, bot.seed, make, after=plays_on)


def prepare(kind: str, size: int) -> None:
    """Check the books for bots of a kind on boards of this size: too long for a move on a clock."""
    for book in books_of(kind):
        if book.phantom_go.rules.size == size:
            _playable(book)


@cache
def books_of(kind: str) -> tuple[Book, ...]:
    """The shipped books that open for bots of this kind."""
    return tuple(book for book in map(read_book, book_names()) if kind in set(_kinds(book)))


def _kinds(book: Book) -> Iterator[str]:
    """The kind of bot, if any, that a book opens for."""
    if math.isfinite(book.moves) and book.phantom_go.beginning == START:
        kinds = {book.player(colour).partition(":")[0] for colour in Colour}
        yield from kinds if len(kinds) == 1 else ()


@cache
def _shipped(kind: str, rules: Rules) -> Book | None:
    books = (book for book in books_of(kind) if book.phantom_go.rules == rules)
    return next(books, None)


def _budget(bot: Bot) -> int:
    return int(getattr(bot, bot.budget))


def _playable(book: Book) -> bool:
    """False if the bots of a book have changed since it was learned, which is logged once."""
    with _CHECKING:  # another thread that waited here finds the result cached
        return _checked(book.name)


@cache
def _checked(name: str) -> bool:
    book = read_book(name)
    changes = quick_changes(book, make)
    for sentence in changes:
        _log.warning("%s; the game opens without it", sentence)
    return not changes


@cache
def _announce(kind: str, name: str) -> None:
    """Log which book opens, the first time that a game is played from it."""
    colours = " and ".join(map(str, read_book(name).colours))
    _log.info("%s opens as %s from book %s", kind, colours, name)
