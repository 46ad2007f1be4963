"""Books of seeds, measured by games against fresh seeds."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product
from typing import Final

import numpy as np

from phantomgo.game.points import Colour
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seeds.contest import side_of
from phantomgo.lab.seeds.seed_game import SeedGame, SeedSide, turned_games
from phantomgo.lab.seeds.seed_store import SeedStore, play_missing
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.evaluation import Evaluation, Score, Trial
from phantomgo.portfolio.exploiter import EXPLOITERS, Rates, expected_exploited, exploited_bot
from phantomgo.portfolio.line import Line, Side
from phantomgo.portfolio.matrix import Cell, SeedMatrix, black_score
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.setup import Setup

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
    number: int | None = None,
    own: int = 0,
    progress: Progress = SILENT,
) -> Evaluation:
    """Measure a portfolio against fresh seeds, under drawn symmetries (as played) and without.

    Every line of the portfolio plays every test seed of the other colour. A line that ends plays
    each such game TAILS times, continued by fresh seeds; half of these games choose the opponents
    and the other half judges them. A K' that is not below the number of test seeds is
    left out. Games that the store lacks are played.

    Each pair plays under `number` symmetries: all of them are exact, fewer are drawn for each pair,
    None stands for as many as are affordable, and 0 for games without symmetries. `own` is the
    number of fresh seeds per colour from which the scores of the bot without the book are
    estimated; with 0 they aren't.
    """
    wanted = held_out_games(store, sides, tests, number, own)
    play_missing(store, wanted, workers, progress)
    number = symmetries_of(store.setup, sides, number)
    tails = 0 if store.lines is None else TAILS
    halves = [range(0, tails, 2), range(1, tails, 2)] if tails else [range(1)]
    won = store.black_scores()

    def rates(both: tuple[Side, Side], turns: int, half: range) -> Rates:
        sides_of = zip(Colour, both, strict=True)
        return Rates(*(_rates(won, store, side, tests, turns, half, c) for c, side in sides_of))

    def scores(found: Sequence[Rates]) -> tuple[Score, ...]:
        tried = [exploiter for exploiter in exploiters if exploiter < len(tests)]
        return tuple(_score(found, exploiter) for exploiter in tried)

    played, plain = (
        scores([rates(sides, turns, half) for half in halves]) for turns in (number, 0)
    )
    without: tuple[Score, ...] = ()
    if own:
        seeds = _own(tests, own)
        matrix = SeedMatrix(store.scores(seeds, tests), store.scores(tests, seeds))
        without = scores_of_bot(store.setup, matrix, exploiters)
    return Evaluation(tests.start, len(tests), number, played, plain, tails, without, own)


def scores_of_bot(
    setup: Setup, matrix: SeedMatrix, exploiters: Sequence[int] = EXPLOITERS
) -> tuple[Score, ...]:
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


def _own(tests: range, own: int) -> range:
    """The seeds of the bot without the book."""
    return range(tests.stop, tests.stop + own)


def tried(
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
        for colour in Colour:
            own, bot = (
                side_of(store.lines, colour, book.line(seed, colour), seed, 0),
                SeedSide(seed),
            )
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


def _score(halves: Sequence[Rates], exploiter: int) -> Score:
    """The score against opponents that one half of the games chooses and the other judges."""
    scores = [
        expected_exploited(judged, exploiter, chosen)
        for judged, chosen in zip(halves, reversed(halves), strict=True)
    ]
    # Both halves have the same opponents, so the mean is as uncertain as each.
    return Score(exploiter, *(round(float(x), 6) for x in np.mean(scores, axis=0)))


def _rates(
    won: Callable[[Cell], float],
    store: SeedStore,
    side: Side,
    tests: range,
    turns: int,
    tails: range,
    colour: Colour,
) -> FloatArray:
    """The rates of a side against each test seed."""
    lines, probabilities = _played(side)
    shares = np.empty((len(lines), len(tests)))
    for (i, line), (j, test) in product(enumerate(lines), enumerate(tests)):
        games = _line_games(store, line, test, turns, tails, colour)
        black = sum(map(won, games)) / len(games)
        shares[i, j] = black if colour is Colour.BLACK else 1 - black
    return np.asarray(np.array(probabilities) @ shares)


def _played(side: Side) -> tuple[tuple[Line, ...], tuple[float, ...]]:
    """The lines of a side and their probabilities; without any the bot plays on from the start."""
    return (side.lines, side.probabilities) if side.lines else (((),), (1.0,))


def _line_games(
    store: SeedStore, line: Line, test: int, turns: int, tails: range, colour: Colour
) -> list[Cell]:
    """The games of a line against a test seed, each once."""
    owns = dict.fromkeys(side_of(store.lines, colour, line, test, n) for n in tails)
    other = SeedSide(test)
    pairs = [(own, other) if colour is Colour.BLACK else (other, own) for own in owns]
    return [game.numbers for pair in pairs for game in turned_games(store.setup, *pair, turns)]


def held_out_games(
    store: SeedStore, sides: tuple[Side, Side], tests: range, number: int | None, own: int
) -> Iterable[Cell]:
    """The games that `held_out` needs for a portfolio, each once."""
    turned_times = symmetries_of(store.setup, sides, number)
    of_bot = product(_own(tests, own), tests)
    return dict.fromkeys(
        chain(
            (
                game
                for turns in (0, turned_times)
                for colour, side in zip(Colour, sides, strict=True)
                for test, line in product(tests, _played(side)[0])
                for game in _line_games(store, line, test, turns, range(TAILS), colour)
            ),
            (game for seed, test in of_bot for game in ((seed, test), (test, seed))),
        )
    )


def symmetries_of(setup: Setup, sides: tuple[Side, Side], number: int | None = None) -> int:
    """The number of symmetries that each pair plays under; by default all, if seeds are few."""
    seeds = max(len(side.lines) for side in sides)
    return min(len(setup.symmetries), number or max(1, AFFORDABLE // max(1, seeds)))
