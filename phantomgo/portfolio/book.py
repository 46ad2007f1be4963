"""Books: a portfolio and where it comes from, as JSON.

The format is described in books/schema.json. A book is read field by field, so that every error
names the field that is wrong.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from phantomgo.errors import BadBook
from phantomgo.fields import COUNT, SOME, Fields, Kind, Part, declared, nullable
from phantomgo.files import NAME
from phantomgo.game.points import BLACK, Colour
from phantomgo.game.symmetry import Symmetry
from phantomgo.identity import Identity, read_games
from phantomgo.library import Library, books_folder
from phantomgo.portfolio.evaluation import BestResponse, Evaluation, RateEquilibrium, Trial
from phantomgo.portfolio.line import Line, Side
from phantomgo.portfolio.setup import Setup, read_setup
from phantomgo.rng import Purpose, Stream, purpose_key
from phantomgo.values import Text

FORMAT: Final = 4
KIND: Final = Kind("book", BadBook)
MAX_BYTES: Final = 4 << 20
"""The greatest length of a book, enough for a uniform mixture of 20,000 seeds of each colour."""


@dataclass(frozen=True, slots=True)
class Training(Part):
    """The provenance of a portfolio.

    Attributes:
        method: the method and its parameters, as `phantomgo learn --method` reads them.
        method_seed: the seed that broke its ties.
        seeds: own seeds per colour, K: they are 0 to K - 1.
        opponent_seeds: opponent seeds per colour, Kt: they are 0 to Kt - 1.
        survivors: the number of own seeds per colour in the matrix, if `learn --halving` of
            phantomgo 0.5 left only some; None if all.
        games: the number of results in the matrix, or of those that the learner asked for.
        black_wins: how many of them Black won.
        draws: how many were drawn; a draw counts as not won by Black.
        matrix: SHA-256 of the results (`SeedMatrix.digest`; of a part, `digest_of`).
        versions: the versions of phantomgo and of the packages used.
    """

    method: str = declared(Text())
    method_seed: int = declared(COUNT)
    seeds: int = declared(SOME)
    opponent_seeds: int = declared(SOME)
    survivors: int | None = nullable(declared(SOME))
    games: int = declared(SOME)
    black_wins: int = declared(COUNT)
    draws: int = declared(COUNT)
    matrix: str = declared(Text(pattern=re.compile(r"[0-9a-f]{64}")))
    versions: Mapping[str, str] = declared(Fields.texts)

    def check(self, given: Fields) -> None:
        opponents, games, all_games = self.opponent_seeds, self.games, self.matrix_games
        if opponents > self.seeds and self.survivors is None:
            raise given.wrong("opponent_seeds", f"{opponents} is more than seeds, {self.seeds}")
        if self.survivors is not None and games != all_games:
            raise given.wrong("games", f"{games} is not the {all_games} of this matrix")
        if self.draws + self.black_wins > games:
            counts = f"{self.draws} and {self.black_wins} black_wins are more than the games"
            raise given.wrong("draws", counts)

    @property
    def is_complete(self) -> bool:
        """True if every seed that could be chosen played all opponents."""
        return self.survivors is not None or self.games == self.matrix_games

    @property
    def matrix_games(self) -> int:
        """The games of the whole matrix."""
        if self.survivors is not None:
            return 2 * self.survivors * self.opponent_seeds
        return 2 * self.seeds * self.opponent_seeds - self.opponent_seeds**2

    @property
    def first_fresh_seed(self) -> int:
        """The first seed that neither side used in learning."""
        return max(self.seeds, self.opponent_seeds)


@dataclass(frozen=True, slots=True)
class Book:
    """A learned portfolio: a distribution over lines for each colour, under one set of rules.

    Attributes:
        name: the file's name without `.json`.
        setup: the players, who continue where a line ends, and the game.
        black: Black's lines.
        white: White's lines.
        games: digests of the book's games against itself, as `book:NAME` plays it, in the form
            of an identity's; empty where they have not been played.
        training: its provenance.
        evaluation: its results against fresh seeds.
        best_response: its results against best responses; None if not measured.
        openers: the opening bots, where lines are not played by the setup's players.
        equilibrium: the precision of the equilibrium, for lines learned from win rates; else None.
        trial: its results against its bot; None if not measured.
    """

    name: str
    setup: Setup
    black: Side
    white: Side
    games: tuple[str, ...]
    training: Training
    evaluation: Evaluation | None
    best_response: BestResponse | None = None
    openers: tuple[Identity, ...] = ()
    equilibrium: RateEquilibrium | None = None
    trial: Trial | None = None

    def side(self, colour: Colour) -> Side:
        return self.black if colour is BLACK else self.white

    def line(self, seed: int, colour: Colour) -> Line:
        """The line that the book plays as `colour` in the game of a seed; () if it has none.

        The draw is independent of the other colour's and of all other uses of the seed.
        """
        lines = self.side(colour)
        return lines.draw(Stream(purpose_key(Purpose.LINE, seed, colour))) if lines.lines else ()

    def symmetry(self, seed: int, colour: Colour) -> Symmetry:
        """The symmetry of the board under which it plays `colour` in the game of a seed."""
        symmetries = self.setup.symmetries
        stream = Stream(purpose_key(Purpose.SYMMETRY, seed, colour))
        return symmetries[stream.below(len(symmetries))]

    @property
    def colours(self) -> list[Colour]:
        """The colours that are played from the book."""
        return [colour for colour in Colour if self.side(colour).lines]

    @property
    def moves(self) -> float:
        """The largest number of own moves that it plays; infinite for whole games."""
        return max(self.black.moves, self.white.moves)

    def player(self, colour: Colour) -> str:
        """The spec of the bot that continues where a line of this colour ends."""
        return self.setup.spec(colour)

    @property
    def players(self) -> list[tuple[str, Identity]]:
        """Every bot in the book: its role (`Black's bot`) and its identity."""
        return [*self.setup.players, *(("the opener", identity) for identity in self.openers)]

    @property
    def digest(self) -> str:
        """A digest of its lines, probabilities and players, in 16 hexadecimal digits."""
        played = [[self.player(c), self.side(c).as_dict()] for c in Colour]
        return hashlib.sha256(json.dumps(played).encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        response = self.best_response
        return {
            "format": FORMAT,
            "name": self.name,
            **self.setup.as_dict(),
            **({"openers": [bot.as_dict() for bot in self.openers]} if self.openers else {}),
            "black": self.black.as_dict(),
            "white": self.white.as_dict(),
            "games": list(self.games),
            "training": self.training.as_dict(),
            **({"equilibrium": self.equilibrium.as_dict()} if self.equilibrium else {}),
            "evaluation": None if self.evaluation is None else self.evaluation.as_dict(),
            **({} if self.trial is None else {"trial": self.trial.as_dict()}),
            **({} if response is None else {"best_response": response.as_dict()}),
        }


def dumps(book: Book) -> str:
    """The book as JSON text; the same book is always the same text."""
    text = json.dumps(book.as_dict(), indent=2, allow_nan=False)
    # Lines of play, and lists of numbers or digests, take one line each, as people read books.
    text = re.sub(r"\[[^][{}]+\]", _on_one_line, text)
    lines_of_play = r"\[\s+(\[[^][{}]+\](?:,\s+\[[^][{}]+\])*)\s+\](?=,?$)"
    return re.sub(lines_of_play, _on_one_line, text, flags=re.M) + "\n"


def _on_one_line(values: re.Match[str]) -> str:
    return "[" + " ".join(values[0][1:-1].split()) + "]"


def loads(text: str) -> Book:
    """Read and check a book; a BadBook names the field that is wrong."""
    top = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    book = Book(
        name=top.text("name", NAME),
        setup=read_setup(top),
        black=Side.read(top.object("black")),
        white=Side.read(top.object("white")),
        games=read_games(top),
        training=Training.read(top.object("training")),
        evaluation=None if top.is_null("evaluation") else Evaluation.read(top.object("evaluation")),
        best_response=(
            BestResponse.read(top.object("best_response")) if top.has("best_response") else None
        ),
        openers=tuple(map(Identity.read, top.objects("openers"))) if top.has("openers") else (),
        equilibrium=(
            RateEquilibrium.read(top.object("equilibrium")) if top.has("equilibrium") else None
        ),
        trial=Trial.read(top.object("trial")) if top.has("trial") else None,
    )
    top.finish()
    _check_consistent(book)
    return book


LIBRARY: Final = Library(KIND, books_folder, MAX_BYTES, loads, dumps)
book_names, read_book = LIBRARY.names, LIBRARY.read


def write_book(book: Book, file: str | Path) -> None:
    """Write a book to NAME.json atomically, where NAME is its name."""
    LIBRARY.write(book, file)


def _check_consistent(book: Book) -> None:
    """Check the objects against each other; each on its own is valid."""
    training, most = book.training, book.training.matrix_games
    # Lines that end play each other several times.
    if book.equilibrium is None and training.games > most:
        raise BadBook(f"training.games: {training.games} is more than the {most} of the matrix")
    known = {identity.name for _, identity in book.players}
    for colour, side in (("black", book.black), ("white", book.white)):
        last = max((line[-1].seed or 0 for line in side.lines if line), default=0)
        if last >= training.seeds:
            raise BadBook(
                f"{colour}.lines: seed {last} is not below training.seeds, {training.seeds}"
            )
        if strange := side.bots - known:
            raise BadBook(
                f"{colour}.lines: {min(strange)} is neither a player nor one of the openers"
            )
    if not book.colours:
        raise BadBook("black.lines, white.lines: one of them has to have a line")
    fresh = training.first_fresh_seed
    if book.evaluation is not None and book.evaluation.first_seed < fresh:
        raise BadBook(
            f"evaluation.first_seed: {book.evaluation.first_seed} is below {fresh}: those seeds"
            " were learned on"
        )
