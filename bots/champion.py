"""`champion`: `phantom`, from a shipped book wherever one fits.

A book fits if it was learned with `phantom` as it is by default, for this board, this komi and
these rules, and if nobody has put handicap stones on the board or set a time limit: with more time
than a book was learned for, `phantom` thinks longer instead. `phantom` itself is the same player
without its books.
"""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Final, Self

from bots.decision import Decision
from bots.phantom import Phantom
from bots.seeded import changed_bots, seeded
from bots.spec import Bot
from phantomgo.errors import BadText
from phantomgo.messages import Placed
from phantomgo.points import Move, Point
from phantomgo.portfolio.book import Book, book_for, book_names, read_book
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYER: Final = Phantom.kind
"""Whose books it plays from."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Champion(Bot):
    kind: ClassVar[str] = "champion"
    times: int = field(default=0, repr=False)
    """It thinks at most so many times as long as at a glance; 0: as long as it does."""

    def propose(self, view: View) -> Move:
        return self._player(view).propose(view)

    def propose_within(self, view: View, seconds: float) -> Move:
        return self._phantom().propose_within(view, seconds)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        player = self._player(view) if math.isinf(seconds) else self._phantom()
        return replace(player.decide(view, seconds), bot=self)

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        return self._player(view).stone_shares(view)

    def warm_up(self, size: int) -> None:
        self._phantom().warm_up(size)

    def within(self, times: int) -> Self:
        return replace(self, times=times)

    def data(self) -> Mapping[str, str]:
        shipped = filter(_is_for_player, map(read_book, book_names()))
        return {**self._phantom().data(), **{f"book {book.name}": book.digest for book in shipped}}

    def _player(self, view: View) -> Bot:
        """Who decides in this view."""
        handicap = view.events and isinstance(view.events[0], Placed)
        book = None if handicap else _playable(view.rules)
        if book is None:
            return self._phantom()
        return self._within(seeded(self.name, book, self.seed, _make))

    def _phantom(self) -> Bot:
        return self._within(Phantom(self.seed))

    def _within(self, bot: Bot) -> Bot:
        return bot.within(self.times) if self.times else bot


@cache
def _playable(rules: Rules) -> Book | None:
    """The book for these rules; None if there is none, or its bot has changed since."""
    book = book_for(PLAYER, rules)
    if book is None:
        return None
    changes = changed_bots(book, _make)
    for sentence in changes:
        _log.warning("%s; the champion plays without it", sentence)
    if changes:
        return None
    _log.info("the champion plays from book %s", book.name)
    return book


def _is_for_player(book: Book) -> bool:
    return book.fits(PLAYER, book.phantom_go.rules)


def _make(spec: str, seed: int) -> Bot:
    """The player; there are no other bots in its books."""
    if spec != PLAYER:
        raise BadText(f"{spec} is not {PLAYER}")
    return Phantom(seed)
