"""Games between seeds are kept for one setup only, and none is played twice."""

import math
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest

import bots
from bots.book import DrawnLine, LineBot, line_bot
from phantomgo.errors import BadStore, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import IDENTITY, SYMMETRIES, inverse, map_move
from phantomgo.identity import Identity
from phantomgo.lab.lockstep import batch
from phantomgo.lab.lockstep.batch import FEW, MANY
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.study import Listed
from phantomgo.lab.run.workers import Run
from phantomgo.lab.seeds.contest import SeedGames, make_setup
from phantomgo.lab.seeds.lines import LinesToLearn, LinesToMeasure, side_of
from phantomgo.lab.seeds.seed_game import (
    MAX_LINE,
    MAX_TAIL,
    SeedGame,
    SeedSide,
    symmetries,
    tail_of,
    turned_games,
)
from phantomgo.lab.seeds.seed_store import SeedStore, pack, play_missing
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.matrix import cells
from phantomgo.portfolio.setup import Setup
from tests.support.grid import Games

GAME = Game(Rules())

SETUP = Setup(
    Identity("random", "0" * 16, ("00000000", "11111111")),
    Identity("flatmc", "1" * 16, (), {"net x": "ab"}),
    "olympiad",
    Rules(size=5),
)


class Noting(Games):
    """Keeps what it was asked for."""

    players = (SETUP.black, SETUP.white)
    terms = SeedGames(SETUP).terms

    def __init__(self):
        self.asked = []

    def one(self, black, white):
        self.asked.append((black, white))
        return Result(["B+2.5", "W+R", "0"][(3 * black + 5 * white + black * white) % 3])


def play_all(store, play, own, opponents):
    with Run(1).begin() as crew:
        return run(Listed(store.missing(cells(own, opponents))), play, crew, store)


def expected(rows, columns):
    play = Noting()
    scores = {"B+2.5": 1, "W+R": 0, "0": 1 / 2}
    return np.array([[scores[play.one(i, j).text] for j in columns] for i in rows])


def test_extending_replays_nothing(tmp_path):
    play = Noting()
    with SeedStore(tmp_path / "m.db", SETUP) as store:
        assert play_all(store, play, 6, 6) == 36
        assert store.side() == 6
    with SeedStore(tmp_path / "m.db", SETUP) as store:
        assert play_all(store, play, 6, 6) == 0
        assert play_all(store, play, 9, 4) == 2 * 9 * 4 - 16 - 32
        assert play_all(store, play, 9, 9) == 81 - 36 - 24
        assert store.side() == 9
        assert len(play.asked) == len(set(play.asked)) == 81
        matrix = store.matrix(9, 9)
        assert matrix.white is matrix.black
        assert (matrix.black == expected(range(9), range(9))).all()
        rectangle = store.matrix(9, 4)
        assert (rectangle.black == expected(range(9), range(4))).all()
        assert (rectangle.white == expected(range(4), range(9))).all()
        assert (store.scores([7, 2], [5]) == expected([7, 2], [5])).all()


def results(*texts):
    """Two rows of two games with these results."""
    return [(divmod(n, 2), Result(text)) for n, text in enumerate(texts)]


def test_a_draw_is_half_a_win():
    with SeedStore(":memory:", SETUP) as store:
        store.add(results("0", "B+0.5", "W+R", "0"))
        assert store.matrix(2, 2).black.tolist() == [[0.5, 1], [0, 0.5]]
        assert pack(store, "small", 2, 2).counts == (4, 1, 2)
        assert pack(store, "small", 2, 1).counts == (3, 1, 1)
        assert pack(store, "small", 1, 1).counts == (1, 0, 1)


def test_what_is_no_result_is_not_counted():
    with SeedStore(":memory:", SETUP) as store:
        store.add(results("B+R", "banana", "W+R", "0"))
        with pytest.raises(BadStore, match="has 'banana' as a result, which is not one of GTP"):
            store.matrix(2, 2)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (
            replace(SETUP, white=replace(SETUP.white, fingerprint="f" * 16)),
            f"has games of another flatmc: fingerprint is {'f' * 16}, was {'1' * 16};",
        ),
        (replace(SETUP, profile="ccgc"), 'was made for profile "olympiad", not for "ccgc"'),
    ],
)
def test_another_setup_is_refused(tmp_path, other, difference):
    path = tmp_path / "m.db"
    with SeedStore(path, SETUP) as store:
        store.add(results("B+R"))
    with pytest.raises(BadStore) as caught:
        SeedStore(path, other)
    assert f"{path} {difference}" in str(caught.value)


def test_missing_games_are_named():
    wrong = "lacks the game of two seeds 0, with which a matrix begins"
    with SeedStore(":memory:", SETUP) as store, pytest.raises(BadText, match=wrong):
        store.sizes(None, None)


def turned_bot(bot, symmetry):
    """The bot, with the board turned by this symmetry."""
    drawn = DrawnLine(((bot, math.inf),), symmetry)
    return LineBot(bot.game, bot.seed, bot.name, drawn, drawn, bots.make)


def turn(record, symmetry):
    """The attempts of a game on the turned board."""
    return [(a.colour, map_move(symmetry, a.move, 5), a.reason is None) for a in record.attempts]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_turning_black_is_turning_white_back(symmetry):
    rules, make = Rules(size=5), partial(bots.make, "flatmc:playouts=30", GAME)
    one = play_game(rules, turned_bot(make(3), symmetry), make(8))
    other = play_game(rules, make(3), turned_bot(make(8), inverse(symmetry)))
    assert one.outcome == other.outcome
    assert turn(one, symmetry) == turn(other, IDENTITY)


def test_games_under_symmetries_are_kept_beside_the_others(tmp_path):
    rules = Rules.profile("olympiad", size=3, komi=1.5)
    setup = make_setup("flatmc:playouts=8", "random", "olympiad", Game(rules))
    black, white = [2, 7], [5, 6, 9]
    pairs = list(product(black, white))

    def games(pair):
        black, white = map(SeedSide, pair)
        return [game.numbers for game in turned_games(setup, black, white, 8)]

    wanted = [*pairs, *(game for pair in pairs for game in games(pair))]
    with SeedStore(tmp_path / "m.db", setup) as store, Run(1).begin() as crew:
        assert play_missing(store, wanted, crew) == 8 * len(pairs)  # the eighth is the plain one
        won = store.black_scores()
        for seed, other in pairs:
            results = [
                play_game(
                    rules,
                    turned_bot(bots.make("flatmc:playouts=8", Game(rules), seed), symmetry),
                    bots.make("random", Game(rules), other),
                ).outcome.result
                for symmetry in SYMMETRIES
            ]
            found = [won(game) for game in games((seed, other))]
            assert found == [result.startswith("B+") for result in results]
        assert store.side() == 0


def test_the_drawn_symmetries_are_drawn_for_each_pair():
    pairs = product(range(50), range(20))
    drawn = Counter(g for pair in pairs for g in symmetries(*pair, SYMMETRIES, 2))
    assert sum(drawn.values()) == 2000
    assert all(200 < drawn[g] < 300 for g in SYMMETRIES)
    assert len(set(symmetries(4, 5, SYMMETRIES, 3))) == 3
    assert symmetries(4, 5, SYMMETRIES, 3) == symmetries(4, 5, SYMMETRIES, 3)


@pytest.mark.parametrize(("compiled", "least"), [(True, FEW), (False, MANY)])
def test_lock_step_needs_fewer_games_where_its_kernels_are_compiled(compiled, least, monkeypatch):
    monkeypatch.setattr(batch, "is_compiled", lambda _: compiled)
    setup = make_setup("random", "random", "olympiad", Game(Rules(size=4)))
    assert SeedGames.many(setup, least).together
    assert not SeedGames.many(setup, least - 1).together


def test_a_number_says_with_which_seed_a_line_is_continued():
    game = SeedGame(SeedSide(9, 7), SeedSide(3), 7)
    assert SeedGame.of(game.numbers) == game
    longest = SeedGame(SeedSide(MAX_TAIL, MAX_LINE), SeedSide(MAX_TAIL, MAX_LINE), 7)
    assert SeedGame.of(longest.numbers) == longest
    assert max(longest.numbers) < 1 << 63
    assert SeedGame(SeedSide(5), SeedSide(6)).numbers == (5, 6)
    assert SeedSide(0, 0).number > 20_000
    with pytest.raises(BadText, match="the number of a line"):
        SeedSide(0, MAX_LINE + 1).number  # noqa: B018
    openings, line = LinesToLearn((2, 2)), (Step("random", 5, 2),)
    assert side_of(openings, BLACK, line, 9, 1) == SeedSide(tail_of(5, 9, 1), 5)
    assert side_of(LinesToMeasure((line,), ()), BLACK, line, 9, 1) == SeedSide(tail_of(5, 9, 1), 0)
    assert side_of(openings, BLACK, (Step("random", 5),), 9, 1) == SeedSide(5)
    assert side_of(None, BLACK, (), 9, 1) == SeedSide(tail_of(0, 9, 1))


def ended(line, tail):
    """The number of a line that a seed continues."""
    return SeedSide(tail, line).number


SPEC = "flatmc:playouts=20"
FOUR = Rules.profile("olympiad", size=4)


def steps(*pairs):
    return tuple(Step(SPEC, seed, moves) for seed, moves in pairs)


def alone_and_together(setup, lines, games):
    """The results of games, which are the same alone and in lock step."""
    together = SeedGames.many(setup, MANY, lines)
    assert together.together
    found = SeedGames(setup, lines).play(games)
    assert together.play(games) == found
    return [result.text for result in found]


def played_as(black, white, symmetry=0):
    """The result of the game of two lines."""
    one = line_bot(black, bots.make, GAME, black[-1].seed, symmetry)
    two = line_bot(white, bots.make, GAME, white[-1].seed)
    return play_game(FOUR, one, two).outcome.result


def test_lines_of_a_book_play_on_with_the_tail():
    setup = make_setup(SPEC, SPEC, "olympiad", Game(FOUR))
    lines = LinesToMeasure((steps((3, 2)), steps((4, 1), (5, 3))), (steps((6, 4)),))
    games = [
        SeedGame(SeedSide(900 + n, i), SeedSide(n, 0), g).numbers
        for i in (0, 1)
        for n in (1, 2)
        for g in (0, 3)
    ]
    games += [(ended(1, 900), 3), (1, ended(0, 3))]
    found = alone_and_together(setup, lines, games)
    tail = steps((901, None))
    assert found[:2] == [
        played_as((*lines.black[0], *tail), (*lines.white[0], *steps((1, None))), g) for g in (0, 3)
    ]
    assert found[-1] == played_as(steps((1, None)), (*lines.white[0], *steps((3, None))))


def test_lines_of_other_bots_are_not_for_lock_step():
    setup = make_setup(SPEC, SPEC, "olympiad", Game(FOUR))
    lines = LinesToMeasure(((Step("random", 3, 2),),), (steps((6, 4)),))
    assert not SeedGames.many(setup, MANY, lines).together
    (found,) = SeedGames(setup, lines).play([(ended(0, 9), ended(0, 8))])
    assert found.text == played_as(
        (*lines.black[0], *steps((9, None))), (*lines.white[0], *steps((8, None)))
    )


def test_openings_continue_lines():
    """A seed has the line that its number draws, and then decides itself."""
    begun = Side((steps((71, 2), (72, 1)), steps((73, 1))), (0.5, 0.5), 0.5)
    openings = LinesToLearn((5, 5), (begun, Side((steps((81, 1)),), (1.0,), 0.5)), 2)
    assert openings.line(BLACK, SPEC, 1) == steps((1, 5))
    assert openings.line(WHITE, SPEC, 4) == steps((81, 1), (4, 4))
    lines = Counter(openings.line(BLACK, SPEC, n) for n in range(2, 1000))
    begins = Counter(line[:-1] for line in lines)
    assert begins.keys() == set(begun.lines)
    assert min(begins.values()) > 440
    assert all(sum(step.moves for step in line) == 5 for line in lines)
    setup = make_setup(SPEC, SPEC, "olympiad", Game(FOUR))
    games = [(ended(n, 900), 3) for n in range(4)] + [(1, ended(2, 6)), (1, 2)]
    alone_and_together(setup, openings, games)


@pytest.mark.parametrize(
    "lines",
    [
        LinesToLearn((2, 2)),
        LinesToLearn((1, 3)),
        LinesToLearn((2, 2), (Side((steps((7, 1)),), (1.0,), 0.5),) * 2, 2),
        LinesToMeasure((steps((3, 2)), (Step("random", 4),)), ()),
    ],
)
def test_a_store_knows_its_lines(tmp_path, lines):
    setup = make_setup(SPEC, SPEC, "olympiad", Game(FOUR))
    with SeedStore(tmp_path / "m.db", setup, lines) as store:
        store.add(results("B+R"))
    with SeedStore(tmp_path / "m.db") as store:
        assert (store.lines, store.setup) == (lines, setup)
        assert store.contest(MANY) == SeedGames.many(setup, MANY, lines)
    with pytest.raises(BadStore, match=r"leave|lines"):
        SeedStore(tmp_path / "m.db", setup, LinesToLearn((3, 3)))


def test_training_games_play_on_with_tails_of_their_own(tmp_path):
    setup = make_setup(SPEC, SPEC, "olympiad", Game(FOUR))
    with SeedStore(tmp_path / "m.db", setup, LinesToLearn((2, 2))) as store, Run(1).begin() as crew:
        play_missing(store, [*cells(3, 3), (ended(1, 99), 5)], crew)
        found = store.results()
    tails = [tail_of(1, 2, 0), tail_of(2, 1, 1)]
    one, two = (steps((n, 2), (tail, None)) for n, tail in zip((1, 2), tails, strict=True))
    assert found[1, 2] == played_as(one, two)
    assert found[ended(1, 99), 5] == played_as(steps((1, 2), (99, None)), steps((5, None)))
