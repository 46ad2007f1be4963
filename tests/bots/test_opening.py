"""The bot that plays from a book of moves: the book's move or an image of it, else its bot's."""

import re
from dataclasses import replace
from time import monotonic

import pytest

import bots
from bots.fingerprint import fingerprint
from bots.opening import MovesBot
from bots.seeded import check_rules
from phantomgo.errors import BadBook, BadText
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.messages import Accepted, Moved, Refused
from phantomgo.points import BLACK, WHITE, Colour, parse_move, vertex
from phantomgo.portfolio.movebook import Growth, MoveBook, Tried, write_moves
from phantomgo.portfolio.setup import Setup
from phantomgo.rules import Rules
from phantomgo.view import View

RULES = Rules.profile("olympiad", size=5, komi=2.5)
PRINT = fingerprint(lambda seed: bots.make("random", seed), RULES)


def at(text):
    return parse_move(text, 5)


BOOK = MoveBook(
    name="small",
    setup=Setup(Identity("random", PRINT), Identity("random", PRINT), "olympiad", RULES),
    black={"": {at("A2"): Tried(9, 5.0), at("C3"): Tried(9, 6.0)}, "C3 .": {at("A2"): Tried(4, 1)}},
    white={".": {at("C3"): Tried(5, 0.5)}, ". C3!": {at("B2"): Tried(5, 2.0)}},
    growth=Growth("mvbm", 0.1, 2, 1, None, 10, 5, 7, 6, {}),
)


@pytest.fixture
def spec(tmp_path):
    write_moves(BOOK, tmp_path / "small.json")
    return f"book:{tmp_path}/small.json"


def test_it_plays_what_won_most_often(spec):
    bot = bots.make(spec, 3)
    assert isinstance(bot, MovesBot)
    view = View(RULES, BLACK)
    assert bot.propose(view) == bot.decide(view).move == at("C3")
    second = view.after(Accepted(at("C3"))).after(Moved())
    images = {vertex(bots.make(spec, seed).propose(second), 5) for seed in range(60)}
    assert images == {"B1", "A2", "A4", "B5", "D5", "E4", "E2", "D1"}
    third = second.after(Accepted(at("A2"))).after(Moved())
    assert bot.known(third) is None  # deeper than the book is
    assert bot.propose(third) == bots.make("random", 3).propose(third)


def test_a_share_not_above_the_threshold_is_not_played(spec):
    bot, view = bots.make(spec, 3), View(RULES, WHITE).after(Moved())
    assert isinstance(bot, MovesBot)
    assert bot.known(view) is None
    assert bot.propose(view) == bots.make("random", 3).propose(view)
    refused = view.after(Refused(at("C3")))
    assert vertex(bot.propose(refused), 5) in ("B2", "D2", "B4", "D4")


def test_it_keeps_the_contract_of_all_bots(spec):
    bot = bots.make(spec, 1)
    assert bot.pure
    assert not bot.foreign
    assert bots.make(bot.name, 1) == bot
    first, again = (play_game(RULES, bot, bots.make(spec, 2)) for _ in range(2))
    assert first.attempts == again.attempts
    for colour in Colour:
        view = View(RULES, colour)
        assert bot.stone_shares(view) == bots.make("random", 1).stone_shares(view)
    assert dict(bot.data()) == {"book small": BOOK.digest}


def test_it_is_for_its_board_and_its_bots(spec, tmp_path):
    with pytest.raises(BadBook, match="is for 5x5, not 9x9"):
        bots.make(spec, 1).propose(View(Rules(size=9), BLACK))
    other = Identity("random", "0" * 16)
    write_moves(
        replace(BOOK, name="other", setup=replace(BOOK.setup, white=other)), tmp_path / "other.json"
    )
    with pytest.raises(BadBook, match="White's bot random has changed"):
        bots.make(f"book:{tmp_path}/other.json", 1)
    assert bots.make(f"book:{tmp_path}/other.json,force=on", 1).propose(View(RULES, BLACK)) == 12


def test_another_bot_opens_from_it(spec):
    source = spec.removeprefix("book:")
    opener = f"opening:flatmc:playouts=30,book={source}"
    bot, view = bots.make(opener, 3), View(RULES, BLACK)
    assert bot.name == opener
    assert bots.make(bot.name, 3) == bot
    assert bot.propose(view) == at("C3")
    third = view.after(Accepted(at("C3"))).after(Moved()).after(Accepted(at("A2"))).after(Moved())
    plain = bots.make("flatmc:playouts=30", 3)
    assert bot.propose(third) == plain.propose(third)
    assert bot.decide(third).candidates == plain.decide(third).candidates
    assert dict(bot.data()) == {"book small": BOOK.digest}
    assert (bot.pure, bot.foreign) == (True, False)
    assert not bots.make(f"opening:flatmc:time=1,book={source}", 0).pure


def test_who_opens_from_a_book_heeds_the_time(spec):
    source = spec.removeprefix("book:")
    bot = bots.make(f"opening:flatmc:playouts=1000000000,book={source}", 3)
    view = View(RULES, BLACK).after(Moved())
    began = monotonic()
    bot.propose_within(view, 0.05)
    assert bot.decide(view, 0.05).candidates
    assert monotonic() - began < 30  # a thousand million playouts take hours


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("opening:random", "names no bot, or no book: opening:SPEC,book=BOOK"),
        ("opening:book=hand5", "names no bot, or no book"),
        ("opening:random,book=hand5,book=hand5", "opening parameter book is given twice"),
        ("opening:random,book=hand5,force=yes", "opening force=yes is not one of on, off"),
        ("opening:book:top5,book=hand5", "'book:top5' cannot open from a book"),
        ("opening:variants:random|flatmc,book=hand5", "cannot open from a book: it plays from"),
        ("opening:nobody,book=hand5", "no bot 'nobody'"),
        ("opening:random,book=top5", "book of moves top5"),
        ("opening:random,book=nowhere", "nowhere"),
    ],
)
def test_wrong_openings(spec, message):
    with pytest.raises((BadText, BadBook), match=re.escape(message)):
        bots.make(spec, 0)


def test_an_opening_is_for_its_games_and_no_code_of_its_own():
    opener = "opening:random,book=hand5"
    check_rules(opener, RULES)
    with pytest.raises(BadBook, match="hand5 is for 5x5, not 9x9"):
        check_rules(opener, Rules.profile("olympiad", size=9))
    sixfive = Rules.profile("olympiad", size=5, komi=6.5)
    with pytest.raises(BadBook, match=r"was learned with komi 2.5, not 6.5"):
        check_rules(opener, sixfive)
    check_rules(opener + ",force=on", sixfive)
    assert not bots.needs_code(opener)
    assert bots.needs_code("opening:some.module:Bot,book=hand5")


def test_whom_the_book_was_learned_by_does_not_matter(tmp_path):
    other = Identity("random", "0" * 16)
    changed = replace(BOOK, name="other", setup=replace(BOOK.setup, black=other, white=other))
    write_moves(changed, tmp_path / "other.json")
    with pytest.raises(BadBook, match="has changed"):
        bots.make(f"book:{tmp_path}/other.json", 1)
    opener = f"opening:random,book={tmp_path}/other.json"
    assert bots.make(opener, 1).propose(View(RULES, BLACK)) == at("C3")


def test_two_may_open_differently_as_variants():
    spec = "variants:opening:random,book=hand5|random"
    view = View(RULES, BLACK)
    assert bots.make_installed(spec, 0).propose(view) == at("C3")
    with pytest.raises(BadBook, match="is for 5x5, not 9x9"):
        check_rules(spec, Rules.profile("olympiad", size=9))
    assert bots.make(spec, 1).propose(view) == bots.make("random", 0).propose(view)
