"""UCB: the deal against the formula, one playout at a time."""

import math

import numpy as np
import pytest

from bots import make
from bots.kernels.ucb import deal_by_ucb
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream
from tests.support.views import views

GAME = Game(Rules())


@pytest.mark.parametrize("exploration", [0.0, 0.35, 1.414])
def test_every_playout_goes_to_the_highest_bound(exploration):
    stream = Stream(5)
    for count in (1, 2, 50):
        visits = np.array([1 + stream.below(20) for _ in range(count)])
        wins = np.array([stream.below(int(n) + 1) for n in visits])
        order = np.arange(count)[::-1].copy()
        jobs = np.empty(100, np.int64)
        deal_by_ucb(visits, wins, order, exploration, jobs)
        logarithm, dealt = math.log(visits.sum() + 100), visits.tolist()
        for job in jobs:
            bounds = [
                wins[i] / visits[i] + exploration * math.sqrt(logarithm / dealt[i])
                for i in range(count)
            ]
            assert bounds[job] >= max(bounds) - 1e-4
            dealt[job] += 1


def test_a_tie_goes_to_the_first_in_order():
    jobs = np.empty(5, np.int64)
    deal_by_ucb(np.ones(4, int), np.zeros(4, int), np.array([2, 0, 3, 1]), 0.5, jobs)
    assert jobs.tolist() == [2, 0, 3, 1, 2]


@pytest.mark.parametrize("playouts", [1, 49, 50, 4000])
def test_ucb_plays_as_many_as_it_is_told_and_what_wins(playouts):
    bot = make(f"flatmc:playouts={playouts},allocation=ucb", GAME, 3)
    visits = [one.visits for one in bot.decide(views(7)["empty"]).candidates]
    assert (len(visits), sum(visits)) == (49, max(playouts, 49))
    assert (max(visits) > 4 * np.median(visits)) == (playouts == 4000)
