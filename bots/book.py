"""Bots that play from books: a book plays their first moves or whole games.

The lines of a book and their probabilities were learned (phantomgo/portfolio); playing them costs
nothing. When a bot is made for a game, the seed of the game draws a line for each colour and, as
CIG 2016 suggests under further work, one of the eight symmetries of the board, which makes what an
opponent has learned about a line harder to use. The steps of a line play the first own moves under
every time control; afterwards another bot continues with the seed of the game, on its clock.
Knowing the book reveals how such a game begins, not how it continues.

A book of moves maps situations to moves instead: it plays the move with the highest win rate in a
known situation, and its bot elsewhere (Audouard et al., Grid coevolution for adaptive simulations,
2009, algorithm 1).

`book:NAME` is the bot that a book is for, played from that book. Every other bot has the parameter
`book`:

- `book=best` takes the book that has been measured to win for this bot on the board, at the komi
  and by the rules (bots/deployed.toml); it is the default of `phantom` with `net=best`, and of no
  other bot. Books of whole games play for a bot that thinks for a set time, but not for one with a
  number of playouts, which sets its strength.
- `book=NAME` or `book=FILE.json` is any book whose lines end, whoever it was learned for.
- `book=FOLDER/` is the book of a folder that fits best.

A book is used on its board, without handicap. A book given by name, file or folder is also used at
another komi, or with other announcements, than it was learned with, and the log says so;
`book:NAME` needs `force=on` for other announcements.
"""

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from os.path import isdir
from pathlib import Path
from typing import ClassVar, Final

from bots import deployed
from bots.bot import Bot, Delegate, Make, canonical
from bots.deployed import NONE
from bots.fingerprint import fingerprint
from bots.spec import BEST, BOOK, BookSpec, is_book, opened_by, played_by
from phantomgo.errors import BadBook, BadText
from phantomgo.game.beginning import START, Beginning, Game
from phantomgo.game.information_state import information_state
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, Colour, Move, Point
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, Symmetry, inverse, map_move
from phantomgo.game.view import View, map_view
from phantomgo.identity import Identity
from phantomgo.portfolio.line import Line, moves_of
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_any
from phantomgo.rng import checked_seed

_log = logging.getLogger(__name__)
_read: Final = cache(read_any)


@dataclass(frozen=True)
class DrawnLine:
    """A line as it is played in one game by one colour, or the moves of a book.

    Bots of a line ignore time limits: seeds are learned for a number of playouts.

    Attributes:
        steps: the bots of a line, each with the number of own moves at which it stops.
        symmetry: how the board is turned for them.
        after: plays after the last step, and where a book of moves has no move; None if the line
            plays the whole game.
        book: the book that the line is from, or whose moves are played.
    """

    steps: tuple[tuple[Bot, float], ...] = ()
    symmetry: Symmetry = IDENTITY
    after: Bot | None = None
    book: AnyBook | None = field(default=None, compare=False)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """Every bot that may play."""
        return (*(bot for bot, _ in self.steps), *([] if self.after is None else [self.after]))

    def step(self, view: View) -> Bot | None:
        """The bot of the line that plays in this view; None after the last step."""
        return next((bot for bot, end in self.steps if view.turn < end), None)

    def with_budget(self, times: int) -> "DrawnLine":
        """The same with at most `times` the budget of a probe for each bot."""
        steps = tuple((bot.with_budget(times), end) for bot, end in self.steps)
        return replace(self, steps=steps, after=self.after and self.after.with_budget(times))


@dataclass(frozen=True)
class LineBot(Delegate):
    """A bot that plays lines, drawn when it was created, and is continued by another bot.

    Its seed, the one of the game, has drawn the lines of both colours: the same seed always gives
    the same player, so every new game needs a new seed.

    Attributes:
        text: the spec that made it.
        black: the line of Black.
        white: the line of White.
        make: makes the bots of lines.
        opened: the same bot without its opening book; None for other bots.
        source: its parameter `book`.
        unchecked: the books, by name or file, whose bots are checked before they play.
    """

    kind: ClassVar[str] = "book"
    text: str
    # Not printed: the server says which book it plays, never which line.
    black: DrawnLine = field(repr=False)
    white: DrawnLine = field(repr=False)
    make: Make = field(repr=False, compare=False)
    opened: Bot | None = None
    source: str = NONE
    unchecked: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.text

    def drawn(self, colour: Colour) -> DrawnLine:
        """The line that it plays as a colour."""
        return self.black if colour is BLACK else self.white

    def as_played(self, colour: Colour) -> "LineBot":
        """The player of this colour; equal for all seeds that play the same."""
        drawn = self.drawn(colour)
        plays_on = drawn.after is not None
        return replace(self, seed=self.seed if plays_on else 0, black=drawn, white=drawn)

    @property
    def books(self) -> list[AnyBook]:
        """The books that it plays from in its game."""
        played = (drawn.book for drawn in (self.black, self.white) if drawn.book is not None)
        return list({book.name: book for book in played}.values())

    @property
    def players(self) -> tuple[Bot, ...]:
        return tuple(dict.fromkeys((*self.black.bots, *self.white.bots)))

    def player(self, view: View) -> Bot:
        # Beliefs refer to the board as it is, so they don't reveal how it was turned for a game;
        # and bots of lines may be weak, or draw no worlds.
        drawn = self.drawn(view.colour)
        return self.opened or drawn.after or drawn.step(view) or drawn.bots[-1]

    def opens_from(self, view: View) -> str | None:
        book = self.drawn(view.colour).book
        if book is None or view.colour not in book.colours or view.turn >= book.moves:
            return None
        self._note(book, view.rules)
        return book.name

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        drawn = self.drawn(view.colour)
        if self.opens_from(view) is not None:
            self._check()
        known = self.known(view)
        if known is not None:
            return Decision(known)
        bot = drawn.step(view)
        if bot is None:
            return drawn.bots[-1].decide(view, seconds)
        decision = bot.decide(map_view(drawn.symmetry, view))
        back = partial(map_move, inverse(drawn.symmetry), size=view.rules.size)
        return decision.mapped(back)

    def known(self, view: View) -> Move | None:
        """The move of a book of moves in this view; None if none is above its threshold.

        In a symmetric view the seed chooses among the images of the move.
        """
        book = self.drawn(view.colour).book
        if not isinstance(book, MoveBook) or view.turn >= book.growth.depth:
            return None
        told = information_state(view)
        move = book.move(view.colour, told.text)
        return None if move is None else told.meant(move, self.stream(view).below(1 << 32))

    def stone_probabilities(self, view: View) -> Mapping[Point, float]:
        return self.player(view).stone_probabilities(view)

    def with_budget(self, times: int) -> "LineBot":
        if self.opened is not None:  # with another budget it may have another book
            return opened(self.opened.with_budget(times), self.source, self.make)
        return replace(
            self, black=self.black.with_budget(times), white=self.white.with_budget(times)
        )

    @property
    def needs(self) -> Sequence[Bot]:
        specs = {spec for book in self.books for spec in deciders(book)}
        lines = (self.make(spec, self.game, 0) for spec in sorted(specs))
        plays_on = (drawn.after for drawn in (self.black, self.white) if drawn.after is not None)
        return [*dict.fromkeys(plays_on), *lines]

    def warm_up(self) -> None:
        self._check()

    def data(self) -> Mapping[str, str]:
        if self.opened is None:  # of all lines, whichever the seed has drawn
            found = {what: digest for bot in self.needs for what, digest in bot.data().items()}
            books = self.books
        else:
            found = dict(self.opened.data())
            books = [*map(_read, sources_of(self.opened, self.source))]
        return {**found, **{f"book {book.name}": book.digest for book in books}}

    def _check(self) -> None:
        for source in self.unchecked:
            refuse(_opener_changes(source, self.make), force=False)

    def _note(self, book: AnyBook, rules: Rules) -> None:
        """Log once that a book is used with other announcements, or at another komi."""
        setup = book.setup
        if self.opened is not None:
            opened = (str(c) for c in Colour if self.drawn(c).book is book)
            other = "" if setup.rules == rules else f", learned with {setup.words}"
            colours = " and ".join(opened)
            _log_once(f"{self.opened.kind} opens as {colours} from book {book.name}{other}")
        elif setup.rules.komi != rules.komi and is_book(self.text):
            learned, komi = setup.rules.komi, rules.komi
            _log_once(
                f"{self.text} was learned with komi {learned:g} and may be worth less with {komi:g}"
            )


@lru_cache(256)  # an untrusted controller may try any komi
def _log_once(sentence: str) -> None:
    _log.info("%s", sentence)


def line_bot(
    line: Line, make: Make, game: Game, seed: int, symmetry: Symmetry = IDENTITY,
    after: Bot | None = None,
) -> LineBot:  # fmt: skip
    """The bot that plays a line as either colour and is continued by `after`.

    Args:
        line: the line.
        make: makes the bots of its steps.
        game: the game that it is made for.
        seed: the seed of steps without one.
        symmetry: how the board is turned for the line.
        after: continues after the line; None if it plays the whole game.
    """
    drawn = DrawnLine(_steps(line, make, game, seed), symmetry, after)
    return LineBot(game, seed, drawn.bots[-1].name, drawn, drawn, make)


def moves_bot(book: MoveBook, bot: Bot, make: Make) -> LineBot:
    """The bot that plays the moves of a book, and plays like `bot` elsewhere, with its seed."""
    drawn = DrawnLine(after=bot, book=book)
    return LineBot(bot.game, bot.seed, book.name, drawn, drawn, make)


def book_bot(spec: BookSpec, game: Game, seed: int, make: Make) -> LineBot:
    """The bot of a spec `book:NAME`, `book:FILE.json`, or with options after a comma.

    Options are `symmetry=on` (default) or `off`, `force=on` to play a book whose bot has changed,
    or with other announcements than it was learned with, and `code=on` to run the module of a bot
    `MODULE:CLASS` that the book names. `make` makes the bots of the book.

    Raises:
        BadText: the seed is out of range.
        BadBook: there is no such book, it is invalid, its bot has changed, or it is for another
            board.
    """
    checked_seed(seed)
    book = _verified(spec.source, make, spec.force)
    return playing(spec.text, book, game, seed, make, symmetric=spec.symmetry)


def playing(
    text: str, book: AnyBook, game: Game, seed: int, make: Make, *, symmetric: bool = True
) -> LineBot:
    """The bot named `text` that a book is for, without checking whether its bots have changed."""
    book.setup.check_size(text, game.rules.size)
    bots = {spec: make(spec, game, seed) for spec in map(book.player, Colour)}
    black, white = (
        _drawn(book, colour, bots[book.player(colour)], make, symmetric=symmetric)
        for colour in Colour
    )
    return LineBot(game, seed, text, black, white, make)


def opened(bot: Bot, source: str, make: Make) -> LineBot:
    """The bot with this opening book, which may be a folder of books, or the best shipped one.

    Raises:
        BadBook: there is no such book, it is invalid, or its lines do not end.
    """
    if is_one_book(source):
        _check_that_lines_end(source)
    chosen = [_fitting(bot, source, colour) for colour in Colour]
    black, white = (
        DrawnLine(after=bot) if book is None else _drawn(_read(book), colour, bot, make)
        for colour, book in zip(Colour, chosen, strict=True)
    )
    unchecked = () if source == BEST else tuple({book for book in chosen if book is not None})
    text = canonical(bot, source)
    return LineBot(bot.game, bot.seed, text, black, white, make, bot, source, unchecked)


def without_opening(bot: Bot) -> Bot:
    """The same bot without its opening book."""
    return bot if not isinstance(bot, LineBot) or bot.opened is None else bot.opened


def _drawn(
    book: AnyBook, colour: Colour, bot: Bot, make: Make, *, symmetric: bool = True
) -> DrawnLine:
    """The line of a book for a colour in the game of a bot's seed; `bot` continues after it."""
    if isinstance(book, MoveBook):
        return DrawnLine(after=bot, book=book)
    line = book.line(bot.seed, colour)
    if not line:
        return DrawnLine(after=bot, book=book)
    turn = book.symmetry(bot.seed, colour) if symmetric else IDENTITY
    after = None if math.isinf(moves_of(line)) else bot
    return DrawnLine(_steps(line, make, bot.game, bot.seed), turn, after, book)


def _steps(line: Line, make: Make, game: Game, seed: int) -> tuple[tuple[Bot, float], ...]:
    end, steps = 0.0, []
    for step in line:
        end += math.inf if step.moves is None else step.moves
        steps.append((make(step.bot, game, seed if step.seed is None else step.seed), end))
    return tuple(steps)


# Which book opens a game


def is_one_book(source: str) -> bool:
    """True if a value of `book` names one book: not `best`, `none` or a folder."""
    return source not in (NONE, BEST) and not isdir(source)  # False of too long a name


def spec_with(bot: str, book: str) -> str:
    """The spec of this bot with an opening book; for a book of whole games, the book's own spec."""
    if is_one_book(book) and math.isinf(read_any(book).moves):
        return f"{BOOK}{book}"
    return opened_by(bot, book)


def sources_of(bot: Bot, source: str) -> tuple[str, ...]:
    """The opening books for a bot, on any board.

    Of the shipped ones, those of whole games are only for bots that think for a set time.
    """
    if source == BEST:
        if bot.kind != deployed.OPENED:
            return ()
        books = (book.name for board in deployed.boards() for book in board.books)
        return tuple(book for book in books if not bot.deterministic or _ends(book))
    return _of_folder(source) if isdir(source) else (source,)


def _ends(source: str) -> bool:
    return _read(source).moves < math.inf


def _fitting(bot: Bot, source: str, colour: Colour) -> str | None:
    """The book that a bot uses for a colour of its game.

    One of whole games comes first, then one with the same rules, then the one of the nearest komi.
    """
    rules, profile = bot.game.rules, Rules.profile
    if bot.game.beginning.handicap:
        return None

    def distance(book: str) -> tuple[bool, bool, float]:
        learned = _read(book).setup.rules
        other = replace(learned, komi=rules.komi) != rules
        return _ends(book), other, abs(learned.komi - rules.komi)

    def fits(book: str) -> bool:
        found = _read(book)
        return found.setup.rules.size == rules.size and colour in found.colours

    among = sources_of(bot, source)
    if source == BEST:
        measured = {book.name: book for book in deployed.board(rules.size).books}
        among = tuple(
            name
            for name in among
            if (book := measured.get(name)) is not None
            and book.komi[0] <= rules.komi <= book.komi[1]
            and any(profile(one, size=rules.size, komi=rules.komi) == rules for one in book.rules)
        )
    found = min(filter(fits, among), key=distance, default=None)
    if found is None and source != BEST:
        board = f"{rules.size}x{rules.size}"
        _log_once(f"{source} has no lines for {colour} on {board}: it opens without one")
    return found


def _check_that_lines_end(source: str) -> None:
    if not _ends(source):
        raise BadBook(
            f"book {_read(source).name} plays whole games, and opens none for other bots:"
            f" {BOOK}{source} plays it"
        )


@cache
def _of_folder(folder: str) -> tuple[str, ...]:
    """The books of a folder whose lines end, when it is first looked at; others are logged then."""
    found = []
    for file in sorted(map(str, Path(folder).glob("*.json"))):
        try:
            _check_that_lines_end(file)
            found.append(file)
        except BadBook as error:
            _log.warning("%s", error)
    return tuple(found)


# Whether a book fits a game, and its bots are those that it was learned for


def check_size(text: str, size: int) -> None:
    """Check that the books of a bot spec, if it names any, are for boards of this size."""
    for spec in named_books(text):
        read_any(spec.source).setup.check_size(spec.text, size)


def check_rules(text: str, rules: Rules, beginning: Beginning | None = START) -> None:
    """Check that the books of a bot spec, if it names any, are for games by these rules.

    Komi may differ, which is logged when the bot plays; with `force=on`, all but the size may. The
    beginning is None if it is unknown yet.
    """
    check_size(text, rules.size)
    given = rules.as_dict()
    for spec in named_books(text):
        if spec.force:
            continue
        setup = read_any(spec.source).setup
        for key, value in setup.rules.as_dict().items():
            if key != "komi" and given[key] != value:
                raise _for_others(spec.text, f"{key} {value}", given[key])
        if beginning not in (None, setup.beginning):
            begun = (setup.beginning, beginning or START)
            learned, asked = (begins.text(rules.size) or "an empty board" for begins in begun)
            raise _for_others(spec.text, learned, "others" if asked == learned else asked)


def named_books(text: str) -> Iterator[BookSpec]:
    """The specs `book:...` behind a spec."""
    return (spec for spec in played_by(text) if isinstance(spec, BookSpec))


def usual_game(text: str) -> Game:
    """A game that a spec's player plays: that of its book, else on an empty 9x9 board."""
    books = (read_any(spec.source).setup.game for spec in named_books(text))
    return next(books, Game(Rules()))


def _for_others(played: str, learned: str, given: object) -> BadBook:
    return BadBook(
        f"{played} was learned with {learned}, not {given}; {played},force=on plays it anyway"
    )


def quick_changes(book: AnyBook, make: Make) -> list[str]:
    """A sentence for each bot of a book that has changed since the book was learned.

    Bots are compared by their attempts in a few fixed views and by their learned data. Whole games
    show more, but take a referee, which no bot may import (phantomgo/lab/learning/book_changes.py).

    Raises:
        BadBook: the book is for a bot that does not exist, that plays by the clock, or for
            another book.
    """
    return _changes(book, book.players, make)


@cache
def _opener_changes(source: str, make: Make) -> list[str]:
    """The same, only for the bots in its lines, not for those that continue."""
    book = _read(source)
    found = {learned.name: (whose, learned) for whose, learned in book.players}
    return _changes(book, [found[name] for name in deciders(book)], make)


def deciders(book: AnyBook) -> list[str]:
    """The specs of the bots in a book's lines; a book of moves has none."""
    return [] if isinstance(book, MoveBook) else sorted(book.black.bots | book.white.bots)


def _changes(book: AnyBook, players: Sequence[tuple[str, Identity]], make: Make) -> list[str]:
    found, game = [], book.setup.game
    look: Callable[[str], str] = cache(lambda name: fingerprint(partial(make, name, game)))
    for whose, learned in players:
        if is_book(learned.name):
            raise BadBook(f"book {book.name}: {whose} {learned.name} is a book itself")
        try:
            bot = make(learned.name, game, 0)
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
    """A sentence that says how a bot has changed since the book was learned."""
    return f"book {book.name}: {whose} {spec} has changed since it was learned: {difference}"


def refuse(changes: list[str], *, force: bool) -> None:
    """Refuse a book whose bots have changed since it was learned."""
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
