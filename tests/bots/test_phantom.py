"""`phantom` plays by the newest nets where they win, and from a shipped book where one fits."""

import logging
import math
from dataclasses import replace

import pytest

import bots
from bots import phantom
from bots.decision import Decision
from bots.fingerprint import fingerprint
from bots.halving import Halving
from bots.phantom import PLAYERS, PRESETS, Phantom
from gtp.session import Session
from gtp.thinker import Services, Settings
from phantomgo.identity import Identity
from phantomgo.messages import Accepted, Moved, Placed
from phantomgo.points import BLACK, PASS, WHITE, parse_move
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Training, book_names, read_book, write_book
from phantomgo.portfolio.setup import Setup
from phantomgo.portfolio.side import Side
from phantomgo.rules import Rules
from phantomgo.view import View
from tests.support.learning import go_setup
from tests.support.phantom_books import looked_for_anew

RULES = Rules.profile("olympiad", size=5, komi=1.5)
VIEW = View(RULES, BLACK)
SEEDS = range(12)
BARE = PLAYERS[0]
WITHOUT = "phantom:book=none"


def shipped(folder, spec=BARE, leave=(), **changes):
    """A book for a player in a folder of shipped books: it plays seed 5 as Black."""
    look = fingerprint(lambda seed: bots.make(spec, seed), RULES)
    player = Identity(spec, look, data=bots.make(spec, 0).data())
    player = replace(player, **changes)
    training = Training("bestseed", 0, 10, 10, None, 100, 50, 0, "0" * 64, {})
    setup = Setup(player, player, "olympiad", RULES)
    side = Side((5,), (1.0,), 0.5, leave)
    write_book(Book("small", setup, side, side, (), training, None), folder / "small.json")


@pytest.fixture
def books_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(books.SHELF, "place", lambda: tmp_path)
    with looked_for_anew():
        yield tmp_path


def settings(preset):
    return ",".join(f"{key}={value}" for key, value in preset.items())


def attempts(spec, view=VIEW):
    return [bots.make(spec, seed).propose(view) for seed in SEEDS]


def book_attempts(folder):
    return attempts(f"book:{folder}/small.json")


@pytest.mark.parametrize("spec", PLAYERS)
def test_it_plays_from_the_book_that_fits(books_folder, spec):
    shipped(books_folder, spec)
    assert attempts("phantom") == book_attempts(books_folder)
    assert attempts("phantom") != attempts(BARE)


def book_of(spec, *lines, komi=1.5):
    """What `phantom-param book` answers, after these commands."""
    services = Services(bots.make, lambda _: b"", lambda: 0.0, lambda: 0.0)
    session = Session(Settings(rules=replace(RULES, komi=komi), bot=spec), services)
    for line in lines:
        assert session.run(line).startswith("=")
    return session.run("phantom-param book").strip("= \n")


@pytest.mark.parametrize("spec", PLAYERS)
def test_a_controller_is_told_which_book(books_folder, spec):
    shipped(books_folder, spec)
    assert book_of("phantom") == "small"
    assert book_of("phantom", komi=2.5) == "none"
    assert book_of("phantom", "time_settings 0 1 1") == "none"
    assert book_of(BARE) == "none"
    assert book_of(f"book:{books_folder}/small.json,symmetry=off") == "small"
    assert book_of("opening:random,book=hand5") == "hand5"
    shipped(books_folder, spec, leave=(2,))
    for cached in (phantom._playable, books.book_for):
        cached.cache_clear()
    assert book_of("phantom", "time_settings 0 1 1") == "small"


def test_it_plays_from_none_where_none_fits(books_folder):
    shipped(books_folder)
    komi = View(Rules.profile("olympiad", size=5, komi=2.5), BLACK)
    told = View(Rules.profile("cazenave", size=5, komi=1.5), BLACK)
    handicap = VIEW.after(Placed(BLACK, 0b101))
    for view in (komi, told, handicap):
        assert attempts("phantom", view) == attempts(WITHOUT, view)


@pytest.mark.parametrize(
    ("size", "spec"),
    [
        (4, BARE),
        (9, f"phantom:{settings(PRESETS[8])}"),
        (13, f"phantom:{settings(PRESETS[8])}"),
        *((size, f"phantom:{settings(preset)}") for size, preset in PRESETS.items()),
    ],
)
def test_without_a_book_it_plays_by_the_judge_where_that_wins(books_folder, size, spec):
    shipped(books_folder)
    view = View(Rules(size=size), WHITE, enemies=1)
    for seed in (1, 2):
        player = bots.make(spec, seed)
        assert bots.make("phantom", seed).propose(view) == player.propose(view)
        assert set(player.data().values()) <= set(bots.make("phantom", seed).data().values())


def test_a_book_of_another_bot_is_none_of_its(books_folder):
    shipped(books_folder, name="phantom:playouts=500,net=stones1")
    assert attempts("phantom") == attempts(WITHOUT)


def test_it_does_without_a_book_whose_bot_has_changed(books_folder, caplog):
    shipped(books_folder, fingerprint="0" * 16)
    with caplog.at_level(logging.WARNING):
        assert attempts("phantom") == attempts(WITHOUT)
    assert "phantom plays without it" in caplog.text
    assert len(caplog.records) == 2  # once for each colour, not in every game


def test_with_a_time_limit_it_thinks_instead(books_folder, monkeypatch):
    shipped(books_folder)

    def timed(bot, view, seconds):
        return Decision(bot, view, seconds)

    monkeypatch.setattr(Halving, "decide", timed)
    monkeypatch.setattr(Halving, "propose_within", lambda *words: timed(*words).move)
    assert bots.make("phantom", 1).propose_within(VIEW, 7) == 7
    assert bots.make("phantom", 1).decide(VIEW, 7).move == 7


@pytest.mark.parametrize(("komi", "opens"), [(3.5, True), (5.5, False)])
def test_with_a_time_limit_it_opens_from_the_book_of_moves_for_these_rules(
    monkeypatch, komi, opens
):
    view = View(Rules.profile("olympiad", size=7, komi=komi), BLACK)
    monkeypatch.setattr(Halving, "propose_within", lambda *_: PASS)
    monkeypatch.setattr(Halving, "decide", lambda bot, *_: Decision(bot, view, PASS))
    player = bots.make("phantom", 1)
    expected = parse_move("D4", 7) if opens else PASS
    assert player.propose_within(view, 7) == player.decide(view, 7).move == expected


def test_it_says_what_it_plays_from(books_folder, caplog):
    shipped(books_folder)
    bot = bots.make("phantom", 3)
    with caplog.at_level(logging.INFO):
        bot.propose(VIEW)
        bot.propose(VIEW)
    assert caplog.text.count("phantom plays Black and White from book small") == 1
    assert bot.data()["book small"] == read_book(f"{books_folder}/small.json").digest
    assert bot.decide(VIEW).bot is bot
    assert bot.decide(VIEW).stone_shares == bot.stone_shares(VIEW)


@pytest.mark.parametrize("spec", ["phantom", "phantom:playouts=1200", "phantom:time=5"])
def test_it_opens_from_a_book_that_is_left_under_every_clock(books_folder, spec, monkeypatch):
    shipped(books_folder, leave=(2,))
    later = VIEW
    for move in (12, 6):
        later = later.after(Accepted(move, 0, 0)).after(Moved())
    asked = []

    def propose_within(bot, view, seconds):  # noqa: ARG001
        asked.append((bot.seed, bot.playouts, seconds))
        return PASS

    bot = bots.make(spec, 3)
    assert isinstance(bot, Phantom)
    assert bot.player(VIEW, 7).data()["book small"]  # checked now
    monkeypatch.setattr(Halving, "propose_within", propose_within)
    for view in (VIEW, later):
        bot.propose_within(view, 7)
    playouts = 1200 if "playouts" in spec else 1000
    assert asked == [(5, 1000, math.inf), (3, playouts, 7)]


def test_a_book_that_is_left_is_not_for_those_who_think_less(books_folder):
    """It would take longer than they are meant to."""
    shipped(books_folder, leave=(2,))
    assert attempts("phantom:playouts=60") == attempts("phantom:playouts=60,book=none")
    assert attempts("phantom:playouts=1200") != attempts("phantom:playouts=1200,book=none")


def test_books_that_are_left_are_checked_while_it_warms_up(books_folder, caplog):
    shipped(books_folder, leave=(2,), fingerprint="0" * 16)
    bots.make("phantom:book=none", 1).warm_up(VIEW.rules.size)
    bots.make("phantom", 1).warm_up(VIEW.rules.size + 1)
    assert "small" not in caplog.text
    bots.make("phantom", 1).warm_up(VIEW.rules.size)
    assert "plays without it" in caplog.text


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


def test_a_controller_is_told_of_a_book_for_white_alone(books_folder, caplog):
    caplog.set_level(logging.INFO)
    shipped(books_folder, leave=(2,))
    small = read_book(f"{books_folder}/small.json")
    write_book(replace(small, black=Side((0,), (1.0,), 0.5, (0,))), books_folder / "small.json")
    assert book_of("phantom", "time_settings 0 1 1") == "small"
    assert "phantom plays White from book small" in caplog.text


def test_an_identity_bounds_its_thinking(books_folder):
    """Within a budget, it is its book within that budget."""
    shipped(books_folder)
    book = bots.make(f"book:{books_folder}/small.json", 1).within(1)
    assert bots.make("phantom", 1).within(1).propose(VIEW) == book.propose(VIEW)


def test_shipped_books_of_phantom_are_played():
    """Those that come along fit their own rules; of two for the same rules one would be idle."""
    books = map(read_book, book_names())
    fits = [(go_setup(b).rules, b.left) for b in books if phantom._is_for_players(b)]
    assert fits
    assert len(set(fits)) == len(fits)
