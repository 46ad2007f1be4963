"""Opening books of bots: the choice by colour, and the bot that continues."""

import logging
import math
from dataclasses import replace
from functools import partial
from itertools import product

import pytest

import bots
from bots import deployed
from bots.deciding import MonteCarlo
from bots.fingerprint import fingerprint
from phantomgo.errors import BadBook, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Moved, Placed
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, PASS, WHITE, Colour
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.identity import Identity
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import Book, Training, read_book, write_book
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.setup import Setup
from tests.support.gtp_tools import run, session
from tests.support.phantom_books import looked_for_anew

RULES = Rules.profile("olympiad", size=5, komi=1.5)
GAME = Game(RULES)
VIEW = View(RULES, BLACK)
LATER = View.replay(RULES, BLACK, [Accepted(12, 0, 0), Moved(), Accepted(6, 0, 0), Moved()])
SEEDS = range(12)
OPENER = "phantom:playouts=25,net=none,amaf=0"
LONG = "phantom:playouts=60"
BARE = f"{LONG},book=none"


def written(
    folder, spec=OPENER, moves=2, colours=(BLACK, WHITE), rules=RULES, name="small", **what
):
    """A book in a folder: seed 5 of a bot decides the first moves of these colours."""
    made = partial(bots.make, spec, Game(rules))
    player = replace(Identity(spec, fingerprint(made), data=made(0).data()), **what)
    training = Training("bestseed", 0, 10, 10, None, 100, 50, 0, "0" * 64, {})
    setup = Setup(player, player, "olympiad", rules)
    lines = [((Step(player.name, 5, moves),),) if c in colours else () for c in Colour]
    black, white = (Side(side, (1.0,) * len(side), 0.5) for side in lines)
    write_book(Book(name, setup, black, white, (), training, None), folder / f"{name}.json")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of shipped books, of which `small` opens for `phantom` at komi 1.5 to 2.5."""
    monkeypatch.setattr(books.LIBRARY, "folder", lambda: tmp_path)
    with looked_for_anew():
        small = deployed.MeasuredBook("small", (1.5, 2.5), ("olympiad", "sensei"))
        boards = tuple(
            board._replace(books=(small,) if board.size == 5 else ()) for board in deployed.boards()
        )
        monkeypatch.setattr(deployed, "boards", lambda: boards)
        yield tmp_path


def attempts(spec, view=VIEW, seconds=math.inf):
    return [bots.make(spec, Game.of(view), seed).decide(view, seconds).move for seed in SEEDS]


def book_of(spec, *lines, komi=1.5):
    """The answer of `phantom-param book` after these commands."""
    server = session(bot=spec, rules=replace(RULES, komi=komi))
    return run(server, *lines, "phantom-param book")[-1].removeprefix("= ")


def test_it_opens_from_the_book_that_fits_and_plays_on(folder):
    written(folder)
    assert attempts(LONG) == attempts(f"book:{folder}/small.json")
    assert attempts(LONG) != attempts(BARE)
    assert attempts(LONG, LATER) == attempts(BARE, LATER)
    assert bots.make(LONG, GAME, 1).data()["book small"] == read_book(f"{folder}/small.json").digest


def test_a_controller_is_told_which_book(folder):
    written(folder)
    assert book_of(LONG) == "small"
    assert book_of(LONG, komi=2.5) == "small"
    assert book_of(LONG, komi=3) == "none"
    assert book_of("phantom:playouts=20") == "small"
    assert book_of("phantom:playouts=20", "time_settings 0 1 1") == "small"
    assert book_of(OPENER) == "none"
    assert book_of(f"book:{folder}/small.json,symmetry=off") == "small"


@pytest.mark.parametrize("handicap", ["set_free_handicap A1 C3", "place_free_handicap 2"])
def test_no_book_opens_a_game_with_handicap(folder, handicap):
    written(folder)
    assert book_of(LONG, "boardsize 5", handicap) == "none"
    assert book_of(LONG, handicap, "clear_board") == "small"
    seat = ("phantom-seat b", "set_free_handicap A1 C3")
    assert book_of(LONG, *seat[:1]) == "small"
    assert book_of(LONG, *seat) == "none"


def test_a_book_of_whole_games_plays_for_a_bot_that_thinks_for_a_set_time(folder):
    """Its lines draw no worlds, so the belief is the bot's own."""
    written(folder, "random", None)
    timed = "phantom:time=0.01"
    expected = attempts(f"book:{folder}/small.json")
    assert attempts(timed) == attempts(timed, seconds=0.01) == expected
    assert attempts(timed, LATER) == attempts(f"book:{folder}/small.json", LATER)
    assert book_of(timed) == "small"
    assert "book small" in bots.make(timed, GAME, 1).data()
    assert "book small" not in bots.make(LONG, GAME, 1).data()
    assert attempts(LONG) == attempts(BARE)
    assert book_of(LONG) == "none"
    one, other = (bots.make(spec, GAME, 1) for spec in (timed, BARE))
    assert one.stone_probabilities(LATER) == other.stone_probabilities(LATER)
    with pytest.raises(BadBook, match=r"book small plays whole games, .*: book:small plays it"):
        bots.make(f"{timed},book=small", GAME, 1)


def test_a_book_of_whole_games_in_a_folder_is_logged_once(folder, caplog):
    written(folder, "random", None, name="whole")
    for view in (VIEW, LATER, replace_rules(VIEW, 7.5)):
        assert attempts(f"random:book={folder}", view) == attempts("random", view)
    assert caplog.text.count("book whole plays whole games") == 1


def test_it_is_told_for_which_colour(folder, caplog):
    caplog.set_level(logging.INFO)
    written(folder, colours=(WHITE,))
    assert attempts(LONG) == attempts(BARE)
    assert book_of(LONG) == "small (White)"
    assert caplog.text.count("phantom opens as White from book small") == 1


def test_no_book_opens_under_rules_it_was_not_measured_with(folder):
    written(folder)
    komi = View(replace(RULES, komi=3), BLACK)
    told = View(Rules.profile("cazenave", size=5, komi=1.5), BLACK)
    handicap = VIEW.after(Placed(BLACK, 0b101))
    sensei = View(Rules.profile("sensei", size=5, komi=1.5), BLACK)
    assert bots.make(LONG, Game.of(sensei), 1).opens_from(sensei) == "small"
    for view in (komi, told, handicap):
        assert attempts(LONG, view) == attempts(BARE, view)


@pytest.mark.parametrize("bot", ["random", "flatmc:playouts=20", "phantom:playouts=20"])
@pytest.mark.parametrize("book", ["{0}/small.json", "small", "{0}"])
def test_any_book_opens_for_any_bot_at_any_komi(bot, book, folder, caplog):
    caplog.set_level(logging.INFO)
    written(folder, "random")
    view = View(replace(RULES, komi=7.5), BLACK)
    named = f"{bot}{',' if ':' in bot else ':'}book={book.format(folder)}"
    assert bots.make(named, GAME, 1).name == named
    assert attempts(named, view) == attempts(f"book:{folder}/small.json", VIEW)
    bare = bot if bot == "random" else f"{bot},book=none"
    assert attempts(named, replace_rules(LATER, 7.5)) == attempts(bare, replace_rules(LATER, 7.5))
    assert "from book small, learned with 5x5, komi 1.5, olympiad" in caplog.text
    assert f"{named} was learned" not in caplog.text
    larger = View(Rules(size=6), BLACK)
    assert attempts(named, larger) == attempts(bare, larger)


def replace_rules(view, komi):
    return View.replay(replace(RULES, komi=komi), view.colour, view.events)


def test_the_nearest_book_of_a_folder_opens(folder):
    for name, komi in (("low", 0.5), ("near", 6.5)):
        written(folder, "random", rules=replace(RULES, komi=komi), name=name)
    (folder / "broken.json").write_text("{}")
    assert book_of(f"{BARE.removesuffix('none')}{folder}", komi=5) == "near"
    assert book_of(f"{BARE.removesuffix('none')}{folder}", komi=3) == "low"


def test_books_that_cannot_open_are_refused(folder):
    written(folder, moves=None)
    with pytest.raises(BadBook, match=r"plays whole games, .*: book:small plays it"):
        bots.make("phantom:book=small", GAME, 1)
    with pytest.raises(BadText, match="no book 'another'"):
        bots.make("phantom:book=another", GAME, 1)
    with pytest.raises(BadText, match="book= names one book"):
        bots.make("phantom:book=a,book=b", GAME, 1)


def test_a_book_whose_bot_has_changed_is_refused(folder):
    """Not a shipped one: tests/phantomgo/portfolio/test_shipped_books.py checks those."""
    written(folder, fingerprint="0" * 16)
    assert attempts(LONG) != attempts(BARE)
    bot = bots.make(f"{LONG},book=small", GAME, 1)
    assert len(bot.possible_players) == 2  # before its kernels are announced and compiled
    for look in (bot.warm_up, lambda: bot.decide(VIEW)):
        with pytest.raises(BadBook, match="has changed since it was learned"):
            look()
    bots.make(f"{LONG},book=small", Game(replace(RULES, size=6)), 1).warm_up()


def test_a_game_needs_the_bots_of_its_lines_and_the_one_that_plays_on_if_they_end(folder):
    written(folder)
    bare, bot = bots.make(BARE, GAME, 1), bots.make(LONG, GAME, 1)
    others = {needed.name for needed in bot.possible_players} - {bare.name}
    assert len(others) == 1
    assert "playouts=25" in others.pop()
    larger = Game(Rules(size=6, komi=VIEW.rules.komi))
    assert bots.make(LONG, larger, 1).possible_players == [bots.make(BARE, larger, 1)]


def test_a_game_from_a_book_of_whole_games_needs_no_other_bot():
    """So no kernel of playouts is compiled for the policies of `soft5`."""
    for komi, kinds in ((2.5, {"policy"}), (7.5, {"phantom"})):
        bot = bots.make("phantom:time=1", Game(Rules(size=5, komi=komi)), 0)
        assert {needed.kind for needed in bot.possible_players} == kinds


def test_the_line_takes_no_time_and_the_search_the_clocks(folder, monkeypatch):
    written(folder)
    asked = []

    def decide(bot, view, seconds=math.inf):  # noqa: ARG001
        asked.append((bot.seed, bot.playouts, seconds))
        return Decision(PASS)

    bot = bots.make("phantom", GAME, 3)
    assert bot.opens_from(VIEW) == "small"  # checked now
    monkeypatch.setattr(MonteCarlo, "decide", decide)
    for view in (VIEW, LATER):
        bot.decide(view, 7)
    assert asked == [(5, 25, math.inf), (3, 1000, 7)]


@pytest.mark.parametrize("won", [won for board in deployed.boards() for won in board.books])
def test_shipped_books_open_where_they_were_measured(won):
    book, (low, high) = read_book(won.name), won.komi
    bot = f"{deployed.BOT_WITH_BOOKS}:time=1" if math.isinf(book.moves) else deployed.BOT_WITH_BOOKS
    setup = book.setup
    assert low <= setup.rules.komi <= high
    assert setup.profile in won.rules
    for profile, komi, colour in product(won.rules, (low, high), book.colours):
        rules = Rules.profile(profile, size=setup.rules.size, komi=komi)
        made = bots.make(bot, Game(rules), 1)
        assert made.opens_from(View(rules, colour)) == won.name
