"""A bot driven by a book of moves: it plays what won most often in its situation.

Where the book knows no good move, the bot that it was made for plays on, with the seed of the game.

Source: Audouard et al., Grid coevolution for adaptive simulations (2009), algorithm 1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Self

from bots.decision import Decision
from bots.delegate import Delegate
from bots.naming import Head, OpeningSpec
from bots.spec import Bot, Make
from phantomgo.gist import gist
from phantomgo.points import BLACK, Move
from phantomgo.portfolio.movebook import AnyBook, MoveBook, read_moves
from phantomgo.view import View


@dataclass(frozen=True)
class BookBot(Delegate):
    """A bot driven by a book, with a player for each colour.

    Attributes:
        text: the spec that made it.
        book: the book it plays from.
        black: decides for Black.
        white: decides for White.
    """

    kind: ClassVar[str] = "book"
    text: str
    # Not printed: the server says which book it plays, never which seed.
    book: AnyBook = field(repr=False)
    black: Bot = field(repr=False)
    white: Bot = field(repr=False)

    @property
    def name(self) -> str:
        return self.text

    @property
    def players(self) -> tuple[Bot, ...]:
        return self.black, self.white

    def player(self, view: View, seconds: float = math.inf) -> Bot:  # noqa: ARG002
        return self.black if view.colour is BLACK else self.white

    def opens_from(self, view: View, seconds: float = math.inf) -> str | None:  # noqa: ARG002
        return self.book.name

    def within(self, times: int) -> Self:
        return replace(self, black=self.black.within(times), white=self.white.within(times))

    def data(self) -> Mapping[str, str]:
        return {**super().data(), f"book {self.book.name}": self.book.digest}


@dataclass(frozen=True)
class MovesBot(BookBot):
    """A bot driven by a book of moves; its players decide where the book knows nothing."""

    book: MoveBook = field(repr=False)

    def known(self, view: View) -> Move | None:
        """The move of the book in this view; None if it has none that is good enough.

        In a symmetric view the seed chooses among the images of the move.
        """
        self.book.setup.check_size(self.text, view.rules.size)
        if view.turn >= self.book.growth.depth:
            return None
        told = gist(view)
        move = self.book.move(view.colour, told.text)
        return None if move is None else told.meant(move, self.stream(view).below(1 << 32))

    def propose(self, view: View) -> Move:
        known = self.known(view)
        return super().propose(view) if known is None else known

    def propose_within(self, view: View, seconds: float) -> Move:
        known = self.known(view)
        return super().propose_within(view, seconds) if known is None else known

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        known = self.known(view)
        return super().decide(view, seconds) if known is None else Decision(self, view, known)


def make_opening(spec: OpeningSpec, seed: int, make: Make) -> MovesBot:
    """The bot of a spec `opening:SPEC,book=BOOK`: it opens from a book, whatever bot the book was
    made for.

    Raises:
        BadText: the seed is out of range, or there is no such bot.
        BadBook: there is no such book, or it is damaged.
    """
    bot = make(spec.bot, seed)
    return MovesBot(seed, Head.OPENING + bot.name + spec.options, _book(spec.book), bot, bot)


@cache
def _book(source: str) -> MoveBook:
    """The book, once per process, not for every game."""
    return read_moves(source)
