"""Successive halving asks for no more than it says, and keeps the best."""

from contextlib import contextmanager

import numpy as np
import pytest

from phantomgo.lab.api.learning import learn
from phantomgo.lab.learners.halving import Halving, sizes
from phantomgo.lab.learners.learner import Learning, SeedTerms
from phantomgo.lab.run.progress import Progress
from phantomgo.lab.run.workers import Run

RATES = np.random.default_rng(0).random((40, 40))


def play(game):
    """A game between seeds of which those with small numbers are stronger."""
    black, white = game
    luck = RATES[black % 40, white % 40]
    return "B+" if luck * 60 > 30 + black - white else "W+"


def round_of(study, end):
    study.limit = end
    asked = []
    while (game := study.ask()) is not None:
        asked.append(game)
    for game in asked:
        study.tell(game, play(game))
    return asked


def test_the_sizes_of_rounds():
    assert list(sizes(100, 16)) == [(100, 16)]
    assert list(sizes(100, 5)) == [(100, 5)]
    assert list(sizes(100, 40)) == [(100, 16), (50, 32), (25, 40)]
    assert list(sizes(1, 64)) == [(1, 16), (1, 32), (1, 64)]
    assert list(sizes(8, 8, 2)) == [(8, 2), (4, 4), (2, 8)]
    assert list(sizes(90, 50, 3, 4, 3)) == [(90, 3), (22, 9), (5, 27), (1, 50)]


def test_what_it_keeps_is_what_won_most():
    halving = Halving(SeedTerms(40, 40), k=2)
    study, ends = Learning(halving, 0), list(halving.ends())
    assert ends == [2 * 40 * 16, 2 * 40 * 16 + 2 * 20 * 16, 2 * 40 * 16 + 2 * 20 * 16 + 2 * 10 * 8]
    played = set(round_of(study, ends[0]))
    assert halving.survivors.black == tuple(range(40))
    assert played == {(i, j) for i in range(40) for j in range(16)} | {
        (i, j) for i in range(16) for j in range(40)
    }
    wins = {i: sum(play((i, j)) == "B+" for j in range(16)) for i in range(40)}
    losses = {j: sum(play((i, j)) == "B+" for i in range(16)) for j in range(40)}
    again = round_of(study, ends[1])
    black, white = halving.survivors
    assert black == tuple(sorted(sorted(wins, key=lambda i: (-wins[i], i))[:20]))
    assert white == tuple(sorted(sorted(losses, key=lambda j: (losses[j], j))[:20]))
    assert len(again) == 2 * 20 * 16
    assert halving.opponents == 32
    round_of(study, ends[2])
    assert study.over
    assert halving.opponents == 40
    assert len(halving.survivors.black) == len(halving.survivors.white) == 10
    best = sorted(
        halving.survivors.black, key=lambda i: -sum(play((i, j)) == "B+" for j in range(40))
    )
    assert set(np.flatnonzero(halving.portfolio().black)) == set(best[:2])


@pytest.mark.parametrize("seeds", [1, 3])
def test_a_few_seeds(seeds):
    halving = Halving(SeedTerms(seeds, 20))
    study, ends = Learning(halving, 0), list(halving.ends())
    round_of(study, ends[0])
    assert len(round_of(study, ends[1])) == 2 * 1 * 4
    assert study.over


class Told(Progress):
    """Whom a learner tells how far it is."""

    def __init__(self):
        self.games = []

    @contextmanager
    def stage(self, what, total):  # noqa: ARG002
        yield self.games.append


def test_games_are_told_of_as_they_are_played_and_those_of_the_store_at_once(tmp_path):
    played, kept = Told(), Told()
    for told in (played, kept):
        learn(
            "random",
            size=3,
            komi=1.5,
            seeds=16,
            test_seeds=0,
            method="halving:first=4",
            run=Run(store=tmp_path / "m.db", progress=told),
        )
    assert sum(played.games) == sum(kept.games) == 256
    assert len(played.games) > 5
    assert kept.games == [128, 64, 64]
