"""`book:NAME`: a bot driven by a book, which draws its seed at the start of each game.

The seeds and their probabilities were learned (phantomgo/portfolio); playing them costs nothing.
As CIG 2016 suggests under further work, it also plays under one of the eight symmetries of the
board, drawn for each game: what an opponent learned about a seed is then harder to use.
"""

import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import ClassVar, TypeAlias

from bots.decision import Decision
from bots.fingerprint import fingerprint
from bots.spec import Bot
from phantomgo.errors import BadBook, BadText
from phantomgo.points import BLACK, WHITE, Colour, Move, Point
from phantomgo.portfolio.book import SPEC, Book, Played, read
from phantomgo.rng import MAX_SEED, Stream, decision_key
from phantomgo.symmetry import IDENTITY, SYMMETRIES, Symmetry, inverse, map_move, map_view
from phantomgo.view import View

Make: TypeAlias = Callable[[str, int], Bot]
"""A bot spec and a seed to the bot."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Drawn:
    """What is fixed for a game: the bot with the drawn seed, and how the board is turned."""

    bot: Bot
    symmetry: Symmetry

    def turned(self, view: View) -> View:
        """The view as the bot sees it."""
        return map_view(self.symmetry, view)

    def meant(self, attempt: Move, size: int) -> Move:
        """The bot's attempt on the board as it is."""
        return map_move(inverse(self.symmetry), attempt, size)


@dataclass(frozen=True)
class SeededBot(Bot):
    """A bot whose seed, the one of this game, draws the seed that is played.

    With the same game seed it is the same player for ever; whoever starts a game gives it a new
    one. It takes no notice of a time limit: the seeds were learned for so many playouts.

    Attributes:
        text: the spec that made it.
        size: the board the book is for.
        black: what was drawn for Black.
        white: what was drawn for White.
    """

    kind: ClassVar[str] = "book"
    text: str
    size: int
    # Not for printing: the server says which book it plays, never which seed.
    black: Drawn = field(repr=False)
    white: Drawn = field(repr=False)

    @property
    def name(self) -> str:
        return self.text

    def propose(self, view: View) -> Move:
        drawn = self._drawn(view)
        return drawn.meant(drawn.bot.propose(drawn.turned(view)), self.size)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        drawn = self._drawn(view)
        decision = drawn.bot.decide(drawn.turned(view))
        return decision.turned(self, view, partial(drawn.meant, size=self.size))

    def stone_shares(self, view: View) -> Mapping[Point, float]:
        # On the board as it is: so nothing tells how it was turned for this game.
        return self._drawn(view).bot.stone_shares(view)

    def warm_up(self, size: int) -> None:
        for drawn in (self.black, self.white):
            drawn.bot.warm_up(size)

    def _drawn(self, view: View) -> Drawn:
        size = view.rules.size
        if size != self.size:
            raise BadBook(f"{self.text} is for {self.size}x{self.size}, not {size}x{size}")
        return self.black if view.colour is BLACK else self.white


def make_seeded(text: str, played: Played, seed: int, make: Make) -> SeededBot:
    """The bot of a spec `book:NAME`, `book:FILE.json`, or with options after a comma.

    Options are `symmetry=on` (default) or `off`, and `force=on` to play a book whose bot has
    changed since, or with another komi or other announcements than it was learned with.

    Args:
        text: the spec.
        played: what it says (`phantomgo.portfolio.book.parse_spec`).
        seed: the seed of this game.
        make: makes the bot the book is for.

    Raises:
        BadText: the seed is out of range.
        BadBook: there is no such book, it is not a good one, or its bot has changed.
    """
    if not 0 <= seed <= MAX_SEED:
        raise BadText(f"seed {seed} is not from 0 to {MAX_SEED}")
    book = _verified(played.source, make, played.force)
    draw = partial(_draw, book, seed, make, played.symmetry)
    return SeededBot(seed, text, book.size, draw(BLACK), draw(WHITE))


def changed_bots(book: Book, make: Make) -> list[str]:
    """A sentence for each colour whose bot does not behave as it did when the book was learned.

    Raises:
        BadBook: the book is for a bot that does not exist, or for another book.
    """
    found = []
    for colour in Colour:
        side = book.side(colour)
        if side.bot.startswith(SPEC):
            raise BadBook(f"book {book.name}: {colour}'s bot {side.bot} is a book itself")
        try:
            now = fingerprint(partial(make, side.bot), book.game_rules())
        except BadText as error:
            raise BadBook(f"book {book.name}: {colour}'s bot: {error}") from error
        if now != side.fingerprint:
            found.append(
                f"book {book.name}: {colour}'s bot {side.bot} has changed since it was learned"
                f" (fingerprint {now}, the book's is {side.fingerprint})"
            )
    return found


def refuse_changed(book: Book, make: Make, *, force: bool) -> None:
    """Make sure that the book's bots are still the ones it was learned with.

    Raises:
        BadBook: one of them has changed, and `force` does not make that a warning.
    """
    changed = changed_bots(book, make)
    if changed and not force:
        raise BadBook("; ".join(changed) + "; learn it again, or override by force")
    for sentence in changed:
        _log.warning("%s; PLAYED ALL THE SAME, but its seeds are worth nothing now", sentence)


@cache
def _verified(source: str, make: Make, force: bool) -> Book:
    """The book, once per process: its bots are fingerprinted, which takes a moment."""
    book = read(source)
    refuse_changed(book, make, force=force)
    return book


def _draw(book: Book, seed: int, make: Make, symmetry: bool, colour: Colour) -> Drawn:
    """What this game's seed draws for a colour. Draws for the two colours are independent."""
    side = book.side(colour)
    stream = Stream(decision_key(seed, colour, 0, 0))
    bot = make(side.bot, side.draw(stream))
    return Drawn(bot, stream.below(len(SYMMETRIES)) if symmetry else IDENTITY)
