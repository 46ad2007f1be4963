"""`book:NAME`: a bot that plays a book, which draws a line at the start of each game.

The lines and their probabilities were learned (phantomgo/portfolio); playing them costs nothing.
As CIG 2016 suggests under further work, a book is also played under one of the eight symmetries of
the board, drawn for each game: which makes what an opponent has learned about a line harder to use.
The steps of a line decide the first own moves of a game, under every time control; after them the
deployed bot plays on with the seed of the game, on its clock. Knowing the book reveals how such a
game begins, not how it continues.

A book of moves maps situations to moves instead: it plays what won most often in its situation, and
its bot elsewhere (Audouard et al., Grid coevolution for adaptive simulations, 2009, algorithm 1).
"""

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from os.path import isdir
from typing import Self

from bots.fingerprint import fingerprint
from bots.naming import BEST, NO_BOOK, BookSpec, Head, head_of, parse, played_by, with_book
from bots.spec import REMEMBERED, Bot, Delegate, Make
from phantomgo.beginning import START, Beginning
from phantomgo.errors import BadBook, BadText
from phantomgo.identity import Identity
from phantomgo.information_state import information_state
from phantomgo.player import Decision
from phantomgo.points import BLACK, WHITE, Colour, Move
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.line import Line
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any
from phantomgo.rng import checked_seed
from phantomgo.rules import Rules
from phantomgo.symmetry import IDENTITY, Symmetry, inverse, map_move
from phantomgo.view import View, map_view

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LineBot(Delegate):
    """A bot that plays a line on a turned board, and lets another bot play on.

    Bots of the line ignore time limits: seeds are learned for a number of playouts.

    Attributes:
        steps: the bots of the line, each with the own move before which it stops deciding.
        symmetry: how the board is turned for them.
        after: plays on; None where the line decides the whole game.
    """

    steps: tuple[tuple[Bot, float], ...]
    symmetry: Symmetry = IDENTITY
    after: Bot | None = None

    @property
    def name(self) -> str:
        return self.players[-1].name

    @property
    def players(self) -> tuple[Bot, ...]:
        return (*(bot for bot, _ in self.steps), *([] if self.after is None else [self.after]))

    def player(self, view: View) -> Bot:
        # Beliefs refer to the board as it is, so they don't reveal how it was turned for a game.
        return self._step(view) or self.players[-1]

    def _step(self, view: View) -> Bot | None:
        return next((bot for bot, end in self.steps if view.turn < end), None)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        bot = self._step(view)
        if bot is None:
            return self.players[-1].decide(view, seconds)
        decision = bot.decide(map_view(self.symmetry, view))
        back = partial(map_move, inverse(self.symmetry), size=view.rules.size)
        return decision.mapped(back)

    def with_budget(self, times: int) -> Self:
        steps = tuple((bot.with_budget(times), end) for bot, end in self.steps)
        return replace(self, steps=steps, after=self.after and self.after.with_budget(times))


def line_bot(
    line: Line, make: Make, seed: int, symmetry: Symmetry = IDENTITY, after: Bot | None = None
) -> LineBot:
    """The bot that plays a line with the seed of a game, and lets `after` play on.

    `make` makes the bots of the line's steps.
    """
    end, steps = 0.0, []
    for step in line:
        end += math.inf if step.moves is None else step.moves
        steps.append((make(step.bot, seed if step.seed is None else step.seed), end))
    last = line[-1].seed if after is None else None  # decides the whole game
    return LineBot(seed if last is None else last, tuple(steps), symmetry, after)


@dataclass(frozen=True)
class BookBot(Delegate):
    """A bot that plays from a book, with a player for each colour.

    Its seed, the one of the game, has drawn the lines of both colours: the same game seed always
    gives the same player, so every new game needs a new seed.

    Attributes:
        text: the spec that made it.
        book: the book it plays from.
        black: decides for Black.
        white: decides for White.
    """

    text: str
    # Not printed: the server says which book it plays, never which line.
    book: AnyBook = field(repr=False)
    black: Bot = field(repr=False)
    white: Bot = field(repr=False)

    @property
    def name(self) -> str:
        return self.text

    @property
    def players(self) -> tuple[Bot, ...]:
        return self.black, self.white

    def player(self, view: View) -> Bot:
        setup = self.book.phantom_go
        setup.check_size(self.text, view.rules.size)
        # A book that opens another bot's games is announced with its rules (bots/opening.py).
        if view.rules.komi != setup.rules.komi and head_of(self.text) is Head.BOOK:
            _note_komi(self.text, setup.rules.komi, view.rules.komi)
        return self.black if view.colour is BLACK else self.white

    def opens_from(self, view: View) -> str | None:
        return self.book.name if view.colour in self.book.colours else None

    def with_budget(self, times: int) -> Self:
        return replace(
            self, black=self.black.with_budget(times), white=self.white.with_budget(times)
        )

    def data(self) -> Mapping[str, str]:
        return {**super().data(), f"book {self.book.name}": self.book.digest}


@dataclass(frozen=True)
class MovesBot(BookBot):
    """A bot that plays from a book of moves; its players decide where the book knows nothing."""

    book: MoveBook = field(repr=False)

    def known(self, view: View) -> Move | None:
        """The move of the book in this view; None if it has none that is good enough.

        In a symmetric view the seed chooses among the images of the move.
        """
        self.book.setup.check_size(self.text, view.rules.size)
        if view.turn >= self.book.growth.depth:
            return None
        told = information_state(view)
        move = self.book.move(view.colour, told.text)
        return None if move is None else told.meant(move, self.stream(view).below(1 << 32))

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        known = self.known(view)
        return super().decide(view, seconds) if known is None else Decision(known)


def make_book(text: str, spec: BookSpec, seed: int, make: Make) -> BookBot:
    """The bot of a spec `book:NAME`, `book:FILE.json`, or with options after a comma.

    Options are `symmetry=on` (default) or `off`, `force=on` to play a book whose bot has changed,
    or with other announcements than it was learned with, and `code=on` to run the
    module of a bot `MODULE:CLASS` that the book names. `make` makes the bots of the book.

    Raises:
        BadText: the seed is out of range.
        BadBook: there is no such book, it is not a good one, or its bot has changed.
    """
    checked_seed(seed)
    book = _verified(spec.source, make, spec.force)
    if isinstance(book, MoveBook):
        return MovesBot(seed, text, book, *(make(book.player(colour), seed) for colour in Colour))
    return playing(text, book, seed, make, symmetry=spec.symmetry)


def is_one_book(source: str) -> bool:
    """True if a value of `book` names one book: not `best`, `none` or a folder."""
    return source not in (NO_BOOK, BEST) and not isdir(source)  # False of too long a name


def spec_with(bot: str, book: str) -> str:
    """The spec of this bot with a book that opens its games; of a book of whole games, its own."""
    if is_one_book(book) and math.isinf(read_any(book).moves):
        return f"{Head.BOOK}{book}"
    return with_book(bot, book)


def playing(
    text: str, book: Book, seed: int, make: Make, *, symmetry: bool = True, after: Bot | None = None
) -> BookBot:
    """The bot named `text` that plays from a book, without checking whether its bots have changed.

    With `symmetry` it plays under a drawn symmetry of the board. The bot that plays on after a line
    is `after`, or the book's own with the seed of the game.
    """

    def draw(colour: Colour) -> Bot:
        """The player that this game's seed draws for a colour, independently of the other's."""
        plays_on = after or make(book.player(colour), seed)
        line = book.line(seed, colour)
        if not line:
            return plays_on
        turn = book.symmetry(seed, colour) if symmetry else IDENTITY
        return line_bot(line, make, seed, turn, None if line[-1].moves is None else plays_on)

    return BookBot(seed, text, book, draw(BLACK), draw(WHITE))


@lru_cache(REMEMBERED)
def _note_komi(text: str, learned: float, komi: float) -> None:
    """Log once that a book plays at another komi than its own."""
    _log.info("%s was learned with komi %g and may be worth less with %g", text, learned, komi)


def check_size(text: str, size: int) -> None:
    """See that the books of a bot spec, if it names any, are for boards of this size."""
    for played, spec in named_books(text):
        read_any(spec.source).phantom_go.check_size(played, size)


def check_rules(text: str, rules: Rules, beginning: Beginning | None = START) -> None:
    """See that the books of a bot spec, if it names any, are for games by these rules.

    Komi may differ, which is logged when the bot plays; with `force=on`, all but the size may. The
    beginning is None if it is unknown yet.
    """
    check_size(text, rules.size)
    given = rules.as_dict()
    for played, spec in named_books(text):
        if spec.force:
            continue
        setup = read_any(spec.source).phantom_go
        for key, value in setup.rules.as_dict().items():
            if key != "komi" and given[key] != value:
                raise _for_others(played, f"{key} {value}", given[key])
        if beginning not in (None, setup.beginning):
            begun = (setup.beginning, beginning or START)
            learned, asked = (begins.text(rules.size) or "an empty board" for begins in begun)
            raise _for_others(played, learned, "others" if asked == learned else asked)


def named_books(text: str) -> Iterator[tuple[str, BookSpec]]:
    """The bots behind a spec that play from a book, and their specs."""
    for played in played_by(text):
        spec = parse(played)
        if isinstance(spec, BookSpec):
            yield played, spec


def _for_others(played: str, learned: str, given: object) -> BadBook:
    return BadBook(
        f"{played} was learned with {learned}, not {given}; {played},force=on plays it anyway"
    )


def quick_changes(book: AnyBook, make: Make) -> list[str]:
    """A sentence for each bot of a book that has changed since the book was learned.

    Bots are compared by their attempts in a few fixed views and by their learned data. Whole games
    show more, but take a referee, which no bot may import (phantomgo/lab/books.py).

    Raises:
        BadBook: the book is for a bot that does not exist, that plays by the clock, or for
            another book.
    """
    return _changes(book, book.players, make)


def opener_changes(book: AnyBook, make: Make) -> list[str]:
    """The same of the bots that decide in its lines alone, not of those that play on."""
    found = {learned.name: (whose, learned) for whose, learned in book.players}
    return _changes(book, [found[name] for name in deciders(book)], make)


def deciders(book: AnyBook) -> list[str]:
    """The specs of the bots that decide in a book's lines; a book of moves has none."""
    return [] if isinstance(book, MoveBook) else sorted(book.black.bots | book.white.bots)


def _changes(book: AnyBook, players: Sequence[tuple[str, Identity]], make: Make) -> list[str]:
    found, rules = [], book.phantom_go.rules
    look: Callable[[str], str] = cache(lambda name: fingerprint(partial(make, name), rules))
    for whose, learned in players:
        if head_of(learned.name) is Head.BOOK:
            raise BadBook(f"book {book.name}: {whose} {learned.name} is a book itself")
        try:
            bot = make(learned.name, 0)
        except BadText as error:
            raise BadBook(f"book {book.name}: {whose}: {error}") from error
        if not bot.deterministic:
            raise BadBook(f"book {book.name}: {whose} {bot.name} plays by the clock")
        now = replace(learned, fingerprint=look(learned.name), data=bot.data())
        difference = learned.difference(now)
        if difference is not None:
            found.append(changed(book, whose, learned.name, difference))
    return found


def changed(book: AnyBook, whose: str, spec: str, difference: str) -> str:
    """The sentence that says how a bot has changed since the book was learned."""
    return f"book {book.name}: {whose} {spec} has changed since it was learned: {difference}"


def refuse(changes: list[str], *, force: bool) -> None:
    """Refuse a book for what has changed since it was learned."""
    if changes and not force:
        raise BadBook("; ".join(changes) + "; learn it again, or override by force")
    for sentence in changes:
        _log.warning("%s; playing it anyway, but its seeds are worthless now", sentence)


@cache
def _verified(source: str, make: Make, force: bool) -> AnyBook:
    """The book, checked once per process."""
    book = read_any(source)
    refuse(quick_changes(book, make), force=force)
    return book
