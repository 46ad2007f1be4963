"""The learners: the same whatever the workers and interruptions, and what each of them promises."""

from concurrent.futures import ThreadPoolExecutor
from math import ceil

import numpy as np
import pytest

from phantomgo.errors import BadText
from phantomgo.lab.learners.catalog import LEARNERS, parse_learning_method
from phantomgo.lab.learners.learner import Learning, SeedTerms
from phantomgo.lab.learners.widening import Ucb
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import Local
from phantomgo.portfolio.matrix import SeedMatrix
from tests.support.grid import Games

OWN = 24
SPECS = [
    "ucb:games=700,widening=4,together=3,k=2",
    "halving:first=4,keep=3,more=2,k=2",
]


def a_matrix(own=OWN, seed=3, spread=0.8):
    """Seeds of different strength against each other."""
    random = np.random.default_rng(seed)
    ahead = random.normal(0, spread, own)[:, None] - random.normal(0, spread, own)
    won = (random.random((own, own)) < 1 / (1 + np.exp(-ahead))).astype(np.uint8)
    return SeedMatrix(won, won)


MATRIX = a_matrix()


def looked_up(learner, matrix, games):
    """The learner's portfolio after at most so many games, whose results are the matrix's.

    The second result is the number of different games.
    """
    rounds, asked, different = learner.rounds(), 0, set()
    game = next(rounds, ())
    while game and asked + len(game) <= games:
        asked, different = asked + len(game), different | set(game)
        try:
            game = rounds.send(matrix.black[tuple(np.array(game).T)].astype(np.float64))
        except StopIteration:
            break
    return learner.portfolio(), len(different)


class LookedUp(Games):
    """A contest whose games are a matrix's."""

    def __init__(self, stop_after=None):
        self.played, self.stop_after = 0, stop_after

    def one(self, i, j):
        if self.played == self.stop_after:
            raise KeyboardInterrupt
        self.played += 1
        return Result("B+" if MATRIX.black[i, j] else "W+")


def learned(spec, number, store, contest=None):
    """What a learner has come to with so many workers, to the byte."""
    method = parse_learning_method(spec)
    learner = method.begin(SeedTerms(OWN, OWN, seed=7))
    learning = Learning(learner, 0)
    crew = Local(ThreadPoolExecutor(number), number)
    most = method.games or 2 * OWN * OWN
    for learning.limit in (most // 3, most):  # what is asked does not depend on the stops
        run(learning, contest or LookedUp(), crew, store)
    crew.executor.shutdown()
    return learner, (
        learner.portfolio().black.tobytes(),
        learner.portfolio().white.tobytes(),
        list(learning.results.items()),
    )


@pytest.mark.parametrize("spec", SPECS)
def test_workers_and_interruptions_change_nothing(spec, tmp_path):
    _, one = learned(spec, 1, Store(None, [], {}))
    assert [learned(spec, number, Store(None, [], {}))[1] for number in (2, 5)] == [one, one]
    stopped, found = 0, None
    while found is None:
        with Store(tmp_path / "b.db", [], LookedUp.terms) as store:
            try:
                found = learned(spec, 3, store, LookedUp(stop_after=60))[1]
            except KeyboardInterrupt:
                stopped += 1
    assert stopped >= 2
    assert found == one


def test_ucb_pulls_the_best_scores_of_the_open_seeds():
    learner = parse_learning_method("ucb:games=9,widening=5,together=2,exploration=0.5").begin(
        SeedTerms(OWN, OWN)
    )
    assert isinstance(learner, Ucb)
    rounds, asked = learner.rounds(), 0
    games = next(rounds)
    while asked < 400:
        opened = min(OWN, ceil(5 * max(1, asked) ** (1 / 3)))
        pulls, wins = learner.pulls[0, :opened], learner.wins[0, :opened]
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = wins / pulls + 0.5 * np.sqrt(np.log(max(2, asked)) / pulls)
        scores[pulls == 0] = np.inf
        scores[pulls == OWN] = -np.inf
        assert [i for i, _ in games[:2]] == np.argsort(-scores, kind="stable")[:2].tolist()
        assert [j for _, j in games[:2]] == pulls[[i for i, _ in games[:2]]].tolist()
        asked += len(games)
        games = rounds.send(MATRIX.black[tuple(np.array(games).T)].astype(np.float64))
    assert learner.pulls.sum() == asked


def test_ucb_ends_when_everybody_has_met_everybody():
    learner = parse_learning_method("ucb:games=9").begin(SeedTerms(OWN, 7))
    assert isinstance(learner, Ucb)
    looked_up(learner, MATRIX, 10**6)
    assert (learner.pulls == 7).all()
    assert learner.wins[0].tolist() == MATRIX.black[:, :7].sum(1).tolist()
    assert learner.wins[1].tolist() == (7 - MATRIX.black[:7].sum(0)).tolist()


def test_terms_a_learner_cannot_have():
    with pytest.raises(BadText, match="ucb never ends: say how many games it may play"):
        parse_learning_method("ucb").begin(SeedTerms(8, 8))
    with pytest.raises(
        BadText, match="opponent seeds 40: rates plays its 80 seeds against each other"
    ):
        parse_learning_method("rates").begin(SeedTerms(80, 40))
    assert parse_learning_method("ucb:games=5").begin(SeedTerms(8, 4)) is not None


def test_specs_are_written_as_they_are_read():
    for name in LEARNERS:
        text = parse_learning_method(f"{name}:games=20").text
        assert parse_learning_method(text).text == text
