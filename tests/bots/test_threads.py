"""Threads share a decision, and play games side by side: nothing of the results depends on them."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bots import BOTS, make
from bots.belief import candidates, presume_refused
from bots.pace import Unwanted, thread
from bots.worlds import Statistics, Worlds, as_array
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.rules import Rules
from tests.support.views import views

GAME = Game(Rules())


@pytest.mark.parametrize(("threads", "piece"), [(0, 10_000), (2, 37), (3, 10_000), (256, 1)])
def test_a_decision_is_the_same_in_any_number_of_threads(threads, piece, monkeypatch):
    """And in pieces of any size."""
    monkeypatch.setattr("bots.worlds.PIECE", piece)
    view = views(7)["middle"]
    belief = presume_refused(view)
    points = as_array(candidates(view, belief), 7)
    worlds = Worlds(belief, view.rules, view.colour)
    every_stats = []
    for count in (1, threads):
        stats = Statistics(len(points))
        worlds.play_out(points, np.arange(len(points)), 250, 99, 5, stats, count)
        every_stats.append([a.tolist() for a in (stats.visits, stats.wins, stats.margins)])
    assert sum(every_stats[0][0]) == 250
    assert every_stats[0] == every_stats[1]
    for spec in ("flatmc:playouts=250", "flatmc:playouts=1500,allocation=ucb"):
        alone = [make(spec, Game.of(view), seed).decide(view).move for seed in range(4)]
        shared = [
            make(f"{spec},threads={threads}", Game.of(view), seed).decide(view).move
            for seed in range(4)
        ]
        assert alone == shared


@pytest.mark.parametrize("spec", sorted(set(BOTS) - {"policy", "random"}))
def test_a_decision_ends_that_nobody_waits_for(spec):
    """The others decide at once."""

    def unwanted() -> None:
        thread.ended = lambda: True
        with pytest.raises(Unwanted):
            make(spec, Game.of(views(5)["middle"]), 1).decide(views(5)["middle"])

    with ThreadPoolExecutor(1) as pool:
        pool.submit(unwanted).result()


def game(seed: int) -> tuple:
    bots = (
        make("flatmc:playouts=40,threads=2", GAME, seed),
        make("flatmc:playouts=40", GAME, seed + 100),
    )
    return play_game(Rules(size=5), *bots).attempts


def test_games_side_by_side_are_the_games_one_by_one():
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(game, range(8)))
    assert together == [game(seed) for seed in range(8)]
    assert len(set(together)) == 8
