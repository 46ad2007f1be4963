"""Books of moves, as JSON: the results of moves in the situations that a player met.

A situation is a view in words (phantomgo/game/information_state.py). For each move the book counts
the games in which it was attempted there and how many of them were won. The format is described in
books/moves/schema.json.

Source: Audouard et al., Grid coevolution for adaptive simulations (2009), where situations are
    boards, which no player of Phantom Go sees.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from phantomgo.errors import BadBook, BadText
from phantomgo.fields import COUNT, SHARE, SOME, Fields, Kind, Part, declared, nullable
from phantomgo.files import NAME, encoding_of
from phantomgo.game.points import BLACK, Colour, Move, parse_move, vertex
from phantomgo.identity import Identity
from phantomgo.library import Library, books_folder
from phantomgo.portfolio.book import Book, read_book
from phantomgo.portfolio.setup import Setup, read_setup
from phantomgo.values import Text, Whole

FORMAT: Final = 1
MOVES: Final = "moves"
"""The value of `kind` in a book of moves."""
KIND: Final = Kind("book of moves", BadBook)
MAX_BYTES: Final = 16 << 20
MAX_SITUATION: Final = 4000
"""Characters of a situation."""
MAX_GAMES: Final = 1 << 53
"""The most games of a move: every number up to here can be read as a float, and written again."""
MAX_DEPTH: Final = 361
USAGES: Final = ("rate", "wins")
_DIGEST: Final = re.compile("[0-9a-f]{16}")


class Tried(NamedTuple):
    """A move's statistics: the games in which it was attempted, and the wins, a draw being half."""

    games: int
    won: float

    @property
    def win_rate(self) -> float:
        return self.won / self.games


Situations: TypeAlias = Mapping[str, Mapping[Move, Tried]]
"""The moves that were attempted in each situation, by what the player had been told."""


@dataclass(frozen=True, slots=True)
class Growth(Part):
    """The provenance of a book of moves.

    Attributes:
        method: `mbm`, `mvbm`, `responder`, or `hand` for a book that a person wrote.
        threshold: the win rate above which a known move is played.
        depth: how many of a player's first moves are in it.
        least: the fewest games of a situation that the book contains.
        start: the digest of the book it grew from; None if it began empty.
        games: how many were played.
        batch: the number of games played at a time, all from the same book.
        seed: gives the seeds of all games.
        black_wins: how many Black won.
        versions: of phantomgo.
        usage: which known move is played: the one with the highest win rate (`rate`), or the most
            frequent one in won games (`wins`), as the paper's player does (section 2).
    """

    method: str = declared(Text())
    threshold: float = declared(SHARE)
    depth: int = declared(Whole(1, MAX_DEPTH))
    least: int = declared(SOME)
    start: str | None = nullable(declared(Text(pattern=_DIGEST)))
    games: int = declared(COUNT)
    batch: int = declared(SOME)
    seed: int = declared(COUNT)
    black_wins: int = declared(COUNT)
    versions: Mapping[str, str] = declared(Fields.texts)
    usage: str = declared(Text(pattern=re.compile("|".join(USAGES))), "rate")

    def check(self, given: Fields) -> None:
        if self.black_wins > self.games:
            raise given.wrong("black_wins", f"{self.black_wins} is more than games, {self.games}")


@dataclass(frozen=True, slots=True)
class MoveBook:
    """A book of moves for one bot, or one of each colour, under one set of rules.

    Attributes:
        name: the file's name without `.json`.
        setup: the players of its games; these bots play where the book knows no move.
        black: Black's situations.
        white: White's.
        growth: its provenance.
    """

    name: str
    setup: Setup
    black: Situations
    white: Situations
    growth: Growth

    @property
    def moves(self) -> float:
        """The largest number of own moves that it plays."""
        return self.growth.depth

    @property
    def colours(self) -> list[Colour]:
        """The colours that are played from the book: both."""
        return list(Colour)

    @property
    def players(self) -> list[tuple[str, Identity]]:
        """Every bot in the book: its role (`Black's bot`) and its identity."""
        return self.setup.players

    def side(self, colour: Colour) -> Situations:
        return self.black if colour is BLACK else self.white

    def player(self, colour: Colour) -> str:
        """The spec of the bot that plays where the book knows no move."""
        return self.setup.spec(colour)

    def move(self, colour: Colour, situation: str) -> Move | None:
        """The move that the book plays; None if none is above the threshold."""
        tried = self.side(colour).get(situation, {})
        if self.growth.usage == "wins":
            return max(sorted(tried), key=lambda move: tried[move].won, default=None)
        return best(tried, self.growth.threshold)

    @property
    def digest(self) -> str:
        """A digest of its moves, in 16 hexadecimal digits."""
        known = [_situations(self.side(colour), self.setup.rules.size) for colour in Colour]
        played = [] if self.growth.usage == "rate" else [self.growth.usage]
        words = json.dumps([known, self.growth.threshold, self.growth.depth, *played])
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        size = self.setup.rules.size
        return {
            "format": FORMAT,
            "kind": MOVES,
            "name": self.name,
            **self.setup.as_dict(),
            "growth": self.growth.as_dict(),
            "black": _situations(self.black, size),
            "white": _situations(self.white, size),
        }


def best(moves: Mapping[Move, Tried], threshold: float) -> Move | None:
    """The move with the highest win rate above the threshold; ties go to the first.

    Grid coevolution, algorithm 1.
    """
    found, share = None, threshold
    for move in sorted(moves):
        if moves[move].win_rate > share:
            found, share = move, moves[move].win_rate
    return found


def dumps(book: MoveBook) -> str:
    """The book as JSON text, a situation on a line; the same book is always the same text."""
    text = json.dumps(book.as_dict(), indent=1, allow_nan=False)
    innermost = re.compile(r'(?<="): \{\s+("[^"{}]*": \[[^{}]*?\])\s+\}')
    text = re.sub(r"\[\s+([-\d.]+),\s+([-\d.]+)\s+\]", r"[\1, \2]", text)
    return innermost.sub(lambda m: ": {" + " ".join(m[1].split()) + "}", text) + "\n"


def loads(text: str) -> MoveBook:
    """Read and check a book of moves; a BadBook names the field that is wrong."""
    top = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    top.choice("kind", (MOVES,))
    name, setup, growth = top.text("name", NAME), read_setup(top), Growth.read(top.object("growth"))
    black, white = (_read(top.object(colour), setup.rules.size) for colour in ("black", "white"))
    top.finish()
    return MoveBook(name, setup, black, white, growth)


LIBRARY: Final = Library(KIND, lambda: books_folder() / "moves", MAX_BYTES, loads, dumps)
read_moves, write_moves = LIBRARY.read, LIBRARY.write

AnyBook: TypeAlias = Book | MoveBook


def read_any(name_or_file: str) -> AnyBook:
    """The book, of seeds or of moves, of a name or in a file."""
    try:
        if not Path(name_or_file).is_file():  # a shipped book of seeds, or a pipe, which would wait
            return read_book(name_or_file)
        with Path(name_or_file).open("rb") as file:
            start = file.read(400)
            holds_moves = f'"kind": "{MOVES}"' in start.decode(encoding_of(start), "ignore")
    except OSError:
        holds_moves = False
    return read_moves(name_or_file) if holds_moves else read_book(name_or_file)


def _situations(situations: Situations, size: int) -> dict[str, dict[str, list[float]]]:
    return {
        situation: {
            vertex(move, size): [tried.games, float(tried.won)]
            for move, tried in sorted(moves.items())
        }
        for situation, moves in sorted(situations.items())
    }


def _read(fields: Fields, size: int) -> Situations:
    return {
        situation: dict(_tried(moves, size)) for situation, moves in fields.inner(MAX_SITUATION)
    }


def _tried(moves: Fields, size: int) -> Iterator[tuple[Move, Tried]]:
    for where in moves.names():
        counts = moves.numbers(where, 0, MAX_GAMES)
        if (
            len(counts) != 2
            or counts[0] < 1
            or counts[0] != int(counts[0])
            or counts[1] > counts[0]
        ):
            raise moves.wrong(where, "is not [games, won], won of at least one game")
        try:
            yield parse_move(where, size), Tried(int(counts[0]), counts[1])
        except BadText as error:
            raise moves.wrong(where, str(error)) from None
