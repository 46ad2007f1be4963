"""The bot that plays from a book: pure, faithful to the book, and wary of changed bots."""

import logging
import math
import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bots
from bots import seeded
from bots.fingerprint import fingerprint, views
from bots.flatmc import FlatMC
from bots.random_bot import RandomBot
from bots.seeded import SeededBot, Turned, check_rules
from gtp.session import Session
from gtp.thinker import Services, Settings
from phantomgo.errors import BadBook, BadText
from phantomgo.game import play_game
from phantomgo.identity import Identity
from phantomgo.points import BLACK, WHITE, Colour
from phantomgo.portfolio.book import Book, Training, read_book, write_book
from phantomgo.portfolio.setup import Setup
from phantomgo.portfolio.side import Side, Start
from phantomgo.rng import MAX_SEED
from phantomgo.rules import PROFILES, Rules
from phantomgo.symmetry import SYMMETRIES, inverse, map_move, map_view
from phantomgo.view import View
from tests.support.gtp_tools import hosting
from tests.support.places import ROOT
from tests.support.strategies import played, seeds

RULES = Rules.profile("olympiad", size=5, komi=0.5)
PRINT = fingerprint(lambda seed: bots.make("random", seed), RULES)
BOOK = Book(
    name="small",
    setup=Setup(Identity("random", PRINT), Identity("random", PRINT), "olympiad", RULES),
    black=Side((1, 4, 7), (0.5, 0.125, 0.375), 0.5),
    white=Side((0, 9), (0.25, 0.75), 0.5),
    games=(),
    training=Training("nash", 0, 10, 10, None, 100, 50, 0, "0" * 64, {}),
    evaluation=None,
)


@pytest.fixture
def spec(tmp_path):
    """The spec of a bot that plays BOOK."""
    write_book(BOOK, tmp_path / "small.json")
    return f"book:{tmp_path}/small.json"


@pytest.fixture(scope="module")
def module_spec(tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "small.json"
    write_book(BOOK, path)
    return f"book:{path}"


def drawing(spec: str, seed: int) -> SeededBot:
    """The bot of a book, which has drawn its seeds."""
    bot = bots.make(spec, seed)
    assert isinstance(bot, SeededBot)
    return bot


def turned(bot: object, colour: Colour = BLACK) -> Turned:
    """What the bot of a book that decides whole games has drawn for a colour."""
    assert isinstance(bot, SeededBot)
    drawn = bot.black if colour is BLACK else bot.white
    assert isinstance(drawn, Turned)
    return drawn


@given(seeds, seeds, st.integers(0, 30), st.sampled_from(Colour))
@settings(max_examples=30)
def test_it_plays_the_drawn_seed_on_the_turned_board(module_spec, seed, game, count, colour):
    view = played(5, game, count).view(colour)
    bot = drawing(module_spec, seed)
    drawn = turned(bot, colour)
    attempt = RandomBot(drawn.bot.seed).propose(map_view(drawn.symmetry, view))
    expected = map_move(inverse(drawn.symmetry), attempt, 5)
    assert bot.propose(view) == expected
    # Pure: another instance, asked other things before, says the same.
    other = pickle.loads(pickle.dumps(bots.make(module_spec, seed)))
    other.propose(played(5, game, count // 2).view(colour))
    assert other.propose(view) == expected


def test_it_draws_only_what_the_book_has(spec):
    black, white, turns = Counter(), Counter(), Counter()
    for seed in range(1600):
        bot = drawing(spec, seed)
        black[turned(bot).bot.seed] += 1
        white[turned(bot, WHITE).bot.seed] += 1
        turns[turned(bot).symmetry] += 1
    assert set(black) == {1, 4, 7}
    assert set(white) == {0, 9}
    assert black[1] / 1600 == pytest.approx(0.5, abs=0.05)
    assert white[9] / 1600 == pytest.approx(0.75, abs=0.05)
    assert set(turns) == set(SYMMETRIES)
    assert min(turns.values()) > 120


@pytest.mark.slow
def test_draws_have_the_books_frequencies(spec):
    from scipy.stats import chi2_contingency, chisquare

    number = 100_000
    drawn = [drawing(spec, seed) for seed in range(number)]
    for colour, side in ((BLACK, BOOK.black), (WHITE, BOOK.white)):
        mine = [turned(bot, colour) for bot in drawn]
        counts = Counter(one.bot.seed for one in mine)
        expected = [number * p for p in side.probabilities]
        assert chisquare([counts[seed] for seed in side.seeds], expected).pvalue > 1e-4
        turns = Counter(one.symmetry for one in mine)
        assert chisquare([turns[s] for s in SYMMETRIES]).pvalue > 1e-4
    pairs = Counter((turned(bot).bot.seed, turned(bot, WHITE).bot.seed) for bot in drawn)
    table = [[pairs[b, w] for w in BOOK.white.seeds] for b in BOOK.black.seeds]
    assert chi2_contingency(table).pvalue > 1e-4


@pytest.mark.slow
def test_the_server_started_anew_draws_with_the_books_frequencies(spec):
    from scipy.stats import chisquare

    words = [sys.executable, "-m", "phantomgo", "gtp", "--book", spec.removeprefix("book:")]
    asked = "genmove b\ngomill-describe_engine\nquit\n"
    counts, number = Counter(), 200
    for _ in range(number):
        done = subprocess.run(
            [*words, "--reveal"], input=asked, cwd=ROOT, capture_output=True, text=True, check=True
        )
        move, described, *_ = done.stdout.split("\n\n")
        assert move.startswith("= ")
        # The seed of the game, from which the one of the book follows.
        bot = drawing(spec, int(re.search(r"\nseed (\d+)\n", described)[1]))
        counts[turned(bot).bot.seed] += 1
    expected = [number * p for p in BOOK.black.probabilities]
    assert set(counts) <= set(BOOK.black.seeds)
    assert chisquare([counts[seed] for seed in BOOK.black.seeds], expected).pvalue > 1e-4


def test_symmetry_can_be_switched_off(spec):
    view = played(5, 3, 12).view(BLACK)
    for seed in range(20):
        bot = drawing(f"{spec},symmetry=off", seed)
        assert turned(bot).symmetry == turned(bot, WHITE).symmetry == 0
        assert bot.propose(view) == turned(bot).bot.propose(view)


def test_it_never_says_which_seed_it_plays(spec):
    bot = bots.make(spec, 12345)
    assert bot.name == spec
    assert "seed=4" not in repr(bot)
    assert "RandomBot" not in repr(bot)


def test_the_server_draws_anew_for_every_game(spec):
    settings = Settings(rules=RULES, bot=spec)
    counts = Counter()
    for _ in range(400):
        session = Session(settings, Services(bots.make, lambda _: b"", lambda: 0.0, lambda: 0.0))
        assert session.run("genmove w").startswith("=")
        counts[turned(hosting(session).thinker.bot, WHITE).bot.seed] += 1
    # Five standard deviations.
    assert counts[9] / 400 == pytest.approx(0.75, abs=0.11)


def test_a_time_limit_changes_nothing(tmp_path):
    """The seeds were learned for so many playouts; more of them would be another player."""
    name = "flatmc:playouts=40"
    mark = fingerprint(lambda seed: bots.make(name, seed), RULES)
    setup = replace(BOOK.setup, black=Identity(name, mark), white=Identity(name, mark))
    write_book(replace(BOOK, name="b", setup=setup), tmp_path / "b.json")
    spec = f"book:{tmp_path}/b.json"
    for count in range(12):
        view, bot = played(5, 3, count).view(BLACK), bots.make(spec, count)
        assert bot.propose_within(view, 0.02) == bot.propose(view)


def left_book(folder, moves=2):
    """A book that is left after so many own moves."""
    name = "flatmc:playouts=40"
    mark = fingerprint(lambda seed: bots.make(name, seed), RULES)
    setup = replace(BOOK.setup, black=Identity(name, mark), white=Identity(name, mark))
    sides = [replace(side, leave=(moves,) * len(side.seeds)) for side in (BOOK.black, BOOK.white)]
    book = replace(BOOK, name="left", setup=setup, black=sides[0], white=sides[1])
    write_book(book, folder / "left.json")
    return f"book:{folder}/left.json"


def test_a_book_that_is_left_decides_the_first_moves_under_every_clock(tmp_path, monkeypatch):
    """Afterwards the bot plays on with the seed of the game, and heeds the clock."""
    spec, within = left_book(tmp_path), FlatMC.propose_within
    asked = []

    def propose_within(bot, view, seconds):
        asked.append((bot.seed, seconds))
        return within(bot, view, math.inf)

    monkeypatch.setattr(FlatMC, "propose_within", propose_within)
    for seed, count in product(range(6), range(20)):
        view, bot = played(5, 3, count).view(BLACK), drawing(spec, seed)
        move = bot.propose_within(view, 7)
        by, seconds = asked[-1]
        if view.turn < 2:
            assert by in BOOK.black.seeds
            assert seconds == math.inf
            assert move == bot.propose(view)
        else:
            assert (by, seconds) == (seed, 7)


def test_a_colour_plays_without_the_book(tmp_path):
    left_book(tmp_path)
    book = read_book(f"{tmp_path}/left.json")
    write_book(replace(book, black=Side((0,), (1.0,), 0.5, (0,))), tmp_path / "left.json")
    bot = drawing(f"book:{tmp_path}/left.json", 3)
    for count in range(0, 6, 2):
        view = played(5, 3, count).view(BLACK)
        assert bot.propose(view) == FlatMC(3, playouts=40).propose(view)
    assert bot.opens_from(View(RULES, BLACK)) is None
    assert bot.opens_from(View(RULES, WHITE)) == "left"


def test_seeds_of_a_line_decide_one_after_the_other(tmp_path, monkeypatch):
    """First those of the line, then the book's, then that of the game; all on one turned board."""
    left_book(tmp_path, 5)
    book = read_book(f"{tmp_path}/left.json")
    start = Start(0, (((77, 1), (78, 3)),), (1.0,))
    sides = [replace(side, start=start) for side in (book.black, book.white)]
    write_book(replace(book, black=sides[0], white=sides[1]), tmp_path / "left.json")
    asked, propose = [], FlatMC.propose

    def proposed(bot, view):
        asked.append(bot.seed)
        return propose(bot, view)

    monkeypatch.setattr(FlatMC, "propose", proposed)
    for seed, count in product(range(4), range(0, 20, 2)):
        view, bot = played(5, 3, count).view(BLACK), drawing(f"book:{tmp_path}/left.json", seed)
        bot.propose(view)
        if view.turn >= 5:
            assert asked[-1] == seed
        elif view.turn >= 3:
            assert asked[-1] in book.black.seeds
        else:
            assert asked[-1] == (77 if view.turn < 1 else 78)


def test_leaving_a_book_is_a_part_of_its_digest(tmp_path):
    left_book(tmp_path, 2)
    two = read_book(f"{tmp_path}/left.json")
    left_book(tmp_path, 3)
    assert read_book(f"{tmp_path}/left.json").digest != two.digest != BOOK.digest


def test_it_plays_whole_games(spec):
    first, again = (play_game(RULES, bots.make(spec, 3), bots.make("random", 4)) for _ in range(2))
    assert first.attempts == again.attempts


def test_it_plays_by_name(monkeypatch, tmp_path):
    write_book(BOOK, tmp_path / "small.json")
    monkeypatch.setattr("phantomgo.portfolio.book.SHELF.place", lambda: tmp_path)
    assert bots.make("book:small", 1).propose(played(5, 0, 3).view(WHITE)) is not None


def message(spec, seed=0):
    with pytest.raises((BadBook, BadText)) as caught:
        bots.make(spec, seed)
    return str(caught.value)


def test_bad_specs(spec):
    assert message(f"{spec},symmetry=1") == "book symmetry=1 is not on or off"
    assert message(f"{spec},speed=on") == "book has no option 'speed'; it has symmetry, force, code"
    assert message(spec, -1) == f"seed -1 is not a whole number from 0 to {MAX_SEED}"
    assert "there is no book nope" in message("book:nope")
    assert "'' is neither the name of a book" in message("book:")


def test_another_board_is_refused(spec):
    with pytest.raises(BadBook, match="is for 5x5, not 7x7"):
        bots.make(spec, 0).propose(played(7, 0, 0).view(BLACK))
    with pytest.raises(BadBook, match="is for 5x5, not 7x7"):
        check_rules(f"{spec},force=on", replace(RULES, size=7))


def test_other_rules_are_refused_unless_forced(spec):
    check_rules(spec, RULES)
    check_rules("random", replace(RULES, komi=9.5))
    others = ({"komi": 6.5}, {"captures_to_capturer": "count"}, {"max_moves": 9})
    for rules in (replace(RULES, **other) for other in others):
        check_rules(f"{spec},force=on", rules)
        with pytest.raises(BadBook, match=r"small\.json was learned with [a-z_]+ "):
            check_rules(spec, rules)


def test_the_server_refuses_another_board(spec):
    services = Services(bots.make, lambda _: b"", lambda: 0.0, lambda: 0.0)
    session = Session(Settings(rules=RULES, bot=spec), services)
    refused = session.run("boardsize 7")
    assert refused.startswith("? unacceptable size: book:")
    assert refused.endswith("small.json is for 5x5, not 7x7\n\n")
    assert session.settings.rules.size == 5
    assert session.run("genmove w").startswith("=")
    # From one book to another, the board changes between them.
    for line in ("clear_board", "phantom-param bot random", "boardsize 7"):
        assert session.run(line) == "= \n\n"
    assert session.run(f"phantom-param bot {spec}") == "= \n\n"
    assert session.run("genmove b").endswith("small.json is for 5x5, not 7x7\n\n")
    assert session.run("boardsize 5") == "= \n\n"
    assert session.run("genmove b").startswith("=")


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
        assert bots.make(f"{spec},force=on", 0).name == f"{spec},force=on"
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
    write_book(replace(BOOK, setup=setup), tmp_path / "small.json")
    assert message(f"book:{tmp_path}/small.json").startswith(f"book small: {why}")


def test_the_fingerprint_tells_bots_apart():
    class Other(RandomBot):
        def propose(self, view):
            return RandomBot(self.seed + 1).propose(view)

    assert fingerprint(RandomBot, RULES) == PRINT
    assert fingerprint(Other, RULES) != PRINT
    assert fingerprint(RandomBot, Rules.profile("olympiad", size=6)) != PRINT


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


def test_verifying_is_done_once(spec, monkeypatch):
    calls = []
    monkeypatch.setattr(seeded, "refuse_changed", lambda *_, **__: calls.append(1))
    for seed in range(3):
        bots.make(spec, seed)
    assert len(calls) == 1
