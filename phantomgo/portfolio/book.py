"""Books: a portfolio and where it comes from, as JSON.

The format is described in books/schema.json. A book is read field by field, so that every error
names the field that is wrong.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, Self, TypeAlias, TypeVar

from phantomgo.beginning import START
from phantomgo.errors import BadBook
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.identity import read_games
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.setup import AnySetup, Setup, read_setup
from phantomgo.portfolio.shelf import Shelf, folder
from phantomgo.rng import MAX_SEED, Stream, mix
from phantomgo.rules import Rules
from phantomgo.symmetry import SYMMETRIES

FORMAT: Final = 3
KIND: Final = Kind("book", BadBook)
MAX_BYTES: Final = 4 << 20
"""The greatest length of a book, enough for a uniform mixture of 60,000 seeds."""
SUM_TOLERANCE: Final = 1e-9
MAX_LEAVE: Final = 127
"""The most own moves that a seed may decide without deciding the whole game."""
MAX_LINE: Final = 8
"""The most seeds that play one game in turn, with the one that plays on when the book is left."""
MAX_START: Final = MAX_LINE - 2
"""The most seeds in a line that another seed continues."""
MAX_TAILS: Final = 1000
_T = TypeVar("_T")
DIGITS: Final = 12
"""Decimals of a probability in a book."""


Line: TypeAlias = tuple[tuple[int, int], ...]
"""Seeds that decide a player's moves in turn, each with the number of own moves at which the next
takes over.
"""
NEVER: Final = 1 << 62
"""The number of moves of a seed that plays on to the end."""


@dataclass(frozen=True, slots=True)
class Start:
    """The lines of a book that seeds continue.

    Attributes:
        first: the first seed that continues a line; seeds below it begin the game themselves.
        lines: the lines.
        probabilities: how often a seed has each; positive, summing to 1.
    """

    first: int
    lines: tuple[Line, ...]
    probabilities: tuple[float, ...]

    @property
    def moves(self) -> int:
        """The largest number of own moves that a line decides."""
        return max(line[-1][1] for line in self.lines)

    def line(self, seed: int) -> Line:
        """The line that a seed continues; empty for one that begins the game itself."""
        if seed < self.first:
            return ()
        return _drawn(self.lines, self.probabilities, Stream(mix(seed)))

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        lines = [{"seeds": [s for s, _ in it], "leave": [k for _, k in it]} for it in self.lines]
        return {
            "first": self.first,
            "lines": lines,
            "probabilities": list(self.probabilities),
        }


@dataclass(frozen=True, slots=True)
class Side:
    """The portfolio of one colour.

    Attributes:
        seeds: the seeds that are played, ascending.
        probabilities: how often each is drawn; positive, summing to 1.
        value: the winning rate secured against every opponent seed of the training, where games
            that were not played count as lost.
        leave: for each seed, how many own moves of a game it decides; afterwards the bot plays on
            with a seed of that game. Empty where the seeds decide whole games; all 0 where the
            bot plays this colour without the book.
        start: lines that decide a game's first moves, before the seeds; None if there are none.
    """

    seeds: tuple[int, ...]
    probabilities: tuple[float, ...]
    value: float
    leave: tuple[int, ...] = ()
    start: Start | None = None

    @classmethod
    def of(cls, seeds: Iterable[int], distribution: Iterable[float], value: float) -> Self:
        """The side for a distribution over seeds, without those that are never drawn.

        Probabilities are rounded for readers; the largest absorbs the rounding errors.
        """
        rounded = [round(float(p), DIGITS) for p in distribution]
        top = rounded.index(max(rounded))
        rounded[top] = round(rounded[top] + 1 - math.fsum(rounded), DIGITS)
        drawn = [(seed, p) for seed, p in zip(seeds, rounded, strict=True) if p > 0]
        played, probabilities = zip(*drawn, strict=True)
        return cls(played, probabilities, value)

    @property
    def unused(self) -> bool:
        """True if the bot plays this colour without the book."""
        return bool(self.leave) and not any(self.leave)

    def draw(self, stream: Stream) -> int:
        """A seed, drawn with the book's probabilities to a precision of 2**-32."""
        return _drawn(self.seeds, self.probabilities, stream)

    def line(self, seed: int) -> Line:
        """The seeds that decide the moves until the book is left; empty for whole games."""
        if not self.leave:
            return ()
        before = () if self.start is None else self.start.line(seed)
        return (*before, (seed, self.leave[self.seeds.index(seed)]))

    def begun(self, first: int) -> Start:
        """The lines of this side, for seeds from `first` on to continue."""
        return Start(first, tuple(map(self.line, self.seeds)), self.probabilities)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON; `leave` and `start` only where there is one."""
        fields = asdict(self)
        fields |= {"start": self.start and self.start.as_dict()}
        return {name: value for name, value in fields.items() if value not in ((), None)}


def _drawn(among: Sequence[_T], probabilities: Sequence[float], stream: Stream) -> _T:
    """One of them, drawn to a precision of 2**-32."""
    number, reached = stream.below(1 << 32), 0.0
    for one, probability in zip(among, probabilities, strict=True):
        reached += probability
        if number < reached * (1 << 32):
            return one
    return among[-1]


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
class Score:
    """The winning rate against one exploiter, averaged exactly over all draws of K' test seeds.

    Attributes:
        exploiter: the tries, K'.
        rate: the mean of both colours.
        error: its standard error due to the choice of test seeds (jackknife).
        black: the rate as Black.
        white: as White.
    """

    exploiter: int
    rate: float
    error: float
    black: float
    white: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of a book against seeds that were never used in learning.

    Attributes:
        first_seed: the first of the opponents' seeds, which are consecutive.
        seeds: how many there were per colour.
        symmetries: under how many of the eight symmetries of the board each pair of seeds played:
            under all of them, or under a number drawn for each pair; 0 for a game whose books are
            not turned.
        played: the scores of the book as it is played, under symmetries; where there are none,
            the plain ones.
        plain: its scores on a board that is never turned.
        tails: for a book that is left, how many games each pair of seeds plays under each symmetry,
            each continued with fresh seeds; 0 for other books.
        without: the scores of its bot without a book, on a fresh seed in each game, against the
            same opponents; empty if they were not measured.
        own_seeds: the fresh seeds of that bot, per colour.
    """

    first_seed: int
    seeds: int
    symmetries: int
    played: tuple[Score, ...]
    plain: tuple[Score, ...]
    tails: int = 0
    without: tuple[Score, ...] = ()
    own_seeds: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON; `tails`, `without` and `own_seeds` only where they are not empty."""
        optional = ("tails", "without", "own_seeds")
        return {k: v for k, v in asdict(self).items() if v or k not in optional}


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
    """

    name: str
    setup: AnySetup
    black: Side
    white: Side
    games: tuple[str, ...]
    training: Training
    evaluation: Evaluation | None

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
    def starts(self) -> tuple[Start, ...]:
        """The lines before Black's seeds and White's; empty where there are none."""
        return tuple(side.start for side in (self.black, self.white) if side.start is not None)

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
        black=_side(top.object("black")),
        white=_side(top.object("white")),
        games=read_games(top),
        training=_training(top.object("training")),
        evaluation=None if top.is_null("evaluation") else _evaluation(top.object("evaluation")),
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


def _side(fields: Fields) -> Side:
    left = fields.has("leave")
    side = Side(
        seeds=tuple(fields.wholes("seeds", 0, MAX_SEED)),
        probabilities=tuple(fields.numbers("probabilities", 0, 1)),
        value=fields.number("value", 0, 1),
        leave=tuple(fields.wholes("leave", 0, MAX_LEAVE)) if left else (),
        start=read_start(fields.object("start")) if fields.has("start") else None,
    )
    if not side.seeds:
        raise fields.wrong("seeds", "is empty")
    if any(a >= b for a, b in zip(side.seeds, side.seeds[1:], strict=False)):
        raise fields.wrong("seeds", "is not ascending without repetition")
    if len(side.probabilities) != len(side.seeds):
        counts = f"has {len(side.probabilities)} numbers for {len(side.seeds)} seeds"
        raise fields.wrong("probabilities", counts)
    if left and len(side.leave) != len(side.seeds):
        counts = f"has {len(side.leave)} numbers for {len(side.seeds)} seeds"
        raise fields.wrong("leave", counts)
    _check_distribution(fields, side.probabilities)
    fields.finish()
    if side.start is not None and side.start.moves >= min(side.leave, default=0):
        raise fields.wrong("leave", "is not after the moves that the lines of start decide")
    return side


def _check_distribution(fields: Fields, probabilities: Sequence[float]) -> None:
    if min(probabilities) <= 0:
        raise fields.wrong("probabilities", "has a number that is not above 0")
    total = math.fsum(probabilities)
    if abs(total - 1) > SUM_TOLERANCE:
        raise fields.wrong("probabilities", f"sums to {total:.12g}, not to 1")


def read_start(fields: Fields) -> Start:
    """The start of a side, from JSON.

    Raises:
        BadBook: a field is wrong; the message names it.
    """
    lines = tuple(map(_line, fields.objects("lines")))
    probabilities = tuple(fields.numbers("probabilities", 0, 1))
    if len(probabilities) != len(lines) or not lines:
        counts = f"has {len(probabilities)} numbers for {len(lines)} lines"
        raise fields.wrong("probabilities", counts)
    _check_distribution(fields, probabilities)
    first = fields.whole("first", 0, MAX_SEED)
    fields.finish()
    return Start(first, lines, probabilities)


def _line(fields: Fields) -> Line:
    seeds, leave = fields.wholes("seeds", 0, MAX_SEED), fields.wholes("leave", 1, MAX_LEAVE)
    if len(leave) != len(seeds) or not 0 < len(seeds) <= MAX_START:
        counts = f"has {len(leave)} numbers for {len(seeds)} seeds, of 1 to {MAX_START}"
        raise fields.wrong("leave", counts)
    if any(a >= b for a, b in pairwise(leave)):
        raise fields.wrong("leave", "is not ascending without repetition")
    fields.finish()
    return tuple(zip(seeds, leave, strict=True))


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


def _evaluation(fields: Fields) -> Evaluation:
    first, seeds = fields.whole("first_seed", 0, MAX_SEED), fields.whole("seeds", 1, MAX_SEED)
    symmetries = fields.whole("symmetries", 0, len(SYMMETRIES))
    played, plain = (_scores(fields, key, seeds) for key in ("played", "plain"))
    tails = fields.whole("tails", 2, MAX_TAILS) if fields.has("tails") else 0
    without = _scores(fields, "without", seeds) if fields.has("without") else ()
    own = fields.whole("own_seeds", 2, MAX_SEED) if without else 0
    fields.finish()
    return Evaluation(first, seeds, symmetries, played, plain, tails, without, own)


def _scores(fields: Fields, key: str, seeds: int) -> tuple[Score, ...]:
    scores = []
    for entry in fields.objects(key):
        rates = (entry.number(name, 0, 1) for name in ("rate", "error", "black", "white"))
        scores.append(Score(entry.whole("exploiter", 1, seeds), *rates))
        entry.finish()
    return tuple(scores)


def _check_consistent(book: Book) -> None:
    """Checks across objects; the objects themselves are good."""
    for colour, side in (("black", book.black), ("white", book.white)):
        if side.seeds[-1] >= book.training.seeds:
            raise BadBook(
                f"{colour}.seeds: {side.seeds[-1]} is not below training.seeds,"
                f" {book.training.seeds}"
            )
    if len(book.starts) == 1:
        raise BadBook("start: is missing for one of the colours")
    fresh = book.training.fresh
    if book.evaluation is not None and book.evaluation.first_seed < fresh:
        raise BadBook(
            f"evaluation.first_seed: {book.evaluation.first_seed} is below {fresh}: those seeds"
            " were learned on"
        )
