"""The value of a seed's single decisions: the first one, then the next given that one.

A seed makes all decisions of a game. Seeds that begin alike, up to a symmetry of the board, differ
in later decisions as if those were drawn at random, so the value of a beginning is the mean of
their rates. The best first decision has the highest mean, the best second one has the highest mean
of those that follow it, and so on. No games are played.

Source: Fast seeds, section 6, and Reinforcing, section VIII, where it is further work. In a
beginning all players have received the same messages: their moves were accepted, and the opponent
has moved.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

import bots
from phantomgo.lab.measure.compare import EXPLOITERS, folds_of
from phantomgo.lab.measure.openings import first_moves, first_of_images
from phantomgo.lab.run.progress import Advance
from phantomgo.points import Colour, Move
from phantomgo.portfolio.exploiter import Portfolio, against, expected_exploited
from phantomgo.portfolio.matrix import SeedMatrix, Seeds
from phantomgo.portfolio.nash import FloatArray
from phantomgo.portfolio.setup import Setup

Moves: TypeAlias = tuple[Move, ...]
Begun: TypeAlias = list[Moves]
"""The beginning of each seed, as the first of its eight images."""
FEWEST: Final = 4
"""The fewest seeds by which a beginning is judged."""


class Step(NamedTuple):
    """The value of the first decisions.

    Attributes:
        length: the number of decisions.
        number: the numbers of Black's and White's different beginnings.
        explained: the share of the variance between seeds that they explain, adjusted for chance;
            None if too few seeds begin alike.
        chosen: Black's and White's best beginning.
        kept: the numbers of seeds that have them.
        rates: the winning rates of the uniform mixture of those seeds on fresh seeds: shape
            (folds, exploiters).
    """

    length: int
    number: tuple[int, int]
    explained: tuple[float | None, float | None]
    chosen: tuple[Moves, Moves]
    kept: tuple[int, int]
    rates: FloatArray


def beginnings(setup: Setup, seeds: int, length: int) -> tuple[Begun, Begun]:
    """The first moves of seeds 0 to `seeds` - 1 against silence: Black's, then White's."""
    sides = []
    for colour, player in zip(Colour, (setup.black, setup.white), strict=True):
        made = (bots.make_installed(player.name, seed) for seed in range(seeds))
        sides.append([first_moves(bot, setup, colour, length) for bot in made])
    return sides[0], sides[1]


def steps(
    setup: Setup, matrix: SeedMatrix, length: int, advance: Advance = lambda _: None
) -> list[Step]:
    """The best beginning, one decision longer at each step; the first step has none.

    The matrix has to be square; `advance` is called with 1 after each step.

    Raises:
        BadText: there are too few seeds.
    """
    begun = beginnings(setup, matrix.own, length)
    deal = np.random.default_rng(0).permutation(matrix.own)
    folds = np.array_split(deal, folds_of(matrix, EXPLOITERS))  # each is held out in turn
    everyone = np.arange(matrix.own)
    found = []
    for number in range(length + 1):
        images = [[first_of_images(m[:number], setup) for m in side] for side in begun]
        told = [_explained(rates, side) for rates, side in zip(_rates(matrix), images, strict=True)]
        best = _best(matrix, begun, setup, number, everyone)
        rates = np.array([_held_out(matrix, begun, setup, number, fold) for fold in folds])
        found.append(
            Step(
                number,
                (len(set(images[0])), len(set(images[1]))),
                (told[0], told[1]),
                (best[0][0], best[1][0]),
                (len(best[0][1]), len(best[1][1])),
                rates,
            )
        )
        advance(1)
    return found


def best_beginning(
    rates: FloatArray, begun: Sequence[Moves], setup: Setup, length: int, fewest: int = FEWEST
) -> tuple[Moves, Seeds]:
    """The best first move, the best second one after it and so on, and the seeds that play them.

    It ends early when fewer than `fewest` seeds share a continuation.

    Args:
        rates: the rate of each seed.
        begun: the first moves of each seed.
        setup: the players and rules; openings that symmetries map onto each other are the same.
        length: the most moves.
        fewest: the fewest seeds that have to share a continuation.
    """
    moves, seeds = Moves(), np.arange(len(rates))
    for number in range(1, length + 1):
        groups = defaultdict[Moves, list[int]](list)
        for seed in seeds.tolist():
            groups[first_of_images(begun[seed][:number], setup)].append(seed)
        known = {start: alike for start, alike in groups.items() if len(alike) >= fewest}
        if not known:
            break
        moves = max(known, key=lambda start: (rates[known[start]].mean(), start))
        seeds = np.array(known[moves])
    return moves, seeds


def _best(
    matrix: SeedMatrix, begun: Sequence[Begun], setup: Setup, length: int, learned: Seeds
) -> list[tuple[Moves, Seeds]]:
    """The best beginnings of both colours, by these seeds' games against each other."""
    found = []
    for rates, side in zip(_rates(matrix.select(learned, learned)), begun, strict=True):
        moves, seeds = best_beginning(rates, [side[seed] for seed in learned], setup, length)
        found.append((moves, learned[seeds]))
    return found


def _held_out(
    matrix: SeedMatrix, begun: Sequence[Begun], setup: Setup, length: int, fold: Seeds
) -> list[float]:
    """The rates on a fold of what is learned on the other seeds, for each of EXPLOITERS."""
    others = np.setdiff1d(np.arange(matrix.own), fold)
    portfolio = Portfolio(*np.zeros((2, matrix.own)))
    for shares, (_, seeds) in zip(
        portfolio, _best(matrix, begun, setup, length, others), strict=True
    ):
        shares[seeds] = 1 / len(seeds)
    rates = against(portfolio, matrix.black[:, fold], matrix.black[fold])
    return [expected_exploited(rates, exploiter).rate for exploiter in EXPLOITERS]


def _rates(matrix: SeedMatrix) -> tuple[FloatArray, FloatArray]:
    """Each seed's winning rate as Black, and as White."""
    return matrix.black.mean(axis=1), 1 - matrix.black.mean(axis=0)


def _explained(rates: FloatArray, groups: Sequence[Moves]) -> float | None:
    """Adjusted R squared: one minus the variance within groups over that of all."""
    alike = defaultdict[Moves, list[float]](list)
    for rate, group in zip(rates, groups, strict=True):
        alike[group].append(float(rate))
    within = sum(len(side) * np.var(side) for side in alike.values())
    free = len(rates) - len(alike)
    if free < len(rates) / 10:
        return None
    return float(1 - within / free / rates.var(ddof=1))
