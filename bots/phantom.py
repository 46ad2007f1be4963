"""`phantom`: the strongest player, on every board.

It searches by playouts (bots/halving.py), with the newest nets on the boards where they have been
measured to win. Without handicap stones it opens from a shipped book, if one was learned for this
board, komi and rules. A book that is left after some moves opens the game if `phantom` plays on a
clock or thinks at least as long as the book's bot. A book whose seeds decide whole games needs the
default number of playouts and no time limit, as its seeds were learned with them; under a time
limit a book of moves takes its place where there is one. `book=none` uses no book, and `net=NAME`
searches with the named nets, without books.
"""

import logging
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self, TypeVar

from bots import make
from bots.delegate import Delegate
from bots.halving import Halving
from bots.naming import Head
from bots.nets import DEFAULT, NONE, read_net
from bots.opening import MovesBot
from bots.seeded import book_changes, seeded
from bots.spec import Bot, choice, like, parameters, source
from phantomgo.errors import BadText
from phantomgo.messages import Placed
from phantomgo.points import BLACK, MIN_SIZE
from phantomgo.portfolio.book import Book, book_for, book_names, read_book
from phantomgo.portfolio.movebook import MoveBook, read_moves
from phantomgo.rules import Rules
from phantomgo.view import View

BEST: Final = "best"
"""The value of `net` and `book` that leaves the choice to `phantom`."""
NEWEST: Final = "stones4"
"""The newest net of hidden stones."""
JUDGE: Final = "judge2"
"""The newest net of candidates that lessons have taught."""
PRESETS: Final[Mapping[int, Mapping[str, Any]]] = MappingProxyType(
    {
        MIN_SIZE: {"net": DEFAULT},
        5: {"net": DEFAULT, "judge": "judge4", "trust": 428, "fold": "on"},
        7: {"net": NEWEST, "judge": "judge3", "trust": 841, "fold": "on"},
        8: {"net": NEWEST, "judge": JUDGE, "trust": 300},
    }
)
"""The meaning of `net=best` on boards of this size and more: the settings that win most there.
Outcomes have taught `judge3` and `judge4` (docs/notes/outcomes.md)."""
OPENING_BOOK: Final = "open7"
"""The book of moves that it opens from under a time limit."""
PLAYERS: Final = (
    f"phantom:net={DEFAULT}",
    f"phantom:playouts=5000,net={DEFAULT},judge=judge4,trust=428,fold=on",
    *(
        f"{Head.VARIANTS}phantom:net=stones3,judge={JUDGE},{more}|phantom:net={DEFAULT}"
        for more in ("trust=300", "trust=1000,fold=on")
    ),
)
"""The bots whose books it plays from: `phantom` with the nets that used to be the newest."""

_CHECKING: Final = threading.Lock()
_log = logging.getLogger(__name__)
B = TypeVar("B", bound=Bot)


@dataclass(frozen=True)
class Phantom(Delegate):
    kind: ClassVar[str] = "phantom"
    gone: ClassVar[Mapping[str, str]] = Halving.gone
    glance: ClassVar[Mapping[str, int]] = Halving.glance
    resign: int = like(Halving, "resign")
    time: float = like(Halving, "time")
    playouts: int = like(Halving, "playouts")
    per_candidate: int = like(Halving, "per_candidate")
    threads: int = like(Halving, "threads")
    amaf: int = like(Halving, "amaf")
    narrow: int = like(Halving, "narrow")
    net: str = source(
        BEST,
        f"a net's name, a .json file, {NONE} or {BEST}",
        f"the belief net that draws hidden stones; {BEST} chooses judge, trust and fold too",
    )
    judge: str = like(Halving, "judge")
    trust: int = like(Halving, "trust")
    fold: str = like(Halving, "fold")
    retry: str = like(Halving, "retry")
    book: str = choice(BEST, (BEST, NONE), f"open from the shipped book that fits, if net={BEST}")
    times: int = field(default=0, repr=False)
    """The bound of its budget, in multiples of that at a glance; 0 for no bound."""

    def __post_init__(self) -> None:
        """Raises BadText: a net cannot be read, or net=best is not left to choose."""
        if self.net == BEST:
            for key in ("judge", "trust", "fold"):
                if getattr(self, key) != getattr(Halving, key):
                    value = getattr(self, key)
                    raise BadText(f"phantom: {key}={value} needs net=NAME; net={BEST} chooses it")
        self._searches  # noqa: B018  (it reads the nets)

    @property
    def players(self) -> tuple[Bot, ...]:
        return tuple(self._searches.values())

    def player(self, view: View, seconds: float = math.inf) -> Bot:
        """The search, or a bot that opens from the book that fits this view and this time."""
        bot, rules = self.search(view.rules.size), view.rules
        if (self.net, self.book) != (BEST, BEST):
            return bot
        timed = bool(self.time) or not math.isinf(seconds)
        handicap = view.events and isinstance(view.events[0], Placed)
        book = None if handicap else self._book(rules, timed)
        if book is not None:
            return self._bounded(seeded(self.name, book, self.seed, make, after=bot))
        opening = _opening(rules) if timed else None
        return bot if opening is None else MovesBot(self.seed, self.name, opening, bot, bot)

    def _book(self, rules: Rules, timed: bool) -> Book | None:
        """The book of seeds that it opens from, or None."""
        left = shipped_book(rules, left=True)
        if left is not None and (timed or self.playouts >= _playouts(left)):
            return _played(rules, left=True)
        whole = shipped_book(rules, left=False) if self._as_learned and not timed else None
        return None if whole is None else _played(rules, left=False)

    def search(self, size: int) -> Halving:
        """The search on boards of this size, without books."""
        return self._searches[max(least for least in self._searches if least <= size)]

    def named(self, size: int) -> Self:
        """The same search on boards of this size, its nets by name: it uses no book."""
        search = self.search(size)
        keys = {f.name for f in parameters(Halving)}
        return replace(self, **{key: getattr(search, key) for key in keys}, book=NONE)

    def warm_up(self, size: int) -> None:
        self.search(size).warm_up(size)
        if (self.net, self.book) == (BEST, BEST):
            # Checking a book takes seconds, once per machine, too long for a move on a clock.
            for book in filter(_is_for_players, map(read_book, book_names())):
                if book.left and book.phantom_go.rules.size == size:
                    _playable(book.phantom_go.rules, left=True)

    def within(self, times: int) -> Self:
        return replace(self, times=times) if self._as_learned else super().within(times)

    def data(self) -> Mapping[str, str]:
        if self.net != BEST:
            return self.search(MIN_SIZE).data()
        named = (preset.get(key) for preset in PRESETS.values() for key in ("net", "judge"))
        found = {f"net {name}": read_net(name, None).digest for name in named if name}
        if self.book == BEST:
            shipped = filter(_is_for_players, map(read_book, book_names()))
            found |= {f"book {book.name}": book.digest for book in shipped}
            found[f"book {OPENING_BOOK}"] = read_moves(OPENING_BOOK).digest
        return found

    @cached_property
    def _searches(self) -> Mapping[int, Halving]:
        """The searches, by the smallest board size that they are for."""
        given = {f.name: getattr(self, f.name) for f in parameters(Halving)}
        presets = PRESETS if self.net == BEST else {MIN_SIZE: {}}
        return {
            least: self._bounded(Halving(self.seed, **{**given, **preset}))
            for least, preset in presets.items()
        }

    @property
    def _as_learned(self) -> bool:
        """True if it has the parameters with which seeds are learned."""
        return replace(self, threads=1).name == self.kind

    def _bounded(self, bot: B) -> B:
        return bot.within(self.times) if self.times else bot


def shipped_book(rules: Rules, *, left: bool) -> Book | None:
    """The shipped book for these rules, one that is left, or one of whole games; None if there is
    none.
    """
    books = (book_for(player, rules) for player in PLAYERS)
    return next((book for book in books if book is not None and book.left is left), None)


def _playouts(book: Book) -> int:
    """The playouts of a book's opening."""
    bot = make(book.player(BLACK), 0)
    assert isinstance(bot, Phantom)
    return bot.playouts


@cache
def _playable(rules: Rules, *, left: bool) -> Book | None:
    """The book for these rules; None without one, or if its bot has changed since."""
    book = shipped_book(rules, left=left)
    if book is None:
        return None
    with _CHECKING:  # another thread that waited here finds the result cached
        changes = book_changes(book, make)
    for sentence in changes:
        _log.warning("%s; phantom plays without it", sentence)
    if changes:
        return None
    return book


@cache
def _played(rules: Rules, *, left: bool) -> Book | None:
    """The same book, logged the first time that a game is played from it."""
    book = _playable(rules, left=left)
    if book is not None:
        _log.info("phantom plays %s from book %s", " and ".join(map(str, book.colours)), book.name)
    return book


@cache
def _opening(rules: Rules) -> MoveBook | None:
    """The book of moves for these rules, or None."""
    book = read_moves(OPENING_BOOK)
    return book if book.setup.rules == rules else None


def _is_for_players(book: Book) -> bool:
    return any(book.fits(player, book.phantom_go.rules) for player in PLAYERS)
