"""`champion`: the strongest: `phantom`, from a bundled book if one fits, else with a judge.

A book fits if it was learned with `phantom` as it is by default, or as one of two variants beside
the nets of its time, for this board, this komi and these rules, and if nobody has put handicap
stones on the board or set a time limit: with more time than a book was learned for, `phantom`
thinks longer instead. Where none fits, it plays by the newest nets, a judge (bots/judge.py) among
them, on the boards where that has been measured to win. With a time limit it opens from a shipped
book of moves in the games that this is for. `phantom` itself is the same player without all that.
"""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Final, Self

from bots import make
from bots.delegate import Delegate
from bots.naming import Head
from bots.nets import read_net
from bots.newest import JUDGE, NET, OPENING_BOOK, SPECS
from bots.opening import MovesBot
from bots.phantom import Phantom
from bots.seeded import book_changes, seeded
from bots.spec import Bot
from phantomgo.messages import Placed
from phantomgo.portfolio.book import Book, book_for, book_names, read_book
from phantomgo.portfolio.movebook import MoveBook, read_moves
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYERS: Final = (
    Phantom.kind,
    *(
        f"{Head.VARIANTS}{Phantom.kind}:net=stones3,judge=judge2,{more}|{Phantom.kind}"
        for more in ("trust=300", "trust=1000,fold=on")
    ),
)
"""Whose books it plays from: the nets of such a book are those of its time."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Champion(Delegate):
    kind: ClassVar[str] = "champion"
    times: int = field(default=0, repr=False)
    """It thinks at most so many times as long as at a glance; 0: as long as it does."""

    @property
    def players(self) -> tuple[Bot, ...]:
        return tuple(self._phantom(size) for size in (0, *SPECS))

    def player(self, view: View, seconds: float = math.inf) -> Bot:
        return self._player(view) if math.isinf(seconds) else self._timed(view.rules)

    def warm_up(self, size: int) -> None:
        self._phantom(size).warm_up(size)

    def within(self, times: int) -> Self:
        return replace(self, times=times)

    def data(self) -> Mapping[str, str]:
        shipped = filter(_is_for_players, map(read_book, book_names()))
        return {
            **Phantom(self.seed).data(),
            **{f"net {name}": read_net(name, None).digest for name in (NET, JUDGE)},
            **{f"book {book.name}": book.digest for book in shipped},
            f"book {OPENING_BOOK}": read_moves(OPENING_BOOK).digest,
        }

    def _player(self, view: View) -> Bot:
        """Who decides in this view."""
        handicap = view.events and isinstance(view.events[0], Placed)
        book = None if handicap else _playable(view.rules)
        if book is None:
            return self._phantom(view.rules.size)
        return self._within(seeded(self.name, book, self.seed, make))

    def _timed(self, rules: Rules) -> Bot:
        """Who decides under a time limit."""
        bot, book = self._phantom(rules.size), _opening(rules)
        return bot if book is None else MovesBot(self.seed, self.name, book, bot, bot)

    def _phantom(self, size: int) -> Bot:
        return self._within(make(SPECS.get(size, Phantom.kind), self.seed))

    def _within(self, bot: Bot) -> Bot:
        return bot.within(self.times) if self.times else bot


def shipped_book(rules: Rules) -> Book | None:
    """The book for these rules; None if there is none."""
    return next(filter(None, (book_for(player, rules) for player in PLAYERS)), None)


@cache
def _playable(rules: Rules) -> Book | None:
    """The book for these rules; None if there is none, or its bot has changed since."""
    book = shipped_book(rules)
    if book is None:
        return None
    changes = book_changes(book, make)
    for sentence in changes:
        _log.warning("%s; the champion plays without it", sentence)
    if changes:
        return None
    _log.info("the champion plays from book %s", book.name)
    return book


@cache
def _opening(rules: Rules) -> MoveBook | None:
    """The book of moves for these rules; None if there is none."""
    book = read_moves(OPENING_BOOK)
    return book if book.setup.rules == rules else None


def _is_for_players(book: Book) -> bool:
    return any(book.fits(player, book.phantom_go.rules) for player in PLAYERS)
