"""The bot that plays from a book: pure, faithful to the book, and wary of changed bots."""

import logging
import math
import pickle
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bots
from bots import book_checks
from bots.book import DrawnLine, LineBot
from bots.book_checks import check_rules
from bots.fingerprint import fingerprint, views
from bots.flatmc import FlatMC
from bots.random_bot import RandomBot
from phantomgo.errors import BadBook, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Accepted, Moved, Refused
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK, WHITE, Colour, parse_move, vertex
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.game.symmetry import SYMMETRIES, inverse, map_move
from phantomgo.game.view import View, map_view
from phantomgo.identity import Identity
from phantomgo.portfolio.book import Book, Training, write_book
from phantomgo.portfolio.line import Side, Step
from phantomgo.portfolio.movebook import Growth, MoveBook, Tried, write_moves
from phantomgo.portfolio.setup import Setup
from tests.support.gtp_tools import run, session
from tests.support.strategies import played, seeds

RULES = Rules.profile("olympiad", size=5, komi=0.5)
GAME = Game(RULES)
PRINT = fingerprint(partial(bots.make, "random", GAME))


def side(bot, *seeds, moves=None):
    """A side of these seeds, with falling probabilities."""
    weights = {2: (0.25, 0.75), 3: (0.5, 0.125, 0.375)}[len(seeds)]
    return Side(tuple((Step(bot, seed, moves),) for seed in seeds), weights, 0.5)


BOOK = Book(
    name="small",
    setup=Setup(Identity("random", PRINT), Identity("random", PRINT), "olympiad", RULES),
    black=side("random", 1, 4, 7),
    white=side("random", 0, 9),
    games=(),
    training=Training("nash", 0, 10, 10, None, 100, 50, 0, "0" * 64, {}),
    evaluation=None,
)


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    """The spec of a bot that plays BOOK."""
    path = tmp_path_factory.mktemp("books") / "small.json"
    write_book(BOOK, path)
    return f"book:{path}"


def drawing(spec: str, seed: int) -> LineBot:
    """The bot of a book, which has drawn its lines."""
    bot = bots.make(spec, GAME, seed)
    assert isinstance(bot, LineBot)
    return bot


def drawn_line(bot: object, colour: Colour = BLACK) -> DrawnLine:
    """How the bot of a book plays a colour, as it was drawn."""
    assert isinstance(bot, LineBot)
    return bot.drawn(colour)


def seed_of(bot: object, colour: Colour = BLACK) -> int:
    """The seed of the first step of that line."""
    return drawn_line(bot, colour).steps[0][0].seed


@given(seeds, seeds, st.integers(0, 30), st.sampled_from(Colour))
@settings(max_examples=30)
def test_it_plays_the_drawn_seed_on_the_turned_board(spec, seed, game, count, colour):
    view = played(5, game, count).view(colour)
    bot = drawing(spec, seed)
    drawn = drawn_line(bot, colour)
    attempt = RandomBot(GAME, seed_of(bot, colour)).decide(map_view(drawn.symmetry, view)).move
    expected = map_move(inverse(drawn.symmetry), attempt, 5)
    assert bot.decide(view).move == expected
    # Pure: another instance, asked other things before, says the same.
    other = pickle.loads(pickle.dumps(bots.make(spec, GAME, seed)))
    other.decide(played(5, game, count // 2).view(colour))
    assert other.decide(view).move == expected


def test_a_book_bot_never_reveals_its_seed(spec):
    bot = bots.make(spec, GAME, 12345)
    assert bot.name == spec
    assert "seed=4" not in repr(bot)
    assert "RandomBot" not in repr(bot)


def test_lines_are_drawn_by_their_probabilities(spec):
    black, white, turns = Counter(), Counter(), Counter()
    for seed in range(1600):
        bot = drawing(spec, seed)
        black[seed_of(bot)] += 1
        white[seed_of(bot, WHITE)] += 1
        turns[drawn_line(bot).symmetry] += 1
    assert set(black) == {1, 4, 7}
    assert set(white) == {0, 9}
    assert black[1] / 1600 == pytest.approx(0.5, abs=0.05)
    assert white[9] / 1600 == pytest.approx(0.75, abs=0.05)
    assert set(turns) == set(SYMMETRIES)
    assert min(turns.values()) > 120


def test_symmetry_can_be_switched_off(spec):
    view = played(5, 3, 12).view(BLACK)
    for seed in range(20):
        bot = drawing(f"{spec},symmetry=off", seed)
        assert drawn_line(bot).symmetry == drawn_line(bot, WHITE).symmetry == 0
        assert bot.decide(view).move == RandomBot(GAME, seed_of(bot)).decide(view).move


def opening_book(folder, lines=None):
    """A book whose lines end after two own moves, or that has these lines for Black."""
    name = "flatmc:playouts=40"
    mark = fingerprint(partial(bots.make, name, GAME))
    setup = replace(BOOK.setup, black=Identity(name, mark), white=Identity(name, mark))
    black, white = side(name, 1, 4, 7, moves=2), side(name, 0, 9, moves=2)
    if lines is not None:
        black = Side(lines, (1.0,) * len(lines), 0.5)
    opener = () if lines is None else (Identity("random", PRINT),)
    book = replace(BOOK, name="opens", setup=setup, black=black, white=white, openers=opener)
    write_book(book, folder / "opens.json")
    return f"book:{folder}/opens.json"


@pytest.fixture
def asked(monkeypatch):
    """The seeds and seconds with which flatmc is asked to decide."""
    found, decide = [], FlatMC.decide

    def noted(bot, view, seconds=math.inf):
        found.append((bot.seed, seconds))
        return decide(bot, view)

    monkeypatch.setattr(FlatMC, "decide", noted)
    return found


def test_a_line_decides_the_first_moves_under_every_clock(tmp_path, asked):
    """After it the bot continues with the seed of the game, on its clock."""
    spec = opening_book(tmp_path)
    for seed, count in product(range(6), range(20)):
        view, bot = played(5, 3, count).view(BLACK), drawing(spec, seed)
        move = bot.decide(view, 7).move
        by, seconds = asked[-1]
        if view.turn < 2:
            assert by in (1, 4, 7)
            assert seconds == math.inf
            assert move == bot.decide(view).move
        else:
            assert (by, seconds) == (seed, 7)


def test_a_colour_plays_without_the_book(tmp_path):
    opening_book(tmp_path, ())
    bot = drawing(f"book:{tmp_path}/opens.json", 3)
    for count in range(0, 6, 2):
        view = played(5, 3, count).view(BLACK)
        assert bot.decide(view).move == FlatMC(GAME, 3, playouts=40).decide(view).move
    assert bot.opens_from(View(RULES, BLACK)) is None
    assert bot.opens_from(View(RULES, WHITE)) == "opens"


def test_steps_decide_in_turn_and_may_name_different_bots(tmp_path, asked):
    """All under one symmetry; then the bot continues."""
    name = "flatmc:playouts=40"
    spec = opening_book(tmp_path, ((Step(name, 7, 1), Step("random", 8, 3), Step(name, 9, 1)),))
    for seed, count in product(range(4), range(0, 20, 2)):
        view, bot = played(5, 3, count).view(BLACK), drawing(spec, seed)
        asked.clear()
        move = bot.decide(view).move
        if 1 <= view.turn < 4:
            symmetry = drawn_line(bot).symmetry
            meant = RandomBot(GAME, 8).decide(map_view(symmetry, view)).move
            assert (asked, move) == ([], map_move(inverse(symmetry), meant, 5))
        else:
            (by, _), *_ = asked
            assert by == (7 if view.turn < 1 else 9 if view.turn < 5 else seed)


def message(spec, seed=0):
    with pytest.raises((BadBook, BadText)) as caught:
        bots.make(spec, GAME, seed)
    return str(caught.value)


def test_another_board_is_refused(spec):
    with pytest.raises(BadBook, match="is for 5x5, not 7x7"):
        bots.make(spec, Game(replace(RULES, size=7)), 0)
    with pytest.raises(BadBook, match="is for 5x5, not 7x7"):
        check_rules(f"{spec},force=on", replace(RULES, size=7))


def test_other_rules_are_refused_unless_forced(spec):
    check_rules(spec, RULES)
    check_rules("random", replace(RULES, komi=9.5))
    check_rules(spec, replace(RULES, komi=6.5))
    others = ({"captures_to_capturer": "count"}, {"max_moves": 9})
    for rules in (replace(RULES, **other) for other in others):
        check_rules(f"{spec},force=on", rules)
        with pytest.raises(BadBook, match=r"small\.json was learned with [a-z_]+ "):
            check_rules(spec, rules)


def test_another_komi_is_logged_once(spec, caplog):
    server = session(bot=spec, rules=RULES)
    with caplog.at_level(logging.INFO):
        assert run(server, "komi 8.25", "genmove b", "genmove w")[1] == "= pass"
    assert caplog.text.count("was learned with komi 0.5 and may be worth less with 8.25") == 1


def test_the_server_refuses_another_board(spec):
    server = session(bot=spec, rules=RULES)
    refused, played = run(server, "boardsize 7", "genmove w")
    assert refused.startswith("? unacceptable size: book:")
    assert refused.endswith("small.json is for 5x5, not 7x7")
    assert played.startswith("=")
    # From one book to another, the board changes between them.
    lines = ("clear_board", "phantom-param bot random", "boardsize 7", f"phantom-param bot {spec}")
    assert run(server, *lines) == ["="] * 4
    refused, resized, played = run(server, "genmove b", "boardsize 5", "genmove b")
    assert refused.endswith("small.json is for 5x5, not 7x7")
    assert (resized, played[0]) == ("=", "=")


def test_a_changed_bot_is_refused_unless_forced(tmp_path, caplog):
    setup = replace(BOOK.setup, black=Identity("random", "0" * 16))
    write_book(replace(BOOK, setup=setup), tmp_path / "small.json")
    spec = f"book:{tmp_path}/small.json"
    sentence = (
        "book small: Black's bot random has changed since it was learned:"
        f" fingerprint is {PRINT}, was {'0' * 16}"
    )
    assert message(spec) == f"{sentence}; learn it again, or override by force"
    with caplog.at_level(logging.WARNING):
        assert bots.make(f"{spec},force=on", GAME, 0).name == f"{spec},force=on"
    assert caplog.messages == [f"{sentence}; playing it anyway, but its seeds are worthless now"]


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("book:small", "White's bot book:small is a book itself"),
        ("nosuch", "White's bot: no bot 'nosuch'; there are "),
        ("flatmc:time=1", "White's bot flatmc:time=1 plays by the clock"),
    ],
)
def test_a_book_for_no_bot_is_refused(tmp_path, bot, why):
    setup = replace(BOOK.setup, white=Identity(bot, PRINT))
    lines = tuple((step._replace(bot=bot),) for (step,) in BOOK.white.lines)
    white = replace(BOOK.white, lines=lines)
    write_book(replace(BOOK, setup=setup, white=white), tmp_path / "small.json")
    assert message(f"book:{tmp_path}/small.json").startswith(f"book small: {why}")


def test_the_fingerprint_tells_bots_apart():
    class Other(RandomBot):
        def decide(self, view, _seconds=math.inf):
            return RandomBot(GAME, self.seed + 1).decide(view)

    assert fingerprint(partial(RandomBot, GAME)) == PRINT
    assert fingerprint(partial(Other, GAME)) != PRINT
    assert fingerprint(partial(RandomBot, Game(replace(RULES, size=6)))) != PRINT


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("size", [2, 3, 4, 5, 9, 19])
def test_the_fixed_views_fit_every_board(profile, size):
    for rules in (
        Rules.profile(profile, size=size),
        replace(Rules.profile(profile, size=size), captures_to_capturer="none"),
    ):
        found = list(views(rules))
        assert len(found) == 10
        assert size == 2 or len(set(found)) == 10
        assert [view.colour for view in found] == [BLACK] * 5 + [WHITE] * 5


def test_verifying_is_done_once(tmp_path, monkeypatch):
    calls = []
    write_book(BOOK, tmp_path / "small.json")
    monkeypatch.setattr(book_checks, "quick_changes", lambda *_: calls.append(1) or [])
    for seed in range(3):
        bots.make(f"book:{tmp_path}/small.json", GAME, seed)
    assert len(calls) == 1


def at(text):
    return parse_move(text, 5)


MOVES = MoveBook(
    name="moves",
    setup=Setup(Identity("random", PRINT), Identity("random", PRINT), "olympiad", RULES),
    black={"": {at("A2"): Tried(9, 5.0), at("C3"): Tried(9, 6.0)}, "C3 .": {at("A2"): Tried(4, 1)}},
    white={".": {at("C3"): Tried(5, 0.5)}, ". C3!": {at("B2"): Tried(5, 2.0)}},
    growth=Growth("mvbm", 0.1, 2, 1, None, 10, 5, 7, 6, {}),
)


@pytest.fixture
def moves_spec(tmp_path):
    write_moves(MOVES, tmp_path / "moves.json")
    return f"book:{tmp_path}/moves.json"


def test_a_book_of_moves_plays_what_won_most_often(moves_spec):
    bot = bots.make(moves_spec, GAME, 3)
    assert isinstance(bot, LineBot)
    view = View(RULES, BLACK)
    assert bot.decide(view).move == at("C3")
    second = view.after(Accepted(at("C3"))).after(Moved())
    images = {
        vertex(bots.make(moves_spec, Game.of(second), seed).decide(second).move, 5)
        for seed in range(60)
    }
    assert images == {"B1", "A2", "A4", "B5", "D5", "E4", "E2", "D1"}
    third = second.after(Accepted(at("A2"))).after(Moved())
    assert bot.book_move(third) is None  # deeper than the book is
    assert bot.decide(third).move == bots.make("random", Game.of(third), 3).decide(third).move


def test_a_share_not_above_the_threshold_is_not_played(moves_spec):
    bot, view = bots.make(moves_spec, GAME, 3), View(RULES, WHITE).after(Moved())
    assert isinstance(bot, LineBot)
    assert bot.book_move(view) is None
    assert bot.decide(view).move == bots.make("random", Game.of(view), 3).decide(view).move
    refused = view.after(Refused(at("C3")))
    assert vertex(bot.decide(refused).move, 5) in ("B2", "D2", "B4", "D4")


def test_a_book_of_moves_keeps_the_contract_of_all_bots(moves_spec):
    bot = bots.make(moves_spec, GAME, 1)
    assert (bot.deterministic, bot.foreign) == (True, False)
    assert bots.make(bot.name, GAME, 1) == bot
    first, again = (play_game(RULES, bot, bots.make(moves_spec, Game(RULES), 2)) for _ in range(2))
    assert first.attempts == again.attempts
    for colour in Colour:
        view = View(RULES, colour)
        other = bots.make("random", GAME, 1)
        assert bot.stone_probabilities(view) == other.stone_probabilities(view)
    assert dict(bot.data()) == {"book moves": MOVES.digest}
    with pytest.raises(BadBook, match="is for 5x5, not 9x9"):
        bots.make(moves_spec, Game(Rules(size=9)), 1)
