"""Books of seeds are measured by the games that they play against fresh seeds."""

from dataclasses import replace

import numpy as np
import pytest

from phantomgo.lab.measure.fresh import TAILS, held_out
from phantomgo.lab.run.workers import Run
from phantomgo.lab.seed_store import SeedStore
from phantomgo.lab.seeds import BookLines, ended, make_setup, tail_of, turned_games
from phantomgo.portfolio.line import Side, Step
from phantomgo.rules import Rules


def test_a_book_that_is_left_is_measured_with_fresh_seeds_after_it():
    """Of one move: its rates are those of the games, and opponents are judged by others."""
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    setup = make_setup("random", "random", "olympiad", rules)
    lines = (Step("random", 1, 1),), (Step("random", 2, 1),)
    side = Side(lines, (0.25, 0.75), 0.5)
    tests = range(10, 22)
    with SeedStore(None, setup, BookLines(lines, lines)) as store, Run(1).begin() as crew:
        found = held_out(store, (side, side), tests, crew, exploiters=(1, 4), number=2)
        assert found.tails == TAILS
        won = store.black_wins()

        def rate(black, test, turns):
            games = []
            for n in range(TAILS):
                for i, share in enumerate(side.probabilities):
                    own = ended(i, tail_of(i + 1, test, n))
                    one, other = (own, test) if black else (test, own)
                    cells = turned_games(setup, one, other, turns)
                    wins = np.mean([won(game) for game in cells])
                    games.append(share * (wins if black else 1 - wins))
            return sum(games) / TAILS

        for turns, (one, four) in ((2, found.played), (0, found.plain)):
            rates = [np.mean([rate(black, t, turns) for t in tests]) for black in (True, False)]
            assert [one.black, one.white] == pytest.approx(rates, abs=1e-5)
            assert four.rate < one.rate


def test_a_bot_without_a_book_is_measured_beside_it():
    """Half of its seeds choose the opponents, the other half judges; the book is what it was."""
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    setup = make_setup("random", "random", "olympiad", rules)
    lines = (Step("random", 1),), (Step("random", 2),)
    side, tests = Side(lines, (0.25, 0.75), 0.5), range(10, 20)
    with SeedStore(None, setup) as store, Run(1).begin() as crew:
        book = held_out(store, (side, side), tests, crew, exploiters=(1, 9))
        found = held_out(store, (side, side), tests, crew, exploiters=(1, 9), own=6)
        assert replace(found, without=(), own_seeds=0) == book
        own = range(20, 26)
        black = store.wins(own, tests).astype(float)
        white = 1 - store.wins(tests, own).T.astype(float)
    one, nine = found.without
    assert (one.black, one.white) == pytest.approx((black.mean(), white.mean()), abs=1e-5)
    kept = []
    for rates in (black, white):
        for judges, choosers in ((rates[::2], rates[1::2]), (rates[1::2], rates[::2])):
            order = judges.mean(axis=0)[np.argsort(choosers.mean(axis=0), kind="stable")]
            kept.append(0.9 * order[0] + 0.1 * order[1])  # nine of ten have the worst of them
    assert nine.rate == pytest.approx(np.mean(kept), abs=1e-5)
