"""Books of seeds are measured by the games that they play against fresh seeds."""

from dataclasses import replace

import numpy as np
import pytest

from bots import make
from bots.book import unchecked_book_bot
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.rules import Rules
from phantomgo.lab.learning.learn import untested_book
from phantomgo.lab.measure.fresh import TAILS, held_out, play_trial
from phantomgo.lab.run.workers import Run
from phantomgo.lab.seeds.contest import make_setup
from phantomgo.lab.seeds.lines import LinesToMeasure
from phantomgo.lab.seeds.seed_game import SeedSide, tail_of, turned_games
from phantomgo.lab.seeds.seed_store import SeedStore, pack, play_missing
from phantomgo.portfolio.evaluation import Trial
from phantomgo.portfolio.exploiter import exploited_bot
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.methods import parse_method


def test_a_book_that_is_left_is_measured_with_fresh_seeds_after_it():
    """Of one move: its rates are those of the games, and opponents are judged by others."""
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    setup = make_setup("random", "random", "olympiad", Game(rules))
    lines = (Step("random", 1, 1),), (Step("random", 2, 1),)
    side = Side(lines, (0.25, 0.75), 0.5)
    tests = range(10, 22)
    with SeedStore(None, setup, LinesToMeasure(lines, lines)) as store, Run(1).begin() as crew:
        found = held_out(store, (side, side), tests, crew, exploiters=(1, 4), symmetries=2)
        assert found.tails == TAILS
        won = store.black_scores()

        def rate(black, test, turns):
            games = []
            for n in range(TAILS):
                for i, share in enumerate(side.probabilities):
                    own = SeedSide(tail_of(i + 1, test, n), i)
                    tested = SeedSide(test)
                    one, other = (own, tested) if black else (tested, own)
                    cells = turned_games(setup, one, other, turns)
                    wins = np.mean([won(game.numbers) for game in cells])
                    games.append(share * (wins if black else 1 - wins))
            return sum(games) / TAILS

        for turns, (one, four) in ((2, found.played), (0, found.plain)):
            rates = [np.mean([rate(black, t, turns) for t in tests]) for black in (True, False)]
            assert [one.black, one.white] == pytest.approx(rates, abs=1e-5)
            assert four.rate < one.rate


def test_a_bot_without_a_book_is_measured_beside_it():
    """From games of its own seeds against the test seeds; the book is what it was."""
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    setup = make_setup("random", "random", "olympiad", Game(rules))
    lines = (Step("random", 1),), (Step("random", 2),)
    side, tests = Side(lines, (0.25, 0.75), 0.5), range(10, 20)
    with SeedStore(None, setup) as store, Run(1).begin() as crew:
        book = held_out(store, (side, side), tests, crew, exploiters=(1, 9))
        found = held_out(store, (side, side), tests, crew, exploiters=(1, 9), own_seeds=6)
        assert replace(found, without=(), own_seeds=0) == book
        own = range(20, 26)
        expected = exploited_bot(store.scores(own, tests), store.scores(tests, own), 9)
    (nine,) = found.without  # against one try it wins half of its games, which is not measured
    assert nine.exploiter == 9
    assert (nine.rate, nine.error) == pytest.approx(expected[:2], abs=1e-6)


def test_a_book_is_tried_as_a_match_plays_it():
    """In pairs, with the lines and symmetries that the seeds draw; a draw is half a game."""
    rules = Rules.profile("olympiad", size=3, komi=1.0)
    setup = make_setup("random", "random", "olympiad", Game(rules))
    with SeedStore(None, setup) as store, Run(1).begin() as crew:
        play_missing(store, cells(4, 4), crew)
        book = untested_book(pack(store, "all", 4, 4), parse_method("uniform"), 0)
        trial = play_trial(store, book, 60, crew)
        won = 0.0
        for seed in range(4, 34):
            bot, deployed = (
                make("random", setup.game, seed),
                unchecked_book_bot("all", book, setup.game, seed, make),
            )
            for black, white, mark in ((deployed, bot, "B+"), (bot, deployed, "W+")):
                result = play_game(rules, black, white).outcome.result
                won += 0.5 if result == "0" else result.startswith(mark)
        assert trial == Trial(4, 60, won)
        assert play_trial(store, book, 60, crew, deadline=0.0) == trial  # nothing is left to play
        assert play_trial(store, replace(book, name="b"), 80, crew, deadline=0.0) == trial
