"""The adapter: an ordinary controller plays an engine that sees only its view."""

import math
import sys
from dataclasses import dataclass
from typing import ClassVar, cast

import pytest

from bots import Bot
from gtp.adapter import adapter
from gtp.engine import EnginePlayer
from gtp.session import Session
from phantomgo.app.cli import main
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, WHITE, grid, parse_move, vertex
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.version import __version__
from tests.support.commands import phantomgo
from tests.support.engines import BAD, LocalChannel, Plain, Tap, argv, processes
from tests.support.gtp_tools import hosting, run, session

GAME = Game(Rules())


def adapted(server, wall_time=lambda: 0.0) -> Session:
    """An adapter of the engine that this server is."""
    engine = EnginePlayer(lambda: LocalChannel(server.run), "ours")
    return adapter(engine, Rules(size=5), lambda: 2.0, wall_time)


def ours(seed=1) -> Session:
    return adapted(session(rules=Rules(size=5), seed=seed))


def test_a_dialogue():
    moves = {WHITE: [parse_move(word, 5) for word in ("C3", "B3", "A1")]}
    tap = Tap(session(moves, rules=Rules(size=5)))
    server = adapted(tap)
    assert run(server, "name", "boardsize 5", "clear_board", "komi 0.5", "play b C3") == [
        "= phantomgo adapter of ours", "=", "=", "=", "=",
    ]  # fmt: skip
    # C3 is taken: the engine learns it, and the controller gets the move that stands.
    assert run(server, "genmove w", "play b B3", "play b D3") == ["= B3", "? illegal move", "="]
    assert run(server, "time_left w 30 0", "genmove w") == ["=", "= A1"]
    assert [text for text in tap.sent if "phantom-" in text and "param" not in text] == [
        "phantom-protocol_version", "phantom-seat w", "phantom-rules olympiad",
        "phantom-opponent b move captured 0", "phantom-illegal w C3",
        "phantom-accept w B3 captured 0", "phantom-opponent b move captured 0",
    ]  # fmt: skip
    assert not any("D3" in text for text in tap.sent), "the engine is never told a hidden stone"


def test_two_adapters_play_a_whole_game():
    """Like gogui-twogtp: every move is played on both, and both agree at the end."""
    sides = {BLACK: ours(1), WHITE: ours(2)}
    for server in sides.values():
        run(server, "boardsize 5", "clear_board", "komi 0.5")
    truth, colour = Referee(Rules(size=5, komi=0.5)), BLACK
    while truth.outcome is None:
        (answer,) = run(sides[colour], f"genmove {colour.letter}")
        truth.attempt(colour, parse_move(answer[2:], 5))
        assert truth.log[-1].reason is None, "the adapter answers legal moves only"
        assert run(sides[colour.other], f"play {colour.letter} {answer[2:]}") == ["="]
        colour = colour.other
    for server in sides.values():
        assert run(server, "final_score") == [f"= {truth.outcome.result}"]


@dataclass(frozen=True)
class Thinking(Bot):
    """Tries the first point that may be empty, for as long as it is given and a little longer."""

    kind: ClassVar[str] = "thinking"
    clock: list[float]

    def decide(self, view, seconds=math.inf):
        self.clock[0] += min(seconds, 3.0) + 0.01
        taken = view.own | view.located | view.refused_now
        return Decision(next(p for p in range(grid(view.rules.size).points) if not taken >> p & 1))


def on_a_clock(*missing: str) -> tuple[Session, Tap, list[float]]:
    """An adapter of an engine without these commands, what it is sent, and the clock of both."""
    clock = [0.0]
    engine = session(bot=Thinking(GAME, 0, clock), rules=Rules(size=5), wall_time=lambda: clock[0])

    def answer(text):
        response = tap.run(text)
        for name in missing:
            response = response.replace(f"\n{name}\n", "\n")
        return response

    tap = Tap(engine)
    player = EnginePlayer(lambda: LocalChannel(answer), "thinking")
    return adapter(player, Rules(size=5), lambda: 0.0, lambda: clock[0]), tap, clock


@pytest.mark.parametrize("missing", [(), ("kata-time_settings",)], ids=["fractions", "seconds"])
@pytest.mark.parametrize("telling", [True, False])
@pytest.mark.parametrize("seconds", [5, 60])
def test_an_engine_keeps_the_time_of_the_controller(missing, telling, seconds):
    """Refused attempts come out of the same time; a quarter of the points are White's."""
    server, _, clock = on_a_clock(*missing)
    run(server, "boardsize 13", "clear_board", f"time_settings {seconds} 0 0")
    for turn in range(40):
        if telling:
            run(server, f"time_left b {int(seconds - clock[0])} 0")
        played, answered = run(server, f"play w {vertex(4 * turn + 1, 13)}", "genmove b")
        assert played == "="
        assert answered is not None
        assert answered.startswith("= ")
    assert sum(step.reason is not None for step in hosting(server).referee.log) > 10
    assert 0.1 * seconds < clock[0] < seconds


@pytest.mark.parametrize(
    ("missing", "settings", "told"),
    [
        ((), "time_settings 5 0 0", "time_settings 5 0 0; b 5 0; b 4.94 0"),
        (("kata-time_settings",), "time_settings 5 0 0", "time_settings 5 0 0; b 5 0; b 4 0"),
        ((), "kata-time_settings fischer 9.5 2", "kata-time_settings fischer 9.5 2; b 9.5 0"),
        (("kata-time_settings",), "kata-time_settings absolute 0.5", "time_settings 1 0 0; b 0 0"),
        ((), "time_settings 0 9 1", "time_settings 0 9 1; b 9 1; b 5.99 1"),
        ((), "kata-time_settings byoyomi 0 9 3", "time_settings 0 9 1; b 9 1; b 5.99 1"),
        (
            (),
            "kata-time_settings fischer-capped 9 1 20 2",
            "kata-time_settings fischer-capped 9 1 -1 2; b 9 0; b 8.4 0",
        ),
        (("time_left",), "time_settings 5 0 0", "time_settings 5 0 0"),
        ((), "time_settings 0 0 0", ""),
    ],
)
def test_the_clock_is_told_before_every_attempt(missing, settings, told):
    """As far as the engine has commands for it; White's stone at A1 is in the way."""
    server, tap, _ = on_a_clock(*missing)
    run(server, "boardsize 9", "clear_board", "play w A1", settings, "genmove b")
    sent = "; ".join(text for text in tap.sent if "time_" in text).replace("time_left ", "")
    assert sent.startswith(told)
    assert bool(told) == bool(sent)
    run(server, "time_settings 0 0 0", "genmove b")
    assert ("time_settings 0 1 0" in tap.sent) == bool(told), "a limit can be lifted"


def test_an_engine_that_dies_fails_the_command_and_comes_back():
    engine = EnginePlayer(lambda: LocalChannel(session(rules=Rules(size=5)).run), "ours")
    server = adapter(engine, Rules(size=5), lambda: 0.0, lambda: 0.0)
    run(server, "boardsize 5", "genmove b", "play w A1")
    cast(LocalChannel, engine._channel)._run = lambda _: "? \n\n"
    (answer,) = run(server, "genmove b")
    assert answer.startswith("? the engine answered '?' to command")
    (answer,) = run(server, "genmove b")
    assert answer.startswith("= ")


def test_the_process_and_what_it_leaves_behind(tmp_path):
    engine = tmp_path / "bad.py"  # a name of its own: other tests start the same engine
    engine.symlink_to(BAD)
    words = ("--patience", 3, "--", sys.executable, "-S", engine, "phantom", "hangs")
    typed = "boardsize 4\nplay b A1\ngenmove w\nplay b B2\ngenmove w\nquit\n"
    done = phantomgo("bridge", "gtp", *words, input=typed)
    assert done.returncode == 0, done.stderr
    responses = done.stdout.split("\n\n")
    assert responses[2] == "= B1"
    assert responses[4].startswith("? the engine did not answer in 3 s at `genmove w`")
    assert "White tried A1" in done.stderr
    assert not [args for _, args in processes() if str(engine) in args]


@pytest.mark.parametrize("answer", ["D4 and a comment", "\u65e5\u672c", "Z999999999", ""])
def test_what_is_no_vertex_is_an_attempt_refused(answer):
    """It counts as an attempt off the board, and the engine is asked again, as in matches."""
    server = adapted(Plain(5, [answer, answer, "B2"]))
    assert run(server, "boardsize 5", "play b C3", "genmove w") == ["=", "=", "= B2"]
    assert hosting(server).referee.view(WHITE).turn == 1
    assert len(hosting(server).referee.log) == 4


def test_the_engine_is_described_and_its_time_counted():
    server = ours()
    run(server, "boardsize 5", "play b C3", "genmove w")
    assert run(server, "cputime", "gomill-cpu_time") == ["= 3.500", "= 3.500"]
    (described,) = run(server, "gomill-describe_engine")
    assert described.split("\n")[1] == f"bot engine phantomgo {__version__}"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (argv("dies at start"), "the engine ended with exit code 1"),
        ([sys.executable, "-c", "print('hello')"], "the engine wrote 'hello'"),
    ],
)
def test_an_engine_that_is_none_is_told_at_the_start(words, error, capsys):
    assert main(["bridge", "gtp", "--", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert error in captured.err
