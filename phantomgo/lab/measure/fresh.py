"""Books of seeds, measured by games against fresh seeds and against each other."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seed_store import SeedStore, play_missing
from phantomgo.lab.seeds import left, tail_of, turned_games
from phantomgo.points import Colour
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.evaluation import Evaluation, Score
from phantomgo.portfolio.exploiter import EXPLOITERS, Rates, expected_exploited
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.setup import AnySetup
from phantomgo.portfolio.side import Side

TAILS: Final = 4
"""Games of a seed that is left against a test seed, under each symmetry."""
AFFORDABLE: Final = 128
"""Games of a test seed against a book, over all seeds and symmetries."""
Scores: TypeAlias = tuple[Score, ...]


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

    Every seed of the portfolio plays every test seed of the other colour. A seed that is left
    plays each such game TAILS times, continued by fresh seeds; half of these games choose the
    opponents and the other half judges them. A K' that is not below the number of test seeds is
    left out. Games that the store lacks are played.

    Each pair plays under `number` symmetries: all of them are exact, fewer are drawn for each pair,
    None stands for as many as are affordable, and 0 for games without symmetries. `own` is the
    number of fresh seeds per colour with which the bot is measured without the book: half of them
    choose the opponents and the other half judges. With 0 it isn't measured.
    """
    play_missing(store, held_out_games(store.setup, sides, tests, number, own), workers, progress)
    number = symmetries_of(store.setup, sides, number)
    tails = TAILS if sides[0].leave or sides[1].leave else 0
    halves = [range(0, tails, 2), range(1, tails, 2)] if tails else [range(1)]
    won = store.black_wins()

    def rates(both: tuple[Side, Side], turns: int, half: range) -> Rates:
        found = zip(Colour, both, strict=True)
        return Rates(*(_rates(won, store.setup, side, tests, turns, half, c) for c, side in found))

    def scores(found: Sequence[Rates]) -> Scores:
        tried = [exploiter for exploiter in exploiters if exploiter < len(tests)]
        return tuple(_score(found, exploiter) for exploiter in tried)

    played, plain = (
        scores([rates(sides, turns, half) for half in halves]) for turns in (number, 0)
    )
    alone = [rates((one, one), 0, range(1)) for one in _without(tests, own)]
    without = scores(alone) if alone else ()
    return Evaluation(tests.start, len(tests), number, played, plain, tails, without, own)


def _without(tests: range, own: int) -> list[Side]:
    """The bot without a book: fresh seeds that choose the opponents, and others that judge."""
    seeds = range(tests.stop, tests.stop + own)
    halves = [half for half in (seeds[::2], seeds[1::2]) if half]
    return [Side.of(half, [1 / len(half)] * len(half), 0.0) for half in halves]


def _score(halves: Sequence[Rates], exploiter: int) -> Score:
    """The score against opponents that one half of the games chooses and the other judges."""
    found = [
        expected_exploited(judged, exploiter, chosen)
        for judged, chosen in zip(halves, reversed(halves), strict=True)
    ]
    # Both halves have the same opponents, so the mean is as uncertain as each.
    return Score(exploiter, *(round(float(x), 6) for x in np.mean(found, axis=0)))


def _rates(
    won: Callable[[Cell], bool],
    setup: AnySetup,
    side: Side,
    tests: range,
    turns: int,
    tails: range,
    colour: Colour,
) -> FloatArray:
    """The rates of a side against each test seed."""
    shares = np.empty((len(side.seeds), len(tests)))
    for (i, seed), (j, test) in product(enumerate(side.seeds), enumerate(tests)):
        games = _side_games(setup, side, seed, test, turns, tails, colour)
        black = sum(map(won, games)) / len(games)
        shares[i, j] = black if colour is Colour.BLACK else 1 - black
    rates: FloatArray = np.array(side.probabilities) @ shares
    return rates


def _side_games(
    setup: AnySetup, side: Side, seed: int, test: int, turns: int, tails: range, colour: Colour
) -> list[Cell]:
    """The games of a side's seed against a test seed."""
    line = side.line(seed)
    owns = [left(seed, line[-1][1], tail_of(seed, test, n)) for n in tails] if line else [seed]
    pairs = [(own, test) if colour is Colour.BLACK else (test, own) for own in owns]
    return [game for pair in pairs for game in turned_games(setup, *pair, turns)]


def held_out_games(
    setup: AnySetup, sides: tuple[Side, Side], tests: range, number: int | None, own: int
) -> Iterable[Cell]:
    """The games that `held_out` needs for a portfolio, each once."""
    turned = symmetries_of(setup, sides, number)
    alone = [(side, side) for side in _without(tests, own)]
    return dict.fromkeys(
        game
        for both, turns in ((sides, 0), (sides, turned), *((both, 0) for both in alone))
        for colour, side in zip(Colour, both, strict=True)
        for test, seed in product(tests, side.seeds)
        for game in _side_games(setup, side, seed, test, turns, range(TAILS), colour)
    )


class BookMeeting(NamedTuple):
    """A book's winning rates against another book, and the number of symmetries."""

    black: float
    white: float
    symmetries: int


def meeting(
    store: SeedStore,
    book: Book,
    other: Book,
    workers: Workers,
    number: int | None = None,
    progress: Progress = SILENT,
) -> BookMeeting:
    """The winning rates of two books against each other; missing games are played.

    The mixtures meet as they are played (Reinforcing, section V-A: x^T M y), each pair of seeds
    under this many symmetries; with all eight, the default, the rates are exact.
    """
    turns = len(store.setup.symmetries)
    number = min(turns, number or turns)
    games = [(book.black, other.white), (other.black, book.white)]
    wanted = [
        game
        for black, white in games
        for pair in product(black.seeds, white.seeds)
        for game in turned_games(store.setup, *pair, number)
    ]
    play_missing(store, wanted, workers, progress)
    won = [
        float(
            np.array(black.probabilities)
            @ store.turned_wins(black.seeds, white.seeds, number)
            @ np.array(white.probabilities)
        )
        for black, white in games
    ]
    return BookMeeting(won[0], 1 - won[1], number)


def symmetries_of(setup: AnySetup, sides: tuple[Side, Side], number: int | None = None) -> int:
    """The number of symmetries that each pair plays under; by default all, if seeds are few."""
    seeds = max(len(side.seeds) for side in sides)
    return min(len(setup.symmetries), number or max(1, AFFORDABLE // seeds))
