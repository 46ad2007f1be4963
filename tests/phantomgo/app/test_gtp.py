"""`phantomgo gtp`: its options as settings of the session; the process is in tests/gtp."""

import io
import os
import sys
import threading
from functools import partial

import pytest

import bots
from gtp.limits import NO_LIMITS, SAFE
from gtp.session import Session
from gtp.sharing import Sharing
from gtp.thinker import Settings
from phantomgo.app import background, gtp
from phantomgo.app.background import Latest
from phantomgo.app.gtp import serve_gtp
from phantomgo.errors import BadBook, BadStore, BadText
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.portfolio.book import read_book
from tests.support.gtp_tools import session
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

GAME = Game(Rules())


@pytest.fixture
def served(monkeypatch):
    """The sessions that would be served, each with its sharing."""
    found: list[tuple[Session, Sharing | None]] = []
    monkeypatch.setattr(
        gtp, "serve_pipes", lambda session, _, sharing: found.append((session, sharing)) or 0
    )
    return found


def test_options_are_settings(served):
    assert serve_gtp(bot="random", size=5, komi=1.5, rules="sensei", seed=4, reveal=True) == 0
    rules = Rules.profile("sensei", size=5, komi=1.5)
    expected = Settings(rules, komi_given=True, bot="random", seed=4, hide=False)
    assert served[0][0].settings == expected


def test_the_default_bot_loads_while_commands_are_answered(served, monkeypatch):
    monkeypatch.setattr(bots, "make", lambda *_: pytest.fail("a bot was made first"))
    serve_gtp()
    assert served[0][0].settings == Settings(Rules(size=9), bot="phantom:time=0.5,threads=0")
    serve_gtp(size=5, rules="sensei", safe=True)
    assert len(served) == 2


def test_the_games_asked_for_while_code_loads_are_prepared_and_no_others(monkeypatch):
    loaded, prepared = threading.Event(), []
    monkeypatch.setattr(background, "make", lambda *_: loaded.wait(PATIENCE))
    monkeypatch.setattr(background, "get_ready", lambda _, game: prepared.append(game.rules.size))
    warm_up = background.WarmUp()
    for size in (9, 7, 5):
        warm_up.begin("phantom", Game(Rules(size=size)))
    loaded.set()
    warm_up.wait()
    assert prepared == [5]


class Prepared(background.WarmUp):
    """Notes for which boards bots would be warmed up."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def begin(self, spec, game):  # noqa: ARG002
        self.sizes.append(game.rules.size)


@pytest.mark.parametrize(
    ("lines", "sizes"),
    [
        ("name; list_commands; known_command play; gogui-rules_game_id; quit", set()),
        ("name; boardsize 5; clear_board", {5}),
        ("genmove b", {9}),
        ("kata-analyze b", {9}),
        ("phantom-seat w", {9}),
        ("phantom-seat ruler; boardsize 5; clear_board; play b C3", set()),
    ],
)
def test_a_bot_is_prepared_for_the_first_game_and_not_for_questions(lines, sizes):
    prepared = Prepared()
    commands = io.BytesIO(lines.replace("; ", "\n").encode())
    gtp.serve(session({}, rules=Rules()), commands, io.BytesIO(), prepared)
    assert set(prepared.sizes) == sizes


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names that leave no file")
def test_the_ruler_of_a_program_prepares_no_bot(tmp_path):
    """GoGui asks both for the game before it sets up a board, and then the ruler what to show."""
    asked = b"name\ngogui-rules_game_id\ngogui-rules_board_size\nboardsize 5\nclear_board\n"
    shares = [Sharing(f"{tmp_path}-{os.getpid()}") for _ in range(2)]
    prepared = [Prepared(), Prepared()]
    for sharing, noted in zip(shares, prepared, strict=True):
        commands = io.BytesIO(asked + b"gogui-rules_side_to_move\n" * (sharing is shares[1]))
        gtp.serve(session({}, rules=Rules()), commands, io.BytesIO(), noted, sharing)
    shares[0].close()
    assert [set(noted.sizes) for noted in prepared] == [{5}, set()]


def test_a_safe_server_thinks_on_one_core(served):
    serve_gtp(safe=True)
    serve_gtp(safe=True, book="none")
    bots = [session.settings.bot for session, _ in served]
    assert bots == ["phantom:time=0.5", "phantom:time=0.5,book=none"]


def test_a_book_brings_its_board_and_rules(served):
    serve_gtp(book="nash5", seed=1)
    settings = served[0][0].settings
    assert (settings.bot, settings.rules) == ("book:nash5", Rules(size=5, komi=2.5))
    assert settings.komi_given, "a profile set later keeps the komi of the book"
    serve_gtp(bot="book:nash5,force=on", size=5, komi=0.5)
    settings = served[1][0].settings
    assert (settings.bot, settings.rules.komi) == ("book:nash5,force=on", 0.5)
    serve_gtp(book="none", size=7)
    assert served[2][0].settings.bot == "phantom:time=0.5,threads=0,book=none"
    serve_gtp(bot="random", book="open5")
    settings = served[3][0].settings
    assert (settings.bot, settings.rules) == ("random:book=open5", Rules(size=5, komi=2.5))
    with pytest.raises(BadBook, match=r"plays whole games, .*: book:nash5 plays it"):
        serve_gtp(bot="random", book="nash5")


def test_a_bot_may_remember_its_opponent(served, tmp_path):
    file = f"{tmp_path}/rival.db"
    serve_gtp(bot="random", remember=file)
    serve_gtp(book="nash5", remember=file)
    bots = [session.settings.bot for session, _ in served]
    assert bots == [f"online:{bot},state={file},cautious=on" for bot in ("random", "book:nash5")]
    with pytest.raises(BadText, match="it has its own"):
        serve_gtp(bot="online:random,state=a.db", remember=file)


@pytest.mark.parametrize(
    ("file", "error"),
    [
        ("gone/a.db", "No such file or directory"),
        (".", "Is a directory"),
        ("nash5.json", "store nash5.json: file is not a database"),
    ],
)
def test_a_file_that_cannot_remember_ends_it_at_once(file, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nash5.json").write_bytes((ROOT / "books" / "nash5.json").read_bytes())
    with pytest.raises((OSError, BadStore), match=error):
        serve_gtp(bot="random", remember=file)


def test_safe_servers_share_no_game_and_have_limits(served):
    for given in ({}, {"safe": True}, {"safe": True, "session": "ours"}):
        serve_gtp(bot="random", **given)
    assert [sharing is not None for _, sharing in served] == [True, False, True]
    limits = [session.services.limits for session, _ in served]
    assert limits == [NO_LIMITS, SAFE, SAFE]


def test_modules_run_only_for_the_spec_of_the_command_line(served):
    serve_gtp(bot="bots.random_bot:RandomBot")
    make = served[0][0].services.make_bot
    assert make("bots.random_bot:RandomBot", GAME, 1).seed == 1
    with pytest.raises(BadText):
        make("bots.flatmc:FlatMC", GAME, 1)


def test_a_controller_may_name_files(served, tmp_path):
    (tmp_path / "nash5.json").write_bytes((ROOT / "books" / "nash5.json").read_bytes())
    serve_gtp(bot="random")
    game = read_book("nash5").setup.game
    bot = served[0][0].services.make_bot(f"book:{tmp_path}/nash5.json", game, 1)
    assert bot.name == f"book:{tmp_path}/nash5.json"


def test_a_burst_of_work_takes_one_thread_and_leaves_the_latest():
    begun, proceed, done = threading.Event(), threading.Event(), []

    def first() -> None:
        begun.set()
        proceed.wait(PATIENCE)
        raise ValueError("what fails does not keep the next from its turn")

    latest = Latest("test")
    latest.do(first)
    begun.wait(PATIENCE)
    threads = threading.active_count()
    for number in range(1000):
        latest.do(partial(done.append, number))
    assert threading.active_count() == threads
    proceed.set()
    latest.wait()
    assert done == [999]
