"""Books of seeds, measured by games against fresh seeds."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Final

import numpy as np

from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seed_store import SeedStore, play_missing
from phantomgo.lab.seeds import line_number, turned_games
from phantomgo.points import Colour
from phantomgo.portfolio.evaluation import Evaluation, Score
from phantomgo.portfolio.exploiter import EXPLOITERS, Rates, expected_exploited
from phantomgo.portfolio.line import Line, Side, Step
from phantomgo.portfolio.matrix import Cell
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.setup import AnySetup

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
    number of fresh seeds per colour with which the bot is measured without the book: half of them
    choose the opponents and the other half judges. With 0 it isn't measured.
    """
    wanted = held_out_games(store, sides, tests, number, own)
    play_missing(store, wanted, workers, progress)
    number = symmetries_of(store.setup, sides, number)
    tails = 0 if store.lines is None else TAILS
    halves = [range(0, tails, 2), range(1, tails, 2)] if tails else [range(1)]
    won = store.black_wins()

    def rates(both: tuple[Side, Side], turns: int, half: range) -> Rates:
        sides_of = zip(Colour, both, strict=True)
        return Rates(*(_rates(won, store, side, tests, turns, half, c) for c, side in sides_of))

    def scores(found: Sequence[Rates]) -> tuple[Score, ...]:
        tried = [exploiter for exploiter in exploiters if exploiter < len(tests)]
        return tuple(_score(found, exploiter) for exploiter in tried)

    played, plain = (
        scores([rates(sides, turns, half) for half in halves]) for turns in (number, 0)
    )
    alone = [rates(both, 0, range(1)) for both in _without(store.setup, tests, own)]
    without = scores(alone) if alone else ()
    return Evaluation(tests.start, len(tests), number, played, plain, tails, without, own)


def _without(setup: AnySetup, tests: range, own: int) -> list[tuple[Side, Side]]:
    """The bot without a book: fresh seeds that choose the opponents, and others that judge."""
    seeds = range(tests.stop, tests.stop + own)
    halves = [half for half in (seeds[::2], seeds[1::2]) if half]
    both = setup.black.name, setup.white.name
    return [(_even(both[0], half), _even(both[1], half)) for half in halves]


def _even(bot: str, seeds: range) -> Side:
    """Every one of these seeds of a bot, equally often."""
    lines = [(Step(bot, seed),) for seed in seeds]
    return Side.of(lines, [1 / len(lines)] * len(lines), 0.0)


def _score(halves: Sequence[Rates], exploiter: int) -> Score:
    """The score against opponents that one half of the games chooses and the other judges."""
    scores = [
        expected_exploited(judged, exploiter, chosen)
        for judged, chosen in zip(halves, reversed(halves), strict=True)
    ]
    # Both halves have the same opponents, so the mean is as uncertain as each.
    return Score(exploiter, *(round(float(x), 6) for x in np.mean(scores, axis=0)))


def _rates(
    won: Callable[[Cell], bool],
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
    owns = dict.fromkeys(line_number(store.lines, colour, line, test, n) for n in tails)
    pairs = [(own, test) if colour is Colour.BLACK else (test, own) for own in owns]
    return [game for pair in pairs for game in turned_games(store.setup, *pair, turns)]


def held_out_games(
    store: SeedStore, sides: tuple[Side, Side], tests: range, number: int | None, own: int
) -> Iterable[Cell]:
    """The games that `held_out` needs for a portfolio, each once."""
    turned = symmetries_of(store.setup, sides, number)
    alone = ((both, 0) for both in _without(store.setup, tests, own))
    return dict.fromkeys(
        game
        for both, turns in ((sides, 0), (sides, turned), *alone)
        for colour, side in zip(Colour, both, strict=True)
        for test, line in product(tests, _played(side)[0])
        for game in _line_games(store, line, test, turns, range(TAILS), colour)
    )


def symmetries_of(setup: AnySetup, sides: tuple[Side, Side], number: int | None = None) -> int:
    """The number of symmetries that each pair plays under; by default all, if seeds are few."""
    seeds = max(len(side.lines) for side in sides)
    return min(len(setup.symmetries), number or max(1, AFFORDABLE // max(1, seeds)))
