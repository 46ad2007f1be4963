"""Bots that search longer win; the figures of the README come from matches such as these.

Slow: hundreds of games on all cores. Half of the games with each colour, seeds apart from those
the bots were tuned on.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest

from bots import make
from phantomgo.game import play_game
from phantomgo.points import BLACK, WHITE
from phantomgo.rules import Rules

SEED = 20_000


def won(first: str, second: str, rules: Rules, number: int) -> bool:
    """Whether `first` wins game `number`, as Black in the even ones."""
    one, two = make(first, SEED + 2 * number), make(second, SEED + 2 * number + 1)
    if number % 2 == 0:
        return play_game(rules, one, two).outcome.winner is BLACK
    return play_game(rules, two, one).outcome.winner is WHITE


def wins(first: str, second: str, rules: Rules, games: int) -> int:
    with ProcessPoolExecutor() as pool:
        return sum(pool.map(partial(won, first, second, rules), range(games), chunksize=5))


@pytest.mark.slow
def test_flatmc_beats_random():
    assert wins("flatmc:playouts=1000", "random", Rules(size=7), 200) >= 195


@pytest.mark.slow
def test_phantom_beats_flatmc():
    rules = Rules(size=9, komi=5.5)
    assert wins("phantom:playouts=400", "flatmc:playouts=400", rules, 100) >= 90


@pytest.mark.slow
def test_the_players_of_the_thesis_search_for_something():
    rules = Rules(size=5, komi=2.5)
    assert wins("mcts:playouts=300", "flatmc:playouts=300", rules, 100) >= 60
    assert wins("twolevel:playouts=100,inner=2,horizon=4", "random", rules, 40) >= 34
    assert wins("imperfect:worlds=4,inner=2,horizon=4", "random", rules, 40) >= 27
