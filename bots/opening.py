"""Which book opens the games of a bot: the parameter `book` of its spec.

- `book=best` takes the book that has been measured to win for this bot on the board, at the komi
  and by the rules (bots/deployed.toml); it is the default of `phantom` with `net=best`, and of no
  other bot. Books of whole games play for a bot that thinks for a set time, but not for one with a
  number of playouts, which sets its strength.
- `book=NAME` or `book=FILE.json` is any book whose lines end, whoever it was learned for.
- `book=FOLDER/` is the book of a folder that fits best.

A book is used on its board, without handicap. A book given by name, file or folder is also used at
another komi, or with other announcements, than it was learned with, and the log says so.
"""

import logging
import math
from dataclasses import replace
from functools import cache, lru_cache
from os.path import isdir
from pathlib import Path

from bots import deployed
from bots.book_checks import read_once
from bots.bot import Bot
from bots.deployed import NONE
from bots.spec import BEST, BOOK, with_book
from phantomgo.errors import BadBook
from phantomgo.game.points import Colour
from phantomgo.library import looks_like_file

_log = logging.getLogger(__name__)


@lru_cache(256)  # an untrusted controller may try any komi
def log_once(sentence: str) -> None:
    """Log a sentence, unless it was logged before."""
    _log.info("%s", sentence)


def is_one_book(source: str) -> bool:
    """True if a value of `book` names one book: not `best`, `none` or a folder."""
    return source not in (NONE, BEST) and not _is_folder(source)


def _is_folder(source: str) -> bool:
    """True for a folder. Its name has a slash: else it is of a book, in whatever folder we run."""
    return looks_like_file(source) and isdir(source)  # False of too long a name


def spec_playing(bot: str, book: str) -> str:
    """The spec of this bot with an opening book; for a book of whole games, the book's own spec."""
    if is_one_book(book) and math.isinf(read_once(book).moves):
        return f"{BOOK}{book}"
    return with_book(bot, book)


def opening_books(bot: Bot, source: str) -> tuple[str, ...]:
    """The opening books for a bot, on any board.

    Of the shipped ones, those of whole games are only for bots that think for a set time.
    """
    if source == BEST:
        if bot.kind != deployed.BOT_WITH_BOOKS:
            return ()
        books = (book.name for board in deployed.boards() for book in board.books)
        return tuple(book for book in books if not bot.deterministic or _ends(book))
    return _of_folder(source) if _is_folder(source) else (source,)


def _ends(source: str) -> bool:
    return read_once(source).moves < math.inf


def fitting_book(bot: Bot, source: str, colour: Colour) -> str | None:
    """The book that a bot uses for a colour of its game.

    One of whole games comes first, then one with the same rules, then the one of the nearest komi.
    """
    rules = bot.game.rules
    if bot.game.beginning.handicap:
        return None

    def distance(book: str) -> tuple[bool, bool, float]:
        learned = read_once(book).setup.rules
        other = replace(learned, komi=rules.komi) != rules
        return _ends(book), other, abs(learned.komi - rules.komi)

    def fits(book: str) -> bool:
        fitting = read_once(book)
        return fitting.setup.rules.size == rules.size and colour in fitting.colours

    books = opening_books(bot, source)
    if source == BEST:
        measured = {book.name for book in deployed.board(rules.size).books if book.covers(rules)}
        books = tuple(name for name in books if name in measured)
    best = min(filter(fits, books), key=distance, default=None)
    if best is None and source != BEST:
        board = f"{rules.size}x{rules.size}"
        log_once(f"{source} has no lines for {colour} on {board}: it opens without one")
    return best


def check_that_lines_end(source: str) -> None:
    """Raise BadBook for a book of whole games, which opens no other bot's games."""
    if not _ends(source):
        raise BadBook(
            f"book {read_once(source).name} plays whole games, and opens none for other bots:"
            f" {BOOK}{source} plays it"
        )


@cache
def _of_folder(folder: str) -> tuple[str, ...]:
    """The books of a folder whose lines end, when it is first looked at; others are logged then."""
    books = []
    for file in sorted(map(str, Path(folder).glob("*.json"))):
        try:
            check_that_lines_end(file)
            books.append(file)
        except BadBook as error:
            _log.warning("%s", error)
    return tuple(books)
