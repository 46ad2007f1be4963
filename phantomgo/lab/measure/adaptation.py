"""The speed at which an online portfolio learns to beat its opponent, from known results.

The learner is that of `online:` (bots/online.py). Its arms are the seeds of a matrix, and so are
the opponents: one seed, or a mixture from which a seed is drawn for each game.

Source: St-Pierre et al., Automatically Reinforcing a Game AI, section V-B, figures 6 to 8.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.lab.measure.fresh import symmetries_of
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.seed_store import SeedStore, play_missing
from phantomgo.lab.seeds import turned_games
from phantomgo.points import BLACK, Colour
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.matrix import Cell, Wins, black_won
from phantomgo.portfolio.nash import FloatArray
from phantomgo.rng import derived

Ints: TypeAlias = NDArray[np.int64]

NEVER: Final = 1 << 62
BEATEN: Final = 0.45
"""The losing rate of a learner who wins 55 %."""
WINDOW: Final = 8
"""Games over which a curve is smoothed before its crossings are found."""
SETTLED: Final = 64
"""Games that are averaged for a learner's rate before a change and at the end."""
NEAR: Final = 0.9
"""The share of a change's cost that a learner has to win back to count as recovered."""


class Opponent(NamedTuple):
    """Opponents of one kind, of which each learner meets one.

    Attributes:
        name: their name.
        before: shape (S, J): the probability that each of them plays each column.
        after: the same after a change; None if they don't change.
    """

    name: str
    before: FloatArray
    after: FloatArray | None = None


@dataclass(frozen=True)
class Curve:
    """The results of learners over their games.

    Attributes:
        lost: shape (T,): the probability of losing each game, averaged over the learners.
        errors: its standard errors.
        last: shape (R,): the game after which a learner lost no more; T if it never stopped losing.
        best: the probability of losing with the best arm, averaged over the opponents.
    """

    lost: FloatArray
    errors: FloatArray
    last: Ints
    best: float

    @property
    def until_beaten(self) -> int | None:
        """The number of games until the learners win 55 %; None if they never do."""
        below = np.flatnonzero(_smooth(self.lost) <= BEATEN)
        return int(below[0]) + 1 if len(below) else None

    def until_recovered(self, switch: int) -> int | None:
        """The games after a change until `NEAR` of its cost is recovered; None if never."""
        smooth = _smooth(self.lost[switch:])
        before = self.lost[switch - SETTLED : switch].mean()
        level = before + (1 - NEAR) * (self.lost[switch] - before)
        below = np.flatnonzero(smooth <= level)
        return int(below[0]) + 1 if len(below) else None


def _smooth(lost: FloatArray) -> FloatArray:
    """The moving average over the last WINDOW games, fewer at the beginning."""
    sums = np.concatenate([[0.0], np.cumsum(lost)])
    ends = np.arange(1, len(lost) + 1)
    starts = np.maximum(ends - WINDOW, 0)
    means: FloatArray = (sums[ends] - sums[starts]) / (ends - starts)
    return means


def curve(
    won: Wins,
    opponent: Opponent,
    *,
    games: int,
    repeats: int,
    seed: int,
    discount: float = 1.0,
    switch: int = NEVER,
) -> Curve:
    """The curve of learners who play an opponent.

    Args:
        won: shape (K, J): 1 where arm i beats column j.
        opponent: draws the columns.
        games: games of each learner.
        repeats: the number of learners.
        seed: the seed of all draws.
        discount: the factor by which a game's weight shrinks with every further game.
        switch: the number of games after which the opponent changes.
    """
    from bots.kernels.bandits import learn  # noqa: PLC0415  (the compiler, half a second)

    stages = np.stack(
        [opponent.before, opponent.before if opponent.after is None else opponent.after], 1
    )
    rates = stages @ won.T.astype(np.float64)
    chances = np.cumsum(stages, axis=2)
    keys = np.array([derived(seed, r - 1) for r in range(repeats)], np.uint64)
    lost, squares, last = np.zeros(games), np.zeros(games), np.zeros(repeats, np.int64)
    arguments = won, chances, rates, keys.view(np.int64), switch, discount
    learn(*arguments, lost, squares, last)
    mean = lost / repeats
    errors = np.sqrt(np.maximum(squares / repeats - mean**2, 0) / repeats)
    best = 1 - rates[:, 0].max(axis=1)
    return Curve(mean, errors, last, float(best.mean()))


def against_book(
    store: SeedStore,
    book: Book,
    colour: Colour,
    arms: int,
    workers: Workers,
    progress: Progress,
) -> tuple[Wins, Opponent]:
    """The results of `arms` fresh seeds of a colour against a book as played.

    Games that the store lacks are played.

    Returns:
        The wins, with a column for each of the book's seeds under each of its symmetries, and the
        book as an opponent that draws these columns. A book of many seeds plays each under few
        symmetries, drawn for each arm.
    """
    side = book.side(colour.other)
    fresh = range(book.training.fresh, book.training.fresh + arms)
    number = symmetries_of(store.setup, (side, side))

    def games(own: int, seed: int) -> list[Cell]:
        return turned_games(store.setup, *((own, seed) if colour is BLACK else (seed, own)), number)

    wanted = [game for own in fresh for seed in side.seeds for game in games(own, seed)]
    play_missing(store, wanted, workers, progress)
    known = store.results()
    won = np.array([black_won(known[game]) == (colour is BLACK) for game in wanted], np.uint8)
    each = max(1, number)
    chances = np.repeat(np.array(side.probabilities) / each, each)
    return won.reshape(arms, -1), Opponent(book.name, chances[None, :])


def changing(columns: int, scenarios: int, many: int, seed: int) -> Opponent:
    """Opponents that draw uniformly from some seeds, and later from others."""
    random = np.random.default_rng(seed)
    before, after = np.zeros((2, scenarios, columns))
    for scenario in range(scenarios):
        order = random.permutation(columns)
        before[scenario, order[:many]] = 1 / many
        after[scenario, order[many : 2 * many]] = 1 / many
    name = "one seed, then another" if many == 1 else f"{many} seeds, then {many} others"
    return Opponent(name, before, after)
