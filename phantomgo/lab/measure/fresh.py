"""Books of seeds, measured by games against fresh seeds."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from phantomgo.game.outcome import black_score
from phantomgo.game.points import Colour
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.lines import side_of
from phantomgo.lab.seeds.seed_game import SeedGame, SeedSide, turned_games
from phantomgo.lab.seeds.seed_store import SeedStore, play_missing
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.evaluation import Evaluation, Score, Trial
from phantomgo.portfolio.exploiter import EXPLOITERS, Rates, expected_exploited, exploited_bot
from phantomgo.portfolio.line import Line, Side
from phantomgo.portfolio.matrix import Cell, SeedMatrix
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.setup import Setup

LEAST_TEST_SEEDS: Final = 2
"""The fewest test seeds of a measurement: K' is less than their number."""
TAILS: Final = 4
"""Games of a line that ends against a test seed, under each symmetry."""
AFFORDABLE: Final = 128
"""Games of a test seed against a book, over all seeds and symmetries."""


def held_out(
    store: SeedStore,
    sides: tuple[Side, Side],
    tests: range,
    workers: Workers,
    exploiters: Sequence[int] = EXPLOITERS,
    symmetries: int | None = None,
    own_seeds: int = 0,
    progress: Progress = SILENT,
) -> Evaluation:
    """Measure a portfolio against fresh seeds, under drawn symmetries (as played) and without.

    Every line of the portfolio plays every test seed of the other colour. A line that ends plays
    each such game TAILS times, continued by fresh seeds; half of these games choose the opponents
    and the other half judges them. A K' that is not below the number of test seeds is left out.
    Games that the store lacks are played.

    Args:
        store: the store of the games.
        sides: Black's and White's lines, with their probabilities.
        tests: the fresh seeds.
        workers: play the games.
        exploiters: values of K', the number of fresh seeds an opponent tries.
        symmetries: number of symmetries that each pair plays under: all of them are exact, fewer
            are drawn for each pair (default: as many as are affordable).
        own_seeds: fresh seeds per colour from which the scores of the bot without the book are
            estimated; 0 to leave them out.
        progress: receives reports of progress.
    """
    asked = _HeldOut(store, sides, tests, _affordable(store.setup, sides, symmetries), own_seeds)
    play_missing(store, asked.games(), workers, progress)
    won = store.black_scores()
    tails = 0 if store.lines is None else TAILS
    halves = [range(0, tails, 2), range(1, tails, 2)] if tails else [range(1)]

    def scores(symmetries: int) -> tuple[Score, ...]:
        found = [asked.rates(won, symmetries, half) for half in halves]
        tried = [exploiter for exploiter in exploiters if exploiter < len(tests)]
        return tuple(_score(found, exploiter) for exploiter in tried)

    without: tuple[Score, ...] = ()
    if own_seeds:
        own = asked.own
        matrix = SeedMatrix(store.scores(own, tests), store.scores(tests, own))
        without = scores_of_bot(store.setup, matrix, exploiters)
    return Evaluation(
        tests.start,
        len(tests),
        asked.symmetries,
        scores(asked.symmetries),
        scores(0),
        tails,
        without,
        own_seeds,
    )


class _HeldOut(NamedTuple):
    """The games of a portfolio against fresh seeds; the attributes are those of `held_out`."""

    store: SeedStore
    sides: tuple[Side, Side]
    tests: range
    symmetries: int
    own_seeds: int

    @property
    def own(self) -> range:
        """The seeds of the bot without the book."""
        return range(self.tests.stop, self.tests.stop + self.own_seeds)

    def games(self) -> Iterable[Cell]:
        """All games, each once."""
        found: dict[Cell, None] = {}
        for symmetries in (0, self.symmetries):
            for colour, side in zip(Colour, self.sides, strict=True):
                for test, line in product(self.tests, _lines(side)):
                    games = self._line_games(colour, line, test, symmetries, range(TAILS))
                    found |= dict.fromkeys(games)
        for seed, test in product(self.own, self.tests):
            found |= dict.fromkeys([(seed, test), (test, seed)])
        return found

    def rates(self, won: Callable[[Cell], float], symmetries: int, tails: range) -> Rates:
        """The win rates of both colours against each test seed, in the games with these tails."""
        black, white = (self._rates(won, colour, symmetries, tails) for colour in Colour)
        return Rates(black, white)

    def _rates(
        self, won: Callable[[Cell], float], colour: Colour, symmetries: int, tails: range
    ) -> FloatArray:
        side = self.sides[colour - 1]
        lines = _lines(side)
        shares = np.empty((len(lines), len(self.tests)))
        for (i, line), (j, test) in product(enumerate(lines), enumerate(self.tests)):
            games = self._line_games(colour, line, test, symmetries, tails)
            black = sum(map(won, games)) / len(games)
            shares[i, j] = black if colour is Colour.BLACK else 1 - black
        return np.asarray(np.array(side.probabilities or (1.0,)) @ shares)

    def _line_games(
        self, colour: Colour, line: Line, test: int, symmetries: int, tails: range
    ) -> list[Cell]:
        """The games of a line against a test seed, each once."""
        setup, lines = self.store.setup, self.store.lines
        other, found = SeedSide(test), list[Cell]()
        for own in dict.fromkeys(side_of(lines, colour, line, test, number) for number in tails):
            black, white = (own, other) if colour is Colour.BLACK else (other, own)
            found += (game.numbers for game in turned_games(setup, black, white, symmetries))
        return found


def _lines(side: Side) -> tuple[Line, ...]:
    """The lines of a side; without any the bot plays from the first move."""
    return side.lines or ((),)


def _affordable(setup: Setup, sides: tuple[Side, Side], symmetries: int | None) -> int:
    """The number of symmetries that each pair plays under; by default all, if lines are few."""
    lines = max(1, *(len(side.lines) for side in sides))
    return min(len(setup.symmetries), symmetries or max(1, AFFORDABLE // lines))


def _score(halves: Sequence[Rates], exploiter: int) -> Score:
    """The score against opponents that one half of the games chooses and the other judges."""
    scores = [
        expected_exploited(judged, exploiter, chosen)
        for judged, chosen in zip(halves, reversed(halves), strict=True)
    ]
    # Both halves have the same opponents, so the mean is as uncertain as each.
    return Score(exploiter, *(round(float(x), 6) for x in np.mean(scores, axis=0)))


def scores_of_bot(setup: Setup, matrix: SeedMatrix, exploiters: Sequence[int]) -> tuple[Score, ...]:
    """The scores of a bot that plays a fresh seed in each game, estimated from a matrix.

    A bot that meets itself wins half of its games against one try, so K'=1 is left out.
    """
    least = 2 if setup.black == setup.white else 1
    if min(matrix.own, matrix.opponents) < 2:
        return ()
    return tuple(
        Score(tries, *(round(x, 6) for x in exploited_bot(matrix.black, matrix.white, tries)))
        for tries in exploiters
        if least <= tries < matrix.opponents
    )


def play_trial(
    store: SeedStore,
    book: Book,
    games: int,
    workers: Workers,
    progress: Progress = SILENT,
    deadline: float = math.inf,
) -> Trial | None:
    """Let a book play its bot, as `match --black book:NAME --white BOT` does.

    In each pair of games the bot has a fresh seed, and the book draws a line and a symmetry for
    either colour.

    Args:
        store: of the games that the book was learned from.
        book: the book.
        games: how many to play, an even number.
        workers: play them.
        progress: receives reports of progress.
        deadline: `time.monotonic` at which to stop; only whole pairs count.

    Returns:
        The result; None if not one pair could be played.
    """

    def pair(seed: int) -> list[Cell]:
        found = []
        bot = SeedSide(seed)
        for colour in Colour:
            own = side_of(store.lines, colour, book.line(seed, colour), seed, 0)
            black, white = (own, bot) if colour is Colour.BLACK else (bot, own)
            found.append(SeedGame(black, white, book.symmetry(seed, colour)).numbers)
        return found

    first = book.training.first_fresh_seed
    pairs = [pair(first + number) for number in range(games // 2)]
    play_missing(store, [game for both in pairs for game in both], workers, progress, deadline)
    won, known = 0.0, store.results()
    played = [both for both in pairs if all(game in known for game in both)]
    for black, white in played:
        won += black_score(known[black]) + 1 - black_score(known[white])
    return Trial(first, 2 * len(played), won) if played else None
