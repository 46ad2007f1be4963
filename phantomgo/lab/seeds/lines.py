"""Contests whose games begin with opening lines: which line each number stands for."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from phantomgo.fields import Fields
from phantomgo.game.points import Colour
from phantomgo.lab.run.store import KIND
from phantomgo.lab.seeds.seed_game import SeedSide, tail_of
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.line import Line, Side, Step, moves_of, plays_whole_game
from phantomgo.rng import start_stream


@dataclass(frozen=True)
class LinesToLearn:
    """The opening lines of a book that is learned: the number of a line is its seed.

    All lines of a colour have the same number of moves. Without `moves`, lines are opening bots
    that play whole games, each with the game's seed, and are numbered as in `movers`.

    Attributes:
        moves: how many own moves a line of Black and of White plays; None for whole games.
        before: Black's and White's lines that seeds continue; each seed's number draws the line
            that it continues. None if all seeds begin the game.
        first: the first seed that continues a line.
        movers: the opening bots, in rotation over the lines; empty if lines are played by the bot
            that continues after them.
    """

    moves: tuple[int, int] | None
    before: tuple[Side, Side] | None = None
    first: int = 0
    movers: tuple[str, ...] = ()

    def line(self, colour: Colour, bot: str, number: int) -> Line:
        """The line of this seed of a bot."""
        begun: Line = ()
        if self.movers:
            bot = self.movers[number % len(self.movers)]
        if self.moves is None:
            return (Step(bot, None),)
        if self.before is not None and number >= self.first:
            begun = self.before[colour is Colour.WHITE].draw(start_stream(number))
        return (*begun, Step(bot, number, self.moves[colour - 1] - int(moves_of(begun))))

    def number(self, _: Colour, line: Line) -> int:
        """The number of a line."""
        step = line[-1]
        return self.movers.index(step.bot) if step.seed is None else step.seed

    @property
    def bots(self) -> set[str]:
        """The specs of the bots in its lines, except the one whose seeds are learned."""
        return {*self.movers}.union(*(side.bots for side in self.before or ()))

    @property
    def terms(self) -> dict[str, Any]:
        """The terms of a store of its games, as JSON."""
        moves = self.moves if self.moves is None or len({*self.moves}) > 1 else self.moves[0]
        terms = {"leave": moves, **({"movers": [*self.movers]} if self.movers else {})}
        if self.before is None:
            return terms
        begun = {"first": self.first, "black": self.before[0], "white": self.before[1]}
        sides = {k: v.as_dict() if isinstance(v, Side) else v for k, v in begun.items()}
        return {**terms, "before": sides}


@dataclass(frozen=True)
class LinesToMeasure:
    """The lines of a book that is measured: the number of a line is its place in its side."""

    black: tuple[Line, ...]
    white: tuple[Line, ...]

    def line(self, colour: Colour, _: str, number: int) -> Line:
        """The line at this place."""
        return self._side(colour)[number]

    def number(self, colour: Colour, line: Line) -> int:
        """The place of a line."""
        return self._side(colour).index(line)

    def _side(self, colour: Colour) -> tuple[Line, ...]:
        return self.black if colour is Colour.BLACK else self.white

    @property
    def bots(self) -> set[str]:
        """The specs of the bots in its lines."""
        return {step.bot for line in (*self.black, *self.white) for step in line}

    @property
    def terms(self) -> dict[str, Any]:
        """The terms of a store of its games, as JSON."""
        return {
            "lines": [[list(map(list, line)) for line in side] for side in (self.black, self.white)]
        }


Lines: TypeAlias = LinesToLearn | LinesToMeasure
"""The lines that numbers of a contest refer to, where lines end before the game does."""


def lines_of(terms: dict[str, Any]) -> Lines | None:
    """Take the lines out of the terms of a store."""
    if "lines" in terms:
        black, white = (
            tuple(tuple(Step(*step) for step in line) for line in side)
            for side in terms.pop("lines")
        )
        return LinesToMeasure(black, white)
    if "leave" not in terms:
        return None
    leave, before = terms.pop("leave"), terms.pop("before", None)
    moves = (leave, leave) if isinstance(leave, int) else leave and tuple(leave)
    movers = tuple(terms.pop("movers", ()))
    if before is None:
        return LinesToLearn(moves, movers=movers)
    sides = (Side.read(Fields(before[colour], KIND)) for colour in ("black", "white"))
    return LinesToLearn(moves, (next(sides), next(sides)), before["first"], movers)


def lines_to_measure(book: Book) -> LinesToMeasure | None:
    """The lines of a book by number; None if their seeds play whole games."""
    if all(plays_whole_game(line) for colour in Colour for line in book.side(colour).lines):
        return None
    return LinesToMeasure(book.black.lines, book.white.lines)


def side_of(lines: Lines | None, colour: Colour, line: Line, test: int, number: int) -> SeedSide:
    """The side that plays a line in game `number` against a test seed.

    A line that ends, and an empty line, is continued by a fresh seed; a line that plays the whole
    game is represented by its seed.
    """
    if not line:
        return SeedSide(tail_of(0, test, number))
    seed = line[-1].seed
    if seed is not None and (lines is None or plays_whole_game(line)):
        return SeedSide(seed)
    assert lines is not None
    place = lines.number(colour, line)
    return SeedSide(tail_of(place if seed is None else seed, test, number), place)
