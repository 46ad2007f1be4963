"""`phantom`: its search, the nets it chooses, and the shipped books that it opens from."""

import logging
import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bots
from bots import make
from bots.belief import candidates, presume_nothing, presume_refused
from bots.deciding import MonteCarlo
from bots.fingerprint import fingerprint
from bots.opening import books_of
from bots.passing import wins_as_it_stands
from bots.phantom import Phantom, presets
from phantomgo.identity import Identity
from phantomgo.messages import Accepted, Moved, Placed
from phantomgo.player import Decision
from phantomgo.points import BLACK, PASS, WHITE, parse_move
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Training, read_book, write_book
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.setup import Setup
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.gtp_tools import run, session
from tests.support.learning import go_setup
from tests.support.phantom_books import looked_for_anew
from tests.support.strategies import played, profiles, seeds

RULES = Rules.profile("olympiad", size=5, komi=1.5)
VIEW = View(RULES, BLACK)
LATER = View.replay(RULES, BLACK, [Accepted(12, 0, 0), Moved(), Accepted(6, 0, 0), Moved()])
SEEDS = range(12)
OPENER = "phantom:playouts=25,net=none,amaf=0"
LONG = "phantom:playouts=60"


def shipped(folder, spec=OPENER, moves=2, colours=(BLACK, WHITE), **changes):
    """A book in a folder of shipped books: seed 5 decides the first moves of these colours."""
    look = fingerprint(lambda seed: bots.make(spec, seed), RULES)
    player = Identity(spec, look, data=bots.make(spec, 0).data())
    player = replace(player, **changes)
    training = Training("bestseed", 0, 10, 10, None, 100, 50, 0, "0" * 64, {})
    setup = Setup(player, player, "olympiad", RULES)
    lines = [((Step(player.name, 5, moves),),) if c in colours else () for c in (BLACK, WHITE)]
    black, white = (Side(side, (1.0,) * len(side), 0.5) for side in lines)
    write_book(Book("small", setup, black, white, (), training, None), folder / "small.json")


@pytest.fixture
def books_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(books.LIBRARY, "place", lambda: tmp_path)
    with looked_for_anew():
        yield tmp_path


def attempts(spec, view=VIEW, seconds=math.inf):
    return [bots.make(spec, seed).decide(view, seconds).move for seed in SEEDS]


def book_of(spec, *lines, komi=1.5):
    """What `phantom-param book` answers, after these commands."""
    server = session(bot=spec, rules=replace(RULES, komi=komi))
    return run(server, *lines, "phantom-param book")[-1].removeprefix("= ")


def test_it_opens_from_the_book_that_fits_and_plays_on(books_folder):
    shipped(books_folder)
    assert attempts(LONG) == attempts(f"book:{books_folder}/small.json")
    assert attempts(LONG) != attempts(f"{LONG},book=none")
    assert attempts(LONG, LATER) == attempts(f"{LONG},book=none", LATER)
    assert bots.make(LONG, 1).data()["book small"] == read_book(f"{books_folder}/small.json").digest


def test_a_controller_is_told_which_book(books_folder):
    shipped(books_folder)
    assert book_of(LONG) == "small"
    assert book_of(LONG, komi=2.5) == "none"
    assert book_of("phantom:playouts=20") == "none"
    assert book_of("phantom:playouts=20", "time_settings 0 1 1") == "small"
    assert book_of(OPENER) == "none"
    assert book_of(f"book:{books_folder}/small.json,symmetry=off") == "small"


def test_no_book_opens_under_other_rules(books_folder):
    shipped(books_folder)
    komi = View(Rules.profile("olympiad", size=5, komi=2.5), BLACK)
    told = View(Rules.profile("cazenave", size=5, komi=1.5), BLACK)
    handicap = VIEW.after(Placed(BLACK, 0b101))
    for view in (komi, told, handicap):
        assert attempts(LONG, view) == attempts(f"{LONG},book=none", view)


@pytest.mark.parametrize("moves", [None, 2])
def test_a_book_of_whole_games_or_of_another_bot_does_not_open(books_folder, moves):
    shipped(books_folder, "phantom:playouts=30,net=stones1" if moves is None else "random", moves)
    assert attempts(LONG) == attempts(f"{LONG},book=none")
    assert bots.make(LONG, 1).opens_from(VIEW, 1) is None


def test_a_book_may_open_for_one_colour_alone(books_folder, caplog):
    caplog.set_level(logging.INFO)
    shipped(books_folder, colours=(WHITE,))
    assert attempts(LONG) == attempts(f"{LONG},book=none")
    assert bots.make("phantom", 1).opens_from(View(RULES, WHITE), 1) == "small"
    assert bots.make("phantom", 1).opens_from(View(RULES, WHITE), 1) == "small"
    assert caplog.text.count("phantom opens as White from book small") == 1


def test_it_does_without_a_book_whose_bot_has_changed(books_folder, caplog):
    shipped(books_folder, fingerprint="0" * 16)
    with caplog.at_level(logging.WARNING):
        assert attempts(LONG) == attempts(f"{LONG},book=none")
    assert "the game opens without it" in caplog.text
    assert len(caplog.records) == 2  # once for each colour, not in every game


def test_books_are_checked_while_it_warms_up(books_folder, caplog):
    shipped(books_folder, fingerprint="0" * 16)
    bots.make("phantom:book=none", 1).warm_up(VIEW.rules.size)
    bots.make("phantom", 1).warm_up(VIEW.rules.size + 1)
    assert "small" not in caplog.text
    bots.make("phantom", 1).warm_up(VIEW.rules.size)
    assert "opens without it" in caplog.text


def test_the_line_takes_no_time_and_the_search_the_clocks(books_folder, monkeypatch):
    shipped(books_folder)
    asked = []

    def decide(bot, view, seconds=math.inf):  # noqa: ARG001
        asked.append((bot.seed, bot.playouts, seconds))
        return Decision(PASS)

    bot = bots.make("phantom", 3)
    assert bot.opens_from(VIEW, 7) == "small"  # checked now
    monkeypatch.setattr(MonteCarlo, "decide", decide)
    for view in (VIEW, LATER):
        bot.decide(view, 7)
    assert asked == [(5, 25, math.inf), (3, 1000, 7)]


@pytest.mark.parametrize(
    ("komi", "colour", "name"),
    [
        (2.5, BLACK, None),
        (2.5, WHITE, "open5"),
        (7.5, BLACK, "open5-komi7.5"),
        (7.5, WHITE, "open5-komi7.5"),
    ],
)
def test_it_opens_from_books_on_5x5(komi, colour, name):
    view = View(Rules.profile("olympiad", size=5, komi=komi), colour)
    assert bots.make("phantom", 1).opens_from(view, 1) == name


def test_no_two_shipped_books_open_under_the_same_rules():
    rules = [go_setup(book).rules for book in books_of("phantom")]
    assert rules
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("size", [4, 5, 7, 9, 13])
@pytest.mark.usefixtures("books_folder")
def test_it_plays_by_the_nets_that_win_on_a_board(size):
    least = max(least for least in presets() if least <= size)
    keys = presets()[least]._asdict().items()
    named = "phantom:" + ",".join(f"{key}={value}" for key, value in keys)
    view = View(Rules(size=size), WHITE, enemies=1)
    for seed in (1, 2):
        player = bots.make(named, seed)
        assert bots.make("phantom", seed).decide(view).move == player.decide(view).move
        assert set(player.data().values()) <= set(bots.make("phantom", seed).data().values())


@given(size=st.integers(2, 9), seed=seeds, count=st.integers(0, 80), profile=profiles)
def test_presume_nothing_covers_all_points(size, seed, count, profile):
    view = played(size, seed, count, profile).view(BLACK)
    belief = presume_nothing(view)
    assert belief.enemy == view.located
    assert belief.own | belief.enemy | belief.open | view.vacant == (1 << size * size) - 1
    assert not belief.open & (view.own | view.located | view.vacant)
    assert 0 <= belief.hidden <= belief.open.bit_count()


def refused_eye():
    """Black has tried A1 in vain; then White has taken C1, unseen, and Black D1: A1 captures."""
    referee = Referee(Rules(size=5, komi=2.5))
    for text in ["A3", "A2", "B3", "B2", "C2", "B1", "A1?", "E5", "C1", "D1"]:
        referee.attempt(referee.to_move, parse_move(text.rstrip("?"), 5))
    assert referee.board.stones(WHITE).bit_count() == 4
    return referee


def test_refused_points_are_retried_before_a_pass(monkeypatch):
    referee = refused_eye()
    referee.attempt(WHITE, PASS)
    view, eye = referee.view(BLACK), parse_move("A1", 5)
    assert not candidates(view, presume_refused(view)) >> eye & 1
    monkeypatch.setattr("bots.deciding.candidates", lambda *_: 0)
    assert make("phantom:retry=off", 1).decide(view).move == PASS
    assert make("phantom", 1).decide(view).move == eye
    referee.attempt(BLACK, eye)
    assert referee.view(BLACK).taken == 4


@pytest.mark.parametrize("seed", range(4))
def test_it_passes_only_when_all_is_tried_or_the_game_is_won(seed):
    phantom, other = make("phantom:playouts=60", seed), make("random", seed)
    referee, passes = Referee(Rules(size=4, komi=0.5)), 0
    mine = (BLACK, WHITE)[seed % 2]
    while referee.outcome is None:
        view = referee.view(referee.to_move)
        move = (phantom if referee.to_move is mine else other).decide(view).move
        if referee.to_move is mine and move == PASS:
            passes += 1
            tried = all(refusal.turn == view.turn for refusal in view.refused)
            assert tried or (view.opponent_passed and wins_as_it_stands(view))
        referee.attempt(referee.to_move, move)
    assert passes


@pytest.mark.parametrize("narrow", [2, 3, 4, 1000])
def test_rounds_narrow_until_one_is_left(narrow):
    bot = Phantom(0, narrow=narrow)
    for count in range(1, 362):
        left = [count]
        while left[-1] > 1:
            left.append(bot._kept(left[-1]))
        assert bot._rounds(count) == len(left) - 1
        assert all(small < large for large, small in pairwise(left))
