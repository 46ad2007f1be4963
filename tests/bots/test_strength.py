"""Bots that search longer win; the figures of the README come from matches such as these.

Slow: hundreds of games on all cores. Half of the games with each colour, seeds apart from those
the bots were tuned on.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import pytest

from bots import make
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import Rules

GAME = Game(Rules())

SEED, SMALL = 20_000, Rules(size=5, komi=2.5)


def won(first: str, second: str, rules: Rules, number: int) -> bool:
    """Whether `first` wins game `number`, as Black in the even ones."""
    one, two = make(first, GAME, SEED + 2 * number), make(second, GAME, SEED + 2 * number + 1)
    if number % 2 == 0:
        return play_game(rules, one, two).outcome.winner is BLACK
    return play_game(rules, two, one).outcome.winner is WHITE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "rules", "games", "least"),
    [
        ("flatmc:playouts=1000", "random", Rules(size=7), 200, 195),
        ("phantom:playouts=400", "flatmc:playouts=400", Rules(size=9, komi=5.5), 100, 90),
        ("twolevel:playouts=100,inner=2,horizon=4", "random", SMALL, 40, 34),
        ("imperfect:worlds=4,inner=2,horizon=4", "random", SMALL, 40, 27),
    ],
)
def test_who_searches_more_wins(first, second, rules, games, least):
    with ProcessPoolExecutor() as pool:
        wins = sum(pool.map(partial(won, first, second, rules), range(games), chunksize=5))
    assert wins >= least
