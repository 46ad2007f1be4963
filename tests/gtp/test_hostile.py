"""The server answers thousands of hostile lines without an internal error."""

import math
import re
import shutil
from pathlib import Path

import pytest

from bots import make
from bots.book_checks import usual_game
from gtp.limits import NO_LIMITS, SAFE
from gtp.session import Session
from gtp.thinker import Services, Settings, no_files
from phantomgo.errors import BadRules, BadText
from phantomgo.game.points import Colour
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream
from tests.support.gtp_tools import run, session
from tests.support.places import ROOT

NOISE = """
A1 A2 B1 B2 C3 D4 E5 pass resign Z9 a1 T19 b w black WHITE none ruler 0 1 2 3 5 -1 1e3 nan inf 1e300
-1e300 1e19 0.5 99999999999999999999 captured move atari tries ko hide off pass seed bot random
olympiad hamburg cazenave openspiel max_tries max_moves on_max_tries lose reason kind true false
ownership interval maxmoves alive dead canadian fischer absolute x.sgf /etc/passwd book:/etc/passwd
book:nash5 phantom:net=/etc/passwd random flatmc:playouts=2 flatmc:playouts=1000000000
phantom:playouts=2 imperfect:worlds=9999 # \x00 \xff =1 ? '' " \\ \u65e5 B+2.5 Void
"""
WORDS = NOISE.split()
BOTS = ("random", "flatmc:playouts=2", "phantom:playouts=2")


class Timeless:
    """A bot that ignores the clock."""

    def __init__(self, bot):
        self.name, self._bot, self.stone_probabilities = bot.name, bot, bot.stone_probabilities

    def decide(self, view, _seconds=math.inf):
        return self._bot.decide(view)


def served(*, safe: bool) -> Session:
    """A server whose bots think little whatever is asked of them, so that the test ends."""

    def quick(spec, game, seed):
        bot = make(spec, game, seed)
        return bot if len(spec) < 30 and bot.with_budget(1) == bot else make("random", game, seed)

    services = Services(
        lambda *asked: Timeless(quick(*asked)), no_files, lambda: 0.0, lambda: 0.0,
        analyst=lambda spec, game: quick(spec, game, 0), limits=SAFE if safe else NO_LIMITS,
    )  # fmt: skip
    return Session(Settings(Rules(size=3), bot="random"), services)


def hostile(stream: Stream) -> str:
    """A line: mostly a command with arguments that may fit, sometimes noise."""
    kind = stream.below(12)
    if kind == 0:
        return "".join(chr(stream.below(300)) for _ in range(stream.below(40)))
    if kind < 5:
        colour, where = "bw"[stream.below(2)], WORDS[stream.below(11)]
        return (f"play {colour} {where}", f"genmove {colour}", "clear_board")[stream.below(3)]
    name = NAMES[stream.below(len(NAMES))]
    words = [WORDS[stream.below(len(WORDS))] for _ in range(stream.below(4))]
    return " ".join([name, *words])


NAMES = [name for name in Session.commands() if name != "quit"]


def bombard(lines: int, seed: int, *, safe: bool) -> None:
    stream, server = Stream(seed), served(safe=safe)
    for number in range(lines):
        line = hostile(stream)
        if number % 200 == 0:
            server.run(f"boardsize {2 + stream.below(4)}")
        if number % 500 == 0:
            server.run(f"phantom-param bot {BOTS[stream.below(len(BOTS))]}")
        response = server.run(line)
        assert "internal error" not in (response or ""), line
        assert response is None or (response[0] in "=?" and response.count("\n\n") == 1), line
        if server.stream is not None:
            next(server.stream.lines, None)


@pytest.mark.parametrize("safe", [False, True], ids=["plain", "safe"])
def test_no_line_is_an_internal_error(safe):
    bombard(3000, 1, safe=safe)


FILES = "this server reads no files for its controller"


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("book:/etc/passwd", FILES),
        ("online:random|flatmc,state=mine", FILES),
        ("book:mine.json", FILES),
        ("phantom:net=C:\\net", FILES),
        ("phantom:playouts=8001", "phantom:playouts=8001 thinks more than 8 times as long"),
        ("twolevel:playouts=200,inner=30", "thinks more than 8 times as long as by default"),
        ("flatmc:threads=2", "threads=2 is above 1, this server's limit"),
        ("flatmc:threads=0", "threads=0 takes all cores, above 1, this server's limit"),
        ("flatmc:per_candidate=23", "per_candidate=23 is above 22, this server's limit"),
        ("flatmc:time=10.5", "time=10.5 is above 10, this server's limit"),
    ],
)
def test_specs_that_strangers_may_not_have(spec, error):
    with pytest.raises(BadText, match=re.escape(error)):
        checked(spec)


def test_specs_that_they_may():
    for spec in ("phantom:playouts=8000", "book:nash5", "imperfect", "hybrid", "flatmc:time=10"):
        checked(spec)


def checked(spec: str) -> None:
    SAFE.check_spec(spec)
    SAFE.check_bot(spec, make(spec, usual_game(spec), 0))


def test_strangers_open_no_folder(tmp_path, monkeypatch):
    """A name without a slash is a shipped book's, whatever lies in the working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "open5"):
        Path(name).mkdir()
        shutil.copy(ROOT / "books" / "open5.json", Path(name, "hidden.json"))
    services = Services(make, no_files, lambda: 0.0, lambda: 0.0, limits=SAFE)
    server = Session(Settings(Rules(size=5)), services)
    for source in ("mine", "mine/", ".", "..", "hidden"):
        for command in ("book ", "bot flatmc:book="):
            [response] = run(server, f"phantom-param {command}{source}")
            assert response.startswith("? "), response
    assert run(server, "phantom-param book open5", "phantom-param book")[1] == "= open5 (White)"


def test_rules_that_strangers_may_not_have():
    SAFE.check_rules(Rules(size=5, max_tries=26, max_moves=100))
    for rules in (Rules(size=5, max_tries=27), Rules(size=5, max_moves=101)):
        with pytest.raises(BadRules):
            SAFE.check_rules(rules)
        NO_LIMITS.check_rules(rules)


def test_a_runner_that_takes_hidden_moves_for_passes_is_told_once(caplog):
    """One that lets bots play both sides, and one that passes on what it was told."""
    run(session({}, hide=True), *["genmove b", "genmove w"] * 2)
    assert [record.message for record in caplog.records] == [
        "hidden moves are answered `pass`; a match runner needs `phantomgo bridge gtp` (real moves,"
        " each engine sees its view) or `phantomgo gtp --reveal`"
    ]
    server = session({colour: [1, 2, 3, 4] for colour in Colour}, hide=True)
    run(server, "genmove b", "play w pass", "genmove b", "play w pass", "genmove b")
    assert len(caplog.records) == 2
    run(session({}, hide=True), "genmove b", "play w C3", "genmove b", "play w D4", "genmove b")
    assert len(caplog.records) == 2
