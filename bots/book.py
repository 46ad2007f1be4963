"""Bots that play from books: a book plays their first moves or whole games.

The lines of a book and their probabilities were learned (phantomgo/portfolio); playing them costs
nothing. When a bot is made for a game, the seed of the game draws a line for each colour and, as
CIG 2016 suggests under further work, one of the eight symmetries of the board, which makes what an
opponent has learned about a line harder to use. The steps of a line play the first own moves under
every time control; afterwards another bot continues with the seed of the game, on its clock.
Knowing the book reveals how such a game begins, not how it continues.

A book of moves maps situations to moves instead: in a known situation it plays the move with the
highest win rate, or with the most wins, and elsewhere its bot plays (Audouard et al., Grid
coevolution for adaptive simulations, 2009, algorithm 1 and section 2).

`book:NAME` is the bot that a book is for, played from that book; it needs `force=on` for other
announcements than the book was learned with. Every other bot has the parameter `book`, which names
the book that opens its games (bots/opening.py).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from bots.book_checks import line_specs, opener_changes, read_once, refuse_changed, verified
from bots.bot import Bot, Delegate, Make, canonical
from bots.deployed import NONE
from bots.opening import (
    check_that_lines_end,
    fitting_book,
    is_one_book,
    log_once,
    opening_books,
)
from bots.spec import BEST, BookSpec, is_book
from phantomgo.game.beginning import Game
from phantomgo.game.information_state import information_state
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, Colour, Move
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, Symmetry, inverse, map_move
from phantomgo.game.view import View, map_view
from phantomgo.portfolio.line import Line, moves_of
from phantomgo.portfolio.movebook import AnyBook, MoveBook
from phantomgo.rng import checked_seed


@dataclass(frozen=True)
class DrawnLine:
    """A line as it is played in one game by one colour, or the moves of a book.

    Bots of a line ignore time limits: seeds are learned for a number of playouts.

    Attributes:
        steps: the bots of a line, each with the number of own moves at which it stops.
        symmetry: the symmetry of the board under which they play.
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

    def player(self, turn: int) -> tuple[Bot, Symmetry]:
        """The bot that plays after this many own moves, and the symmetry under which it does."""
        steps = ((bot, self.symmetry) for bot, end in self.steps if turn < end)
        return next(steps, (self.bots[-1], IDENTITY))

    def with_budget(self, times: int) -> "DrawnLine":
        """The line with at most `times` the budget of a probe for each bot."""
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
        bare: the same bot without its opening book; None for other bots.
        source: its parameter `book`.
        unchecked: the books, by name or file, whose bots are checked before they play.
    """

    kind: ClassVar[str] = "book"
    text: str
    # Not printed: the server says which book it plays, never which line.
    black: DrawnLine = field(repr=False)
    white: DrawnLine = field(repr=False)
    make: Make = field(repr=False, compare=False)
    bare: Bot | None = None
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
        seed = 0 if drawn.after is None else self.seed
        return replace(self, seed=seed, black=drawn, white=drawn)

    @property
    def books(self) -> list[AnyBook]:
        """The books that it plays from in its game."""
        played = (drawn.book for drawn in (self.black, self.white) if drawn.book is not None)
        return list({book.name: book for book in played}.values())

    @property
    def players(self) -> tuple[Bot, ...]:
        return tuple(dict.fromkeys((*self.black.bots, *self.white.bots)))

    def player(self, view: View) -> Bot:
        # Beliefs refer to the board as it is, so they don't reveal the symmetry of a game;
        # and bots of lines may be weak, or draw no worlds.
        drawn = self.drawn(view.colour)
        return self.bare or drawn.after or drawn.player(view.turn)[0]

    def opens_from(self, view: View) -> str | None:
        book = self.drawn(view.colour).book
        if book is None or view.colour not in book.colours or view.turn >= book.moves:
            return None
        self._log_use(book, view.rules)
        return book.name

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        drawn = self.drawn(view.colour)
        if self.opens_from(view) is not None:
            self._check()
        move = self.book_move(view)
        if move is not None:
            return Decision(move)
        bot, symmetry = drawn.player(view.turn)
        if bot is drawn.after:
            return bot.decide(view, seconds)
        decision = bot.decide(map_view(symmetry, view))
        back = partial(map_move, inverse(symmetry), size=view.rules.size)
        return decision.mapped(back)

    def unturned_player(self, colour: Colour, turn: int) -> Bot | None:
        """The bot that decides after this many own moves, in the same view.

        None if the line turns the board, or a book of moves may have a move.

        Raises:
            BadBook: a bot of the book has changed since it was learned.
        """
        drawn = self.drawn(colour)
        if isinstance(drawn.book, MoveBook):
            return None
        bot, symmetry = drawn.player(turn)
        if bot is not drawn.after:
            self._check()
        return bot if symmetry == IDENTITY else None

    def book_move(self, view: View) -> Move | None:
        """The move of a book of moves in this view; None if none is above its threshold.

        In a symmetric view the seed chooses among the images of the move.
        """
        book = self.drawn(view.colour).book
        if not isinstance(book, MoveBook) or view.turn >= book.growth.depth:
            return None
        state = information_state(view)
        move = book.move(view.colour, state.text)
        return None if move is None else state.actual(move, self.stream(view).below(1 << 32))

    def with_budget(self, times: int) -> "LineBot":
        if self.bare is not None:  # with another budget it may have another book
            return with_opening(self.bare.with_budget(times), self.source, self.make)
        return replace(
            self, black=self.black.with_budget(times), white=self.white.with_budget(times)
        )

    @property
    def possible_players(self) -> Sequence[Bot]:
        specs = {spec for book in self.books for spec in line_specs(book)}
        lines = (self.make(spec, self.game, 0) for spec in sorted(specs))
        after = (drawn.after for drawn in (self.black, self.white) if drawn.after is not None)
        return [*dict.fromkeys(after), *lines]

    def warm_up(self) -> None:
        self._check()

    def data(self) -> Mapping[str, str]:
        if self.bare is None:  # of all lines, whichever the seed has drawn
            found = {
                what: digest for bot in self.possible_players for what, digest in bot.data().items()
            }
            books = self.books
        else:
            found = dict(self.bare.data())
            books = [*map(read_once, opening_books(self.bare, self.source))]
        return {**found, **{f"book {book.name}": book.digest for book in books}}

    def _check(self) -> None:
        for source in self.unchecked:
            refuse_changed(opener_changes(source, self.make), force=False)

    def _log_use(self, book: AnyBook, rules: Rules) -> None:
        """Log once that a book is used with other announcements, or at another komi."""
        setup = book.setup
        if self.bare is not None:
            colours = " and ".join(str(c) for c in Colour if self.drawn(c).book is book)
            other = "" if setup.rules == rules else f", learned with {setup.words}"
            log_once(f"{self.bare.kind} opens as {colours} from book {book.name}{other}")
        elif setup.rules.komi != rules.komi and is_book(self.text):
            learned, komi = setup.rules.komi, rules.komi
            log_once(
                f"{self.text} was learned with komi {learned:g} and may be worth less with {komi:g}"
            )


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
        symmetry: the symmetry of the board under which the line is played.
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
    book = verified(spec.source, make, spec.force)
    return unchecked_book_bot(spec.text, book, game, seed, make, symmetric=spec.symmetry)


def unchecked_book_bot(
    text: str, book: AnyBook, game: Game, seed: int, make: Make, *, symmetric: bool = True
) -> LineBot:
    """The bot named `text` that a book is for, without checking whether its bots have changed."""
    book.setup.check_size(text, game.rules.size)
    bots = {spec: make(spec, game, seed) for spec in map(book.player, Colour)}
    black, white = (
        _draw_line(book, colour, bots[book.player(colour)], make, symmetric=symmetric)
        for colour in Colour
    )
    return LineBot(game, seed, text, black, white, make)


def with_opening(bot: Bot, source: str, make: Make) -> LineBot:
    """The bot with this opening book, which may be a folder of books, or the best shipped one.

    Raises:
        BadBook: there is no such book, it is invalid, or its lines do not end.
    """
    if is_one_book(source):
        check_that_lines_end(source)
    chosen = [fitting_book(bot, source, colour) for colour in Colour]
    black, white = (
        DrawnLine(after=bot) if book is None else _draw_line(read_once(book), colour, bot, make)
        for colour, book in zip(Colour, chosen, strict=True)
    )
    unchecked = () if source == BEST else tuple({book for book in chosen if book is not None})
    text = canonical(bot, source)
    return LineBot(bot.game, bot.seed, text, black, white, make, bot, source, unchecked)


def without_opening(bot: Bot) -> Bot:
    """The same bot without its opening book."""
    return bot if not isinstance(bot, LineBot) or bot.bare is None else bot.bare


def _draw_line(
    book: AnyBook, colour: Colour, bot: Bot, make: Make, *, symmetric: bool = True
) -> DrawnLine:
    """The line of a book for a colour in the game of a bot's seed; `bot` continues after it."""
    if isinstance(book, MoveBook):
        return DrawnLine(after=bot, book=book)
    line = book.line(bot.seed, colour)
    if not line:
        return DrawnLine(after=bot, book=book)
    symmetry = book.symmetry(bot.seed, colour) if symmetric else IDENTITY
    after = None if math.isinf(moves_of(line)) else bot
    return DrawnLine(_steps(line, make, bot.game, bot.seed), symmetry, after, book)


def _steps(line: Line, make: Make, game: Game, seed: int) -> tuple[tuple[Bot, float], ...]:
    end, steps = 0.0, []
    for step in line:
        end += math.inf if step.moves is None else step.moves
        steps.append((make(step.bot, game, seed if step.seed is None else step.seed), end))
    return tuple(steps)
