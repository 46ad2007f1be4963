"""Double oracle on rates: lines that win are found, and the bot without a line stays in."""

from itertools import islice

import numpy as np
import pytest

import bots
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.api.learning import learn
from phantomgo.lab.learners.learner import SeedTerms
from phantomgo.lab.learners.rates import RateOracle
from phantomgo.lab.players.identity import identify
from phantomgo.lab.run.workers import Run
from phantomgo.lab.seeds.seed_game import SeedGame
from phantomgo.lab.seeds.seed_store import SeedStore
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.line import Step

GAMES = {"rounds": 2, "join": 4, "first": 16, "cell": 40, "extra": 400}


def played(oracle, strength, seed=0):
    """Play what it asks for, where Black wins by a logistic of the difference of strengths."""
    generator, rounds, asked = np.random.default_rng(seed), oracle.rounds(), []
    games = next(rounds)
    while True:
        asked += games
        sides = [SeedGame.of(game)[:2] for game in games]
        odds = [strength(BLACK, b.line) - strength(WHITE, w.line) for b, w in sides]
        won = generator.random(len(games)) < 1 / (1 + np.exp(-np.array(odds)))
        try:
            games = rounds.send(won.astype(np.float64))
        except StopIteration:
            return asked


def test_it_finds_the_lines_that_win():
    oracle = RateOracle(SeedTerms(64, 64), **GAMES)
    asked = played(oracle, lambda _, line: 0 if line is None else 2.0 * (line % 16 == 5) - 1)
    assert len(asked) == len(set(asked)), "every game has seeds of its own"
    assert len(asked) == [*oracle.ends()][-1]
    for lines, mixture in zip(oracle.lines, oracle.portfolio(), strict=True):
        drawn = {line for line, share in zip(lines, mixture, strict=True) if share > 0.02}
        assert drawn <= {5, 21, 37, 53}
    assert oracle.equilibrium.value == pytest.approx(0.5, abs=0.05)
    assert oracle.equilibrium.games == 81 * 40 + 800


def test_without_a_better_line_the_bot_plays_without_one():
    oracle = RateOracle(SeedTerms(32, 32), **GAMES)
    played(oracle, lambda _, line: 0 if line is None else -2)
    for lines, mixture in zip(oracle.lines, oracle.portfolio(), strict=True):
        assert lines[0] is None
        assert mixture[0] > 0.98
    assert oracle.equilibrium.black_gain < 0
    assert oracle.equilibrium.white_gain < 0


def test_lines_of_several_movers_resume_and_are_the_same_again(tmp_path):
    movers = ["random", "flatmc:playouts=2"]

    def book(name, store):
        return learn(
            "flatmc:playouts=5",
            size=3,
            komi=0.5,
            handicap=["A1"],
            moves=(2, 1),
            movers=movers,
            method="rates:rounds=1,join=2,first=2,cell=2,extra=8",
            seeds=8,
            test_seeds=0,
            out=tmp_path / f"{name}.json",
            run=Run(store=tmp_path / store),
        )

    one = book("one", "a.db")
    assert book("one", "a.db") == one
    assert book("one", "b.db") == one
    assert read_book(str(tmp_path / "one.json")) == one
    games = one.setup.rules, one.setup.beginning
    assert list(one.openers) == [identify(mover, Game(*games)) for mover in movers]
    for side, moves in ((one.black, 2), (one.white, 1)):
        steps = [step for line in side.lines for step in line]
        assert steps
        assert all(step.bot == movers[step.seed % 2] and step.moves == moves for step in steps)
    assert one.equilibrium.games == 9 * 2 + 8


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "rates"}, "rates needs opening lines: give moves"),
        ({"movers": ["random"], "seeds": 5}, "seeds cannot be combined with movers without moves"),
        ({"movers": ["random"], "method": "nash"}, "movers without moves need the method rates"),
        ({"movers": ["random", "random"]}, "movers: one is named twice"),
        ({"movers": ["random"], "start": "steps5"}, "movers needs opening lines: give moves"),
        ({"method": "rates", "moves": [1], "seeds": 5}, "rates: 5 lines are too few for 2 rounds"),
        (
            {"movers": ["random"], "method": "rates:rounds=0,opponents=1"},
            "rates: opponents needs rounds=0",
        ),
        (
            {"movers": ["random"], "method": "rates:rounds=0,model=0.5"},
            "rates: model needs opponents=1",
        ),
    ],
)
def test_terms_that_make_no_lines_are_refused(given, said):
    with pytest.raises(BadText, match=said):
        learn("random", size=3, **{"komi": 0.5, **given})


def test_bots_that_play_whole_games_are_lines(tmp_path):
    """The strongest of three bots has nearly all of the probability, and its book plays it."""
    strong, store = "flatmc:playouts=30", tmp_path / "s.db"
    book = learn(
        "random",
        size=4,
        komi=0.5,
        movers=["random", strong, "flatmc:playouts=1"],
        method="rates:rounds=0,cell=12,extra=0",
        test_seeds=0,
        out=tmp_path / "mine.json",
        run=Run(store=store),
    )
    for side in (book.black, book.white):
        assert dict(zip(side.lines, side.probabilities, strict=True))[Step(strong, None),] > 0.7
    assert book.equilibrium.games == book.training.games == 9 * 12
    method, movers = (
        "rates:rounds=0,extra=0,opponents=1,model=0.5",
        ["random", "flatmc:playouts=1", strong],
    )
    against = learn("random", size=4, komi=0.5, movers=movers, method=method, test_seeds=0)
    assert {*against.black.bots, *against.white.bots} == {bot.name for bot in against.openers}
    assert strong not in {bot.name for bot in against.openers}
    with SeedStore(store) as kept:
        assert len(kept.games()) == 108
    view, seed = View(Rules(size=4, komi=0.5), BLACK), 7
    playing = bots.make(f"book:{tmp_path / 'mine.json'},symmetry=off", Game.of(view), seed)
    assert playing.decide(view).move == bots.make(strong, Game.of(view), seed).decide(view).move


def test_a_line_may_open_from_a_book(tmp_path):
    """As a learned responder does, with its book of moves."""
    opened = "random:book=steps5"
    book = learn(
        "random",
        size=5,
        movers=["random", opened],
        method="rates:rounds=0,cell=9,extra=0",
        test_seeds=0,
        out=tmp_path / "mine.json",
    )
    assert max(side.probabilities[-1] for side in (book.black, book.white)) > 0.7
    assert [identity.name for identity in book.openers] == ["random", opened]
    view, seed = View(Rules(size=5, komi=2.5), BLACK), 3
    playing = bots.make(f"book:{tmp_path / 'mine.json'},symmetry=off", Game.of(view), seed)
    assert playing.decide(view).move == bots.make(opened, Game.of(view), seed).decide(view).move


def test_its_first_games_are_of_the_bot_alone():
    rounds = RateOracle(SeedTerms(32, 32), **GAMES).rounds()
    assert all(
        side.line is None for game in islice(next(rounds), 40) for side in SeedGame.of(game)[:2]
    )
