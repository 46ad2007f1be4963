"""The bot that plays from a book of moves: the book's move or an image of it, else its bot's."""

from dataclasses import replace

import pytest

import bots
from bots.fingerprint import fingerprint
from bots.moves import MovesBot
from phantomgo.errors import BadBook
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.messages import Accepted, Moved, Refused
from phantomgo.points import BLACK, WHITE, Colour, parse_move, vertex
from phantomgo.portfolio.moves import Growth, MoveBook, Tried, write_moves
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
