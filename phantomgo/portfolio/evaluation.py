"""The measured figures of a book: win rates against fresh seeds and best responses."""

from dataclasses import dataclass
from typing import Final

from phantomgo.fields import COUNT, SHARE, SOME, Fields, Part, declared, nested_all
from phantomgo.game.symmetry import SYMMETRIES
from phantomgo.rng import MAX_SEED
from phantomgo.values import Number, Text, Whole

MAX_TAILS: Final = 1000


@dataclass(frozen=True, slots=True)
class Score(Part):
    """The win rate against one exploiter, averaged exactly over all draws of K' test seeds.

    Attributes:
        exploiter: K', the number of seeds that the exploiter tries.
        rate: the mean of both colours.
        error: its standard error due to the choice of test seeds (jackknife).
        black: the rate as Black.
        white: as White.
    """

    exploiter: int = declared(SOME)
    rate: float = declared(SHARE)
    error: float = declared(SHARE)
    black: float = declared(SHARE)
    white: float = declared(SHARE)


@dataclass(frozen=True, slots=True)
class Evaluation(Part):
    """The results of a book against seeds that were never used in learning.

    Attributes:
        first_seed: the first of the opponents' seeds, which are consecutive.
        seeds: how many there were per colour.
        symmetries: the number of the eight board symmetries under which each pair of seeds played:
            all of them, or a number drawn for each pair; 0 for games without symmetries.
        played: the scores of the book as it is played, with symmetries; without any, `plain`.
        plain: its scores without symmetries.
        tails: for lines that end, how many games each line plays against a seed under each
            symmetry, each continued with a fresh seed; 0 for other books.
        without: the scores of its bot without a book, which plays a fresh seed in each game
            (`exploited_bot`); empty if they were not measured. They lack K'=1 where a bot meets
            itself, which is always 50 %.
        own_seeds: the seeds of that bot per colour, from which the scores were estimated.
    """

    first_seed: int = declared(COUNT)
    seeds: int = declared(SOME)
    symmetries: int = declared(Whole(0, len(SYMMETRIES)))
    played: tuple[Score, ...] = nested_all(Score)
    plain: tuple[Score, ...] = nested_all(Score)
    tails: int = declared(Whole(2, MAX_TAILS), 0)
    without: tuple[Score, ...] = nested_all(Score, ())
    own_seeds: int = declared(Whole(2, MAX_SEED), 0)

    def check(self, given: Fields) -> None:
        for key in ("played", "plain", "without"):
            for place, score in enumerate(getattr(self, key)):
                if score.exploiter > self.seeds:
                    where = f"{key}[{place}].exploiter"
                    raise given.wrong(where, f"{score.exploiter} is more than seeds, {self.seeds}")
        if bool(self.without) != bool(self.own_seeds):
            raise given.wrong("own_seeds", "goes with `without`, and neither goes alone")
        if not self.plain:
            raise given.wrong("plain", "is empty")
        if [score.exploiter for score in self.played] != [score.exploiter for score in self.plain]:
            raise given.wrong("played", "has other values of K' than plain")


@dataclass(frozen=True, slots=True)
class Trial(Part):
    """Games of a book, as it is played, against its bot without the book.

    Both have a seed of their own in each pair of games, in which colours are swapped.

    Attributes:
        first_seed: the first of the bot's seeds, which are consecutive, one for each pair.
        games: how many were played.
        won: how many of them the book won; a draw is half a game.
    """

    first_seed: int = declared(COUNT)
    games: int = declared(Whole(2, MAX_SEED))
    won: float = declared(Number(0, MAX_SEED))

    def check(self, given: Fields) -> None:
        if self.won > self.games:
            raise given.wrong("won", f"{self.won:g} is more than the {self.games} games")


@dataclass(frozen=True, slots=True)
class RateEquilibrium(Part):
    """The value of an equilibrium of lines whose rates come from a few games each.

    Attributes:
        value: Black's win rate between the mixed strategies.
        error: its standard error.
        gap: the sum of both colours' gains by the best known line, averaged over the posterior of
            the rates; 0 where they are known exactly.
        black_gain: the win rate of Black's best fresh line of the last round minus the value, in
            games that did not select it; negative if none was better.
        white_gain: the same of White.
        games: the games of the matrix.
    """

    value: float = declared(SHARE)
    error: float = declared(SHARE)
    gap: float = declared(Number(0, 2))
    black_gain: float = declared(Number(-1, 1))
    white_gain: float = declared(Number(-1, 1))
    games: int = declared(SOME)


@dataclass(frozen=True, slots=True)
class BestResponse(Part):
    """The win rates of a book against a best response: an opponent who learned to beat it.

    A learned response wins at most as much as a true best response, so these are upper bounds of
    the book's win rate against the latter.

    Attributes:
        responder: how the responses were learned, `tree` or `policy`.
        attempts: million attempts that each made while it learned.
        responders: how many there were; the best one counts.
        games: the games that measured the best one, as each colour; they did not select it.
        black: the book's win rate as Black.
        white: the same as White.
    """

    responder: str = declared(Text())
    attempts: float = declared(Number(0, MAX_SEED))
    responders: int = declared(SOME)
    games: int = declared(SOME)
    black: float = declared(SHARE)
    white: float = declared(SHARE)
