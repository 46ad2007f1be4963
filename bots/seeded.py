"""`book:NAME`: a bot driven by a book, which draws its seed at the start of each game.

The seeds and their probabilities were learned (phantomgo/portfolio); playing them costs nothing.
As CIG 2016 suggests under further work, it also plays under one of the eight symmetries of the
board, drawn for each game: which makes what an opponent has learned about a seed harder to use. A
book that is *left* decides only the first own moves of a game, under every time control; then the
bot plays on with the seed of the game, on its clock. Knowing the book reveals how such a game
begins, not how it continues.
"""

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import ClassVar, Final, Self, TypeAlias

from bots.decision import Decision
from bots.delegate import Delegate
from bots.fingerprint import fingerprint
from bots.naming import BookSpec, Head, OpeningSpec, head_of, parse, played_by
from bots.opening import BookBot, MovesBot
from bots.spec import Bot, Make
from phantomgo.beginning import START, Beginning
from phantomgo.errors import BadBook, BadText
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any
from phantomgo.rng import Stream, checked_seed, decision_key
from phantomgo.rules import Rules
from phantomgo.symmetry import IDENTITY, Symmetry, inverse, map_move, map_view
from phantomgo.view import View

_log = logging.getLogger(__name__)


def check_size(text: str, size: int) -> None:
    """See that the books of a bot spec, if it names any, are for boards of this size.

    Raises:
        BadBook: one is for another, or there is no such book.
    """
    for played, spec in _books(text):
        read_any(spec.source).phantom_go.check_size(played, size)


def check_rules(text: str, rules: Rules, beginning: Beginning | None = START) -> None:
    """See that the books of a bot spec, if it names any, are for games by these rules.

    With `force=on`, all but the size may differ. The beginning is None if it is unknown yet.

    Raises:
        BadBook: one is for others, or there is no such book.
    """
    check_size(text, rules.size)
    given = rules.as_dict()
    for played, spec in _books(text):
        if spec.force:
            continue
        setup = read_any(spec.source).phantom_go
        for key, value in setup.rules.as_dict().items():
            if given[key] != value:
                raise _for_others(played, f"{key} {value}", given[key])
        if beginning not in (None, setup.beginning):
            begun = (setup.beginning, beginning or START)
            learned, asked = (begins.text(rules.size) or "an empty board" for begins in begun)
            raise _for_others(played, learned, "others" if asked == learned else asked)


def _books(text: str) -> Iterator[tuple[str, BookSpec]]:
    """The bots behind a spec that play or open from a book, and their specs."""
    for played in played_by(text):
        match parse(played):
            case BookSpec() as spec:
                yield played, spec
            case OpeningSpec(_, book, force):
                yield played, BookSpec(book, force=force)


def _for_others(played: str, learned: str, given: object) -> BadBook:
    return BadBook(
        f"{played} was learned with {learned}, not {given}; {played},force=on plays it anyway"
    )


@dataclass(frozen=True)
class Turned(Delegate):
    """A bot that sees the board turned: what a book plays in a game once it has drawn.

    It ignores time limits: seeds are learned for a number of playouts.
    """

    kind: ClassVar[str] = "turned"
    bot: Bot
    symmetry: Symmetry

    @property
    def name(self) -> str:
        return self.bot.name

    @property
    def players(self) -> tuple[Bot, ...]:
        return (self.bot,)

    def player(self, view: View, seconds: float = math.inf) -> Bot:  # noqa: ARG002
        # Beliefs refer to the board as it is, so they don't reveal how it was turned for a game.
        return self.bot

    def propose(self, view: View) -> Move:
        return self._meant(self.bot.propose(self._turned(view)), view.rules.size)

    def propose_within(self, view: View, seconds: float) -> Move:  # noqa: ARG002
        return self.propose(view)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        decision = self.bot.decide(self._turned(view))
        return decision.turned(self, view, partial(self._meant, size=view.rules.size))

    def _turned(self, view: View) -> View:
        return map_view(self.symmetry, view)

    def _meant(self, attempt: Move, size: int) -> Move:
        return map_move(inverse(self.symmetry), attempt, size)

    def within(self, times: int) -> Self:
        return replace(self, bot=self.bot.within(times))


@dataclass(frozen=True)
class Leaving(Delegate):
    """A bot whose first moves in a game another bot decides.

    Attributes:
        opening: decides the first own moves.
        moves: how many.
        after: decides the others.
    """

    kind: ClassVar[str] = "leaving"
    opening: Bot
    moves: int
    after: Bot

    @property
    def name(self) -> str:
        return self.after.name

    @property
    def players(self) -> tuple[Bot, ...]:
        return self.opening, self.after

    def player(self, view: View, seconds: float = math.inf) -> Bot:  # noqa: ARG002
        return self.opening if view.turn < self.moves else self.after

    def within(self, times: int) -> Self:
        opening, after = self.opening.within(times), self.after.within(times)
        return replace(self, opening=opening, after=after)


def in_turn(opening: Sequence[tuple[Bot, int]], after: Bot) -> Bot:
    """A bot made of several, each of which decides until this many own moves have been played."""
    for bot, moves in reversed(opening):
        after = Leaving(bot.seed, bot, moves, after)
    return after


def on_turned_board(bot: Bot, symmetry: Symmetry) -> Turned:
    """The bot, with the board turned by this symmetry."""
    return Turned(bot.seed, bot, symmetry)


@dataclass(frozen=True)
class SeededBot(BookBot):
    """A bot whose seed, the one of this game, has drawn the players of both colours from a book.

    The same game seed always gives the same player, so every new game needs a new seed.
    """

    book: Book = field(repr=False)

    def player(self, view: View, seconds: float = math.inf) -> Bot:
        self.book.phantom_go.check_size(self.text, view.rules.size)
        return super().player(view, seconds)

    def opens_from(self, view: View, seconds: float = math.inf) -> str | None:
        unused = self.book.side(view.colour).unused
        return None if unused else super().opens_from(view, seconds)


def make_seeded(text: str, spec: BookSpec, seed: int, make: Make) -> SeededBot | MovesBot:
    """The bot of a spec `book:NAME`, `book:FILE.json`, or with options after a comma.

    Options are `symmetry=on` (default) or `off`, `force=on` to play a book whose bot has changed,
    or with another komi or other announcements than it was learned with, and `code=on` to run the
    module of a bot `MODULE:CLASS` that the book names. `make` makes the bot the book is for.

    Raises:
        BadText: the seed is out of range.
        BadBook: there is no such book, it is not a good one, or its bot has changed.
    """
    checked_seed(seed)
    book = _verified(spec.source, make, spec.force)
    if isinstance(book, MoveBook):
        return MovesBot(seed, text, book, *(make(book.player(colour), seed) for colour in Colour))
    return seeded(text, book, seed, make, symmetry=spec.symmetry)


def seeded(
    text: str,
    book: Book,
    seed: int,
    make: Make,
    *,
    symmetry: bool = True,
    after: Bot | None = None,
) -> SeededBot:
    """The bot that plays from a book, without checking whether its bots have changed.

    Args:
        text: the name of the bot.
        book: the book.
        seed: of this game.
        make: makes the bots of the book.
        symmetry: whether to play under a drawn symmetry of the board.
        after: the bot that plays on once the book is left; None for the book's own bot with the
            seed of the game.
    """
    draw = partial(_draw, book, seed, make, symmetry, after)
    return SeededBot(seed, text, book, draw(BLACK), draw(WHITE))


def quick_changes(book: AnyBook, make: Make) -> list[str]:
    """A sentence for each colour whose bot attempts other moves in a few fixed views than it did
    when the book was learned.

    Raises:
        BadBook: the book is for a bot that does not exist, that plays by the clock, or for
            another book.
    """
    found, setup = [], book.phantom_go
    look = cache(lambda name: fingerprint(partial(make, name), setup.rules))
    for colour, learned in zip(Colour, (setup.black, setup.white), strict=True):
        if head_of(learned.name) is Head.BOOK:
            raise BadBook(f"book {book.name}: {colour}'s bot {learned.name} is a book itself")
        try:
            bot = make(learned.name, 0)
        except BadText as error:
            raise BadBook(f"book {book.name}: {colour}'s bot: {error}") from error
        if not bot.pure:
            raise BadBook(f"book {book.name}: {colour}'s bot {bot.name} plays by the clock")
        now = replace(learned, fingerprint=look(learned.name), data=bot.data())
        difference = learned.difference(now)
        if difference is not None:
            found.append(changed(book, colour, difference))
    return found


Check: TypeAlias = Callable[[AnyBook, Make], list[str]]
"""Returns a sentence for each way in which a book differs from what was learned."""
CHECKS: Final[list[Check]] = [quick_changes]
"""Checks that a book passes before it is played. Whole games take a referee, which no bot may
import, so the laboratory appends the check that plays them (phantomgo/lab/books.py)."""


def book_changes(book: AnyBook, make: Make) -> list[str]:
    """The sentences of the first check that a book fails; empty if it passes all.

    Raises:
        BadBook: as `quick_changes`.
    """
    return next(filter(None, (check(book, make) for check in CHECKS)), [])


def changed(book: AnyBook, colour: Colour, difference: str) -> str:
    """The sentence that says how a colour's bot has changed since the book was learned."""
    return (
        f"book {book.name}: {colour}'s bot {book.player(colour)} has changed since it was"
        f" learned: {difference}"
    )


def refuse_changed(book: AnyBook, make: Make, *, force: bool) -> None:
    """Check that the book still plays what was learned.

    Raises:
        BadBook: one of its bots has changed, and `force` is off.
    """
    refuse(book_changes(book, make), force=force)


def refuse(changes: list[str], *, force: bool) -> None:
    """Refuse a book for what has changed since it was learned.

    Raises:
        BadBook: something has changed, and `force` is off.
    """
    if changes and not force:
        raise BadBook("; ".join(changes) + "; learn it again, or override by force")
    for sentence in changes:
        _log.warning("%s; playing it anyway, but its seeds are worthless now", sentence)


@cache
def _verified(source: str, make: Make, force: bool) -> AnyBook:
    """The book, checked once per process."""
    book = read_any(source)
    refuse_changed(book, make, force=force)
    return book


def _draw(
    book: Book, seed: int, make: Make, symmetry: bool, after: Bot | None, colour: Colour
) -> Bot:
    """The player that this game's seed draws for a colour, independently of the other's."""
    stream = Stream(decision_key(seed, colour, 0, 0))
    side, player = book.side(colour), book.player(colour)
    drawn = side.draw(stream)
    turns = book.phantom_go.symmetries if symmetry else [IDENTITY]
    turn = turns[stream.below(len(turns))]
    line = side.line(drawn)
    if not line:
        return on_turned_board(make(player, drawn), turn)
    opening = ((on_turned_board(make(player, one), turn), moves) for one, moves in line)
    return in_turn(list(opening), after or make(player, seed))
