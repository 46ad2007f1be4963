"""UCB: the deal against the formula, one playout at a time."""

import math
import threading

import numpy as np
import pytest

from bots import make
from bots.flatmc import FlatMC
from bots.kernels.ucb import deal_by_ucb
from bots.worlds import Worlds
from phantomgo.rng import Stream
from tests.support.views import views


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


def dealt(monkeypatch, spec: str, size: int) -> np.ndarray:
    """The candidates of a decision's playouts, in order.

    Only this thread's: a server of an earlier test may still be warming up its bot.
    """
    found: list[np.ndarray] = []
    real, here = Worlds.play_out, threading.get_ident()

    def play_out(self, candidates, jobs, *rest):
        if threading.get_ident() == here:
            found.append(jobs)
        real(self, candidates, jobs, *rest)

    monkeypatch.setattr(Worlds, "play_out", play_out)
    make(spec, 3).decide(views(size)["empty"])
    return np.concatenate(found)


@pytest.mark.parametrize("playouts", [1, 49, 50, 700])
def test_ucb_plays_as_many_as_it_is_told(monkeypatch, playouts):
    jobs = dealt(monkeypatch, f"flatmc:playouts={playouts},allocation=ucb", 7)
    assert len(jobs) == max(playouts, 49)
    assert sorted(jobs[:49]) == list(range(49))


def test_ucb_prefers_what_wins(monkeypatch):
    counts = np.bincount(dealt(monkeypatch, "flatmc:playouts=4000,allocation=ucb", 7))
    assert counts.max() > 4 * np.median(counts)
    assert isinstance(make("flatmc", 1), FlatMC)
