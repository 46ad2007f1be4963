"""The measured figures of a book: winning rates against fresh seeds and best responses."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from phantomgo.fields import Fields
from phantomgo.rng import MAX_SEED
from phantomgo.symmetry import SYMMETRIES

MAX_TAILS: Final = 1000


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
        tails: for lines that end, how many games each line plays against a seed under each
            symmetry, each continued with a fresh seed; 0 for other books.
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
class Rates:
    """Winning rates as each colour."""

    black: float
    white: float

    @classmethod
    def read(cls, fields: Fields) -> Self:
        rates = cls(fields.number("black", 0, 1), fields.number("white", 0, 1))
        fields.finish()
        return rates


@dataclass(frozen=True, slots=True)
class BestResponse:
    """The results of a book against best responses: opponents who learned from games against it.

    A learned response is at most as good as the best, so these are upper bounds of what the book
    wins against that.

    Attributes:
        base: the spec of the responses' base player.
        minutes: the processor time that each response was learned in.
        games: the games that measured it, as each colour.
        book: the winning rates of the book; None if only its bot was measured.
        without: those of its bot without the book; None if they were not measured.
    """

    base: str
    minutes: float
    games: int
    book: Rates | None = None
    without: Rates | None = None

    def joined(self, before: "BestResponse | None") -> "BestResponse":
        """These results, and an earlier one of the other kind if it was measured alike."""
        if before is None or (before.base, before.minutes, before.games) != (
            self.base,
            self.minutes,
            self.games,
        ):
            return self
        return replace(self, book=self.book or before.book, without=self.without or before.without)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON; `book` and `without` only where they were measured."""
        return {k: v for k, v in asdict(self).items() if v is not None}

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read what `as_dict` wrote.

        Raises:
            BadBook: a field is wrong; the message names it.
        """
        found = cls(
            fields.text("base"),
            fields.number("minutes", 0, MAX_SEED),
            fields.whole("games", 1, MAX_SEED),
            *(
                Rates.read(fields.object(key)) if fields.has(key) else None
                for key in ("book", "without")
            ),
        )
        fields.finish()
        return found


def read_evaluation(fields: Fields) -> Evaluation:
    """The results on fresh seeds, from JSON.

    Raises:
        BadBook: a field is wrong; the message names it.
    """
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
