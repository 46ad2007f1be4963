"""Analysis: the lines of a stream, its end, and their agreement with the bot's decisions."""

import logging
import re
import subprocess
import time

import pytest

from bots import make, opening
from gtp.analysis import AnalysisRequest
from gtp.syntax import Failure
from phantomgo.game.beginning import Game
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.points import WHITE, parse_move, vertex
from phantomgo.game.rules import Rules
from tests.support.commands import started
from tests.support.gtp_tools import Scripted, run, session
from tests.support.waiting import PATIENCE

GAME = Game(Rules())

INFO = re.compile(r"info move (\S+) visits (\d+) .*?winrate (\S+) .*?order (\d+) pv (\S+)")


def analyzed(spec="flatmc:playouts=800", white=("C4", "D4")):
    moves = {WHITE: [parse_move(word, 5) for word in white]}
    server = session(moves, rules=Rules(size=5), analyst=lambda _, game: make(spec, game, 0))
    run(server, "play b C3", "genmove w", "play b C4")
    return server


def lines(server, command):
    assert server.run(command) == "= \n\n"
    return list(server.stream.lines)


def test_a_line_for_each_decision_from_a_glance_to_the_budget():
    server = analyzed()
    told = lines(server, "kata-analyze b 10")
    visits = [sum(int(n) for _, n, *_ in INFO.findall(line)) for line in told]
    assert visits == [200, 400, 800]
    decision = make("flatmc:playouts=800", Game.of(server.role.visible_view("b")), 0).decide(
        server.role.visible_view("b")
    )
    found = INFO.findall(told[-1])
    assert found[0][0] == vertex(decision.move, 5)
    expected = decision.candidates
    assert [where for where, *_ in found] == [vertex(one.point, 5) for one in expected]
    assert [int(visits) for _, visits, *_ in found] == [one.visits for one in expected]
    rates = [float(rate) for _, _, rate, *_ in found]
    assert rates == pytest.approx([one.value for one in expected], abs=1e-4)
    assert [int(order) for *_, order, _ in found] == list(range(len(found)))


def test_the_bot_behind_a_book_is_analyzed_and_the_book_is_named(caplog):
    caplog.set_level(logging.INFO, "gtp")
    server = analyzed("flatmc:playouts=800,book=rates5")
    assert lines(server, "kata-analyze b") == lines(analyzed(), "kata-analyze b")
    lines(server, "kata-analyze b")
    said = "book rates5 opens this game; analyzed is flatmc:playouts=800 without it"
    assert [one.getMessage() for one in caplog.records if one.name == "gtp.analysis"] == [said]
    shown, plain = (run(s, "phantom-candidates b")[0] for s in (server, analyzed()))
    assert shown == f"{plain}; book rates5 plays"


def test_an_analysis_does_not_announce_the_book_again(caplog):
    caplog.set_level(logging.INFO, "bots")
    opening.log_once.cache_clear()
    server = analyzed("flatmc:time=0.01,book=rates5")
    assert lines(server, "kata-analyze b")
    make("flatmc:time=0.01,book=rates5", Game.of(server.role.visible_view("b")), 1).decide(
        server.role.visible_view("b")
    )
    said = [one.getMessage() for one in caplog.records if one.name == "bots.opening"]
    assert said == ["flatmc opens as Black and White from book rates5"]


def opponent(**settings):
    """A server whose bot is asked with analysis, after a stone of Black's at C3."""
    server = session(bot="flatmc:playouts=400", rules=Rules(size=5), seed=1, **settings)
    run(server, "play b C3")
    return server


def test_genmove_with_analysis_where_nothing_is_hidden():
    """The move of genmove, after a line for each attempt of the turn."""
    (move,) = run(opponent(hide=False), "genmove w")
    server = opponent(hide=False)
    (answer,) = run(server, "kata-genmove_analyze w 50 ownership true")
    _, *infos, played = answer.split("\n")
    assert played == f"play {move[2:]}"
    assert len(infos) == len([one for one in server.role.referee.log if one.colour is WHITE])
    assert INFO.findall(infos[-1])[0][0] == move[2:]
    assert all(" ownership " in line for line in infos)
    assert run(server, "kata-genmove_analyze", "kata-genmove_analyze b shine 1") == [
        "? syntax error",
        "? syntax error",
    ]


def test_genmove_with_analysis_hides_what_genmove_hides():
    assert run(opponent(), "kata-genmove_analyze w 50") == ["=\nplay pass"]
    answers = run(opponent(), "kata-genmove_analyze b", "kata-genmove_analyze w")
    assert "info move" in answers[0], "the seat is the controller's"
    assert answers[1] == "=\nplay pass"


def test_ownership_is_the_belief():
    server = analyzed()
    (line, *_) = lines(server, "kata-analyze b 10 ownership true maxmoves 2")
    infos, _, owned = line.partition(" ownership ")
    values = [float(word) for word in owned.split()]
    assert len(INFO.findall(infos)) == 2
    assert len(values) == 25
    assert values[5 + 2] == -1, "C4 is located"
    assert values[10 + 2] == 1, "C3 is Black's"
    assert sum(values) == pytest.approx(0, abs=0.05), "no stone is hidden"


def test_the_other_seat_is_not_analyzed():
    server = analyzed()
    run(server, "kata-analyze b 50")
    assert server.stream.interval == 0.5
    looks = "kata-analyze w 5", "phantom-candidates w"
    assert run(server, *looks) == ["? not your seat"] * 2
    assert server.stream is None


def test_what_cannot_be_analyzed():
    assert run(session({}), "kata-analyze") == ["? cannot analyze"]
    assert lines(analyzed("random"), "kata-analyze") == []
    server = analyzed()
    run(server, "play b pass", "play w pass")
    assert run(server, "phantom-candidates")[0].startswith("=\nINFLUENCE")


def test_a_bot_that_breaks_down_fails_the_analysis():
    class Broken(Scripted):
        def decide(self, view, seconds=0.0):  # noqa: ARG002
            raise Fault(Ending.CRASH, "breaks down")

    server = session(
        {}, bot=Broken(GAME, 0, {}), analyst=lambda *_: Broken(GAME, 0, {}), hide=False
    )
    assert run(server, "phantom-candidates b") == ["? breaks down"]
    with pytest.raises(Failure, match="breaks down"):
        lines(server, "kata-analyze b")


def test_candidates_for_gogui():
    server = analyzed()
    (shown,) = run(server, "phantom-candidates b")
    influence, labels, text = shown.split("\n")[1:]
    assert influence.startswith("INFLUENCE ")
    decision = make("flatmc:playouts=800", Game.of(server.role.visible_view("b")), 0).decide(
        server.role.visible_view("b")
    )
    shares = dict(zip(influence.split()[1::2], influence.split()[2::2], strict=True))
    for one in decision.candidates:
        assert shares[vertex(one.point, 5)] == f"{one.win_rate:.2f}"
    assert labels.startswith("LABEL ")
    assert re.fullmatch(r"TEXT [A-E][1-5]: wins \d+% of its playouts", text)
    (shown,) = run(analyzed("book:mixed5"), "phantom-candidates b")
    assert re.fullmatch("=\nTEXT mixed5 does not search: it would play [A-E][1-5]", shown)


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ("", AnalysisRequest()),
        ("b", AnalysisRequest("b")),
        ("50", AnalysisRequest(interval=50)),
        ("W 7", AnalysisRequest("W", 7)),
        ("b interval 9 maxmoves 3", AnalysisRequest("b", 9, 3)),
        ("20 ownership true rootInfo true", AnalysisRequest(interval=20, ownership=True)),
        ("b minmoves 2 ownership false", AnalysisRequest("b")),
    ],
)
def test_requests(words, request_):
    assert AnalysisRequest.read(tuple(words.split())) == request_


UNREADABLE = ["D4", "b -1", "interval", "avoid b D4 1", "b 5 shine true"]


@pytest.mark.parametrize("words", UNREADABLE)
def test_requests_that_are_none(words):
    with pytest.raises(Failure, match="syntax error"):
        AnalysisRequest.read(tuple(words.split()))


def test_the_next_line_ends_it():
    """The line may be a command, an empty line or GoGui's interrupt."""
    words = ["-m", "phantomgo", "gtp", "--size", "5", "--bot", "flatmc:playouts=400"]
    server = started(*words, text=False, stdin=subprocess.PIPE)

    def say(line: bytes) -> None:
        server.stdin.write(line)
        server.stdin.flush()

    for ending in (b"name\n", b"\n", b"# interrupt\n"):
        say(b"7 kata-analyze b 1\n")
        assert server.stdout.readline() == b"=7 \n"
        assert server.stdout.readline().startswith(b"info move ")
        say(ending)
        while (line := server.stdout.readline()) != b"\n":
            assert line.startswith(b"info move ")
        if ending == b"name\n":
            assert server.stdout.readline() + server.stdout.readline() == b"= phantomgo\n\n"
    # A line that is still being computed when the input ends.
    say(b"phantom-param bot flatmc:playouts=10000000\nkata-analyze b 1\n")
    assert [server.stdout.readline() for _ in range(3)] == [b"= \n", b"\n", b"= \n"]
    time.sleep(0.5)
    server.stdin.close()
    assert server.stdout.read().endswith(b"\n\n")
    assert server.wait(PATIENCE) == 0
    server.stdout.close()
