"""Books: a portfolio and where it comes from, as JSON.

The format is described in books/schema.json. A book is read field by field, so that every error
names the field that is wrong.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from phantomgo.beginning import START
from phantomgo.errors import BadBook
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.identity import read_games
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.evaluation import Evaluation, Owned, read_evaluation, read_owned
from phantomgo.portfolio.setup import AnySetup, Setup, read_setup
from phantomgo.portfolio.shelf import Shelf, folder
from phantomgo.portfolio.side import Side, Start, read_side
from phantomgo.rng import MAX_SEED
from phantomgo.rules import Rules

FORMAT: Final = 3
KIND: Final = Kind("book", BadBook)
MAX_BYTES: Final = 4 << 20
"""The greatest length of a book, enough for a uniform mixture of 60,000 seeds."""


@dataclass(frozen=True, slots=True)
class Training:
    """The provenance of a portfolio.

    Attributes:
        method: the method and its parameters, as `phantomgo learn --method` reads them.
        method_seed: the seed that broke its ties.
        seeds: own seeds per colour, K: they are 0 to K - 1.
        opponent_seeds: opponent seeds per colour, Kt: they are 0 to Kt - 1.
        survivors: how many own seeds per colour successive halving kept, all of which have played
            all opponents; None if every seed has.
        games: the results in the matrix of the seeds that have, or those of it that were asked for.
        black_wins: how many of them Black won.
        draws: how many were drawn; a draw counts as not won by Black.
        matrix: SHA-256 of the results (`SeedMatrix.digest`; of a part, `digest_of`).
        versions: of phantomgo and of what else may matter.
        responders: how many responders, for each colour, the seeds were weighed against afterwards.
    """

    method: str
    method_seed: int
    seeds: int
    opponent_seeds: int
    survivors: int | None
    games: int
    black_wins: int
    draws: int
    matrix: str
    versions: Mapping[str, str]
    responders: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON; `responders` only where there were some."""
        return {k: v for k, v in asdict(self).items() if v or k != "responders"}

    @property
    def whole(self) -> bool:
        """True if every seed that could be chosen played all opponents."""
        complete = 2 * self.seeds * self.opponent_seeds - self.opponent_seeds**2
        return self.survivors is not None or self.games == complete

    @property
    def fresh(self) -> int:
        """The first seed that neither side used in learning."""
        return max(self.seeds, self.opponent_seeds)


@dataclass(frozen=True, slots=True)
class Book:
    """A learned portfolio for one bot, or one of each colour, under one set of rules.

    A book for another game than Phantom Go can be learned and measured but not played.

    Attributes:
        name: the file's name without `.json`.
        setup: who played whom, and what.
        black: what Black plays.
        white: what White plays.
        games: digests of the book's games against itself, as `book:NAME` plays it, in the form
            of an identity's; empty where they have not been played, and for another game.
        training: where it comes from.
        evaluation: how it did on fresh seeds.
        owned: how it did against opponents who own it; None if that was not measured.
    """

    name: str
    setup: AnySetup
    black: Side
    white: Side
    games: tuple[str, ...]
    training: Training
    evaluation: Evaluation | None
    owned: Owned | None = None

    @property
    def phantom_go(self) -> Setup:
        """Its setup, for playing from it.

        Raises:
            BadBook: it is of another game.
        """
        if isinstance(self.setup, Setup):
            return self.setup
        raise BadBook(
            f"book {self.name} is of {self.setup.game}, which only `phantomgo learn` and `evaluate`"
            " play"
        )

    def side(self, colour: Colour) -> Side:
        return self.black if colour is BLACK else self.white

    @property
    def colours(self) -> list[Colour]:
        """The colours that are played from the book."""
        return [colour for colour in Colour if not self.side(colour).unused]

    @property
    def left(self) -> bool:
        """True if its seeds decide only the first moves of a game."""
        return bool(self.black.leave and self.white.leave)

    @property
    def moves(self) -> int:
        """The largest number of own moves that its seeds decide before it is left; 0 if it isn't
        left.
        """
        return max((*self.black.leave, *self.white.leave), default=0)

    @property
    def starts(self) -> tuple[Start | None, ...]:
        """The lines before Black's seeds and White's, None for a colour without; empty if there are
        none at all.
        """
        starts = self.black.start, self.white.start
        return starts if any(starts) else ()

    def player(self, colour: Colour) -> str:
        """The bot spec whose seeds this colour draws."""
        return (self.setup.black if colour is BLACK else self.setup.white).name

    def fits(self, player: str, rules: Rules) -> bool:
        """True if it is for this bot, playing both colours, in even games by these rules."""
        setup = self.setup
        if not isinstance(setup, Setup) or setup.beginning != START:
            return False
        return {setup.black.name, setup.white.name} == {player} and setup.rules == rules

    @property
    def digest(self) -> str:
        """A digest of its seeds, probabilities and players, in 16 hexadecimal digits."""
        played = [[self.player(c), *self.side(c).as_dict().values()] for c in Colour]
        return hashlib.sha256(json.dumps(played).encode()).hexdigest()[:16]

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "format": FORMAT,
            "name": self.name,
            **self.setup.as_dict(),
            "black": self.black.as_dict(),
            "white": self.white.as_dict(),
            "games": list(self.games),
            "training": self.training.as_dict(),
            "evaluation": None if self.evaluation is None else self.evaluation.as_dict(),
            **({} if self.owned is None else {"owned": self.owned.as_dict()}),
        }


def dumps(book: Book) -> str:
    """The book as JSON text; the same book is always the same text."""
    text = json.dumps(book.as_dict(), indent=2, allow_nan=False)
    # Seeds, probabilities and digests take one line each, as people read books too.
    return re.sub(r"\[[^][{}]+\]", _on_one_line, text) + "\n"


def _on_one_line(numbers: re.Match[str]) -> str:
    return "[" + " ".join(numbers[0][1:-1].split()) + "]"


def loads(text: str) -> Book:
    """Read and check a book.

    Raises:
        BadBook: the text is not a book; the message names the field that is wrong.
    """
    top = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    book = Book(
        name=top.text("name", NAME),
        setup=read_setup(top),
        black=read_side(top.object("black")),
        white=read_side(top.object("white")),
        games=read_games(top),
        training=_training(top.object("training")),
        evaluation=None if top.is_null("evaluation") else read_evaluation(top.object("evaluation")),
        owned=read_owned(top.object("owned")) if top.has("owned") else None,
    )
    top.finish()
    _check_consistent(book)
    return book


SHELF: Final = Shelf(KIND, folder, MAX_BYTES, loads, dumps)
book_names, read_book, write_book = SHELF.names, SHELF.read, SHELF.write


@cache
def book_for(player: str, rules: Rules) -> Book | None:
    """The shipped book for a bot, of both colours, and these rules; None if there is none.

    Among several, the first by name.
    """
    books = map(read_book, book_names())
    return next((book for book in books if book.fits(player, rules)), None)


def _training(fields: Fields) -> Training:
    training = Training(
        method=fields.text("method"),
        method_seed=fields.whole("method_seed", 0, MAX_SEED),
        seeds=fields.whole("seeds", 1, MAX_SEED),
        opponent_seeds=fields.whole("opponent_seeds", 1, MAX_SEED),
        survivors=None if fields.is_null("survivors") else fields.whole("survivors", 1, MAX_SEED),
        games=fields.whole("games", 1, MAX_SEED),
        black_wins=fields.whole("black_wins", 0, MAX_SEED),
        draws=fields.whole("draws", 0, MAX_SEED),
        matrix=fields.text("matrix", re.compile(r"[0-9a-f]{64}")),
        versions=fields.texts("versions"),
        responders=fields.whole("responders", 1, MAX_SEED) if fields.has("responders") else 0,
    )
    own, opponents = training.seeds, training.opponent_seeds
    if opponents > own and training.survivors is None:
        raise fields.wrong("opponent_seeds", f"{opponents} is more than seeds, {own}")
    if training.survivors is None:
        whole = 2 * own * opponents - opponents**2
    else:
        whole = 2 * training.survivors * opponents
    games = training.games
    # A learner that asks for a part of the matrix has fewer.
    if games > whole or (games < whole and training.survivors is not None):
        raise fields.wrong("games", f"{games} is not the {whole} of this matrix")
    if training.draws + training.black_wins > games:
        counts = f"{training.draws} and {training.black_wins} black_wins are more than the games"
        raise fields.wrong("draws", counts)
    fields.finish()
    return training


def _check_consistent(book: Book) -> None:
    """Checks across objects; the objects themselves are good."""
    for colour, side in (("black", book.black), ("white", book.white)):
        if side.seeds[-1] >= book.training.seeds:
            raise BadBook(
                f"{colour}.seeds: {side.seeds[-1]} is not below training.seeds,"
                f" {book.training.seeds}"
            )
    if len({book.side(colour).start is None for colour in book.colours}) > 1:
        raise BadBook("start: is missing for one of the colours")
    fresh = book.training.fresh
    if book.evaluation is not None and book.evaluation.first_seed < fresh:
        raise BadBook(
            f"evaluation.first_seed: {book.evaluation.first_seed} is below {fresh}: those seeds"
            " were learned on"
        )
