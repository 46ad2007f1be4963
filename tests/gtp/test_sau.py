"""The bridge to the SAU platform, against a simulated one that referees as the CCGC does."""

import math
import os
import re
from functools import partial
from types import SimpleNamespace

import pytest

from bots import make
from gtp.sau import Bridge
from phantomgo.app.bridge import sau as serve
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.messages import Moved, Refused
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, Colour, members
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from tests.support.commands import phantomgo

CCGC = Rules.profile("ccgc")


def letters(points: int, size: int) -> str:
    return "".join(chr(65 + p % size) + chr(65 + p // size) for p in members(points))


class Platform:
    """A referee that speaks the platform's lines to two engines.

    Attributes:
        late: tell captures after the line they belong to rather than before.
    """

    def __init__(self, engines: dict[Colour, Bridge], rules: Rules, *, late: bool) -> None:
        self.engines, self.referee, self.late = engines, Referee(rules), late

    def say(self, colour: Colour, line: str) -> str | None:
        return self.engines[colour].run(line + "\n")

    def play(self) -> Referee:
        size = self.referee.rules.size
        assert self.say(WHITE, "new white") is None
        answer = self.say(BLACK, "new black")
        while self.referee.outcome is None:
            side = self.referee.to_move
            word, where = answer.split()
            assert word == "move"
            move = PASS if where == "pass" else (ord(where[1]) - 65) * size + ord(where[0]) - 65
            given = self.referee.attempt(side, move)
            if isinstance(given, Refused):
                answer = self.say(side, "refuse")
                continue
            assert self.say(side, "accept") is None
            if given.taken:
                line = f"take {given.captured} {letters(given.taken, size)}"
                assert self.say(side, "access " + line if self.late else line) is None
            answer = self.tell_the_other(side.other, size)
        for side in Colour:
            assert self.say(side, "end") is None
        return self.referee

    def tell_the_other(self, side: Colour, size: int) -> str | None:
        heard = [m for m in self.referee.view(side).events if not isinstance(m, Refused)]
        announced = heard[-1] if self.referee.outcome is None else None
        lost = announced.lost if isinstance(announced, Moved) else 0
        line = "move go" if isinstance(announced, Moved) else "move pass"
        if lost and not self.late:
            assert self.say(side, f"taked {lost.bit_count()} {letters(lost, size)}") is None
        answer = self.say(side, line)
        if lost and self.late:
            assert self.say(side, f"taked {lost.bit_count()} {letters(lost, size)}") is None
        return answer


@pytest.mark.parametrize("late", [False, True], ids=["captures first", "captures last"])
def test_whole_games(late):
    for seed in range(6):
        rules = Rules.profile("ccgc", size=4 + seed)
        engines = {c: Bridge(partial(make, "random", Game(rules), c), rules, "x") for c in Colour}
        referee = Platform(engines, rules, late=late).play()
        assert referee.outcome is not None
        for colour, engine in engines.items():
            told = [m for m in engine._messages if not isinstance(m, Refused)]
            truth = [m for m in referee.view(colour).events if not isinstance(m, Refused)]
            same = min(len(told), len(truth) - 2)
            assert told[:same] == truth[:same]
            assert same > 10


def bridge() -> Bridge:
    class Corner:
        name = "corner"

        def decide(self, view, _seconds=math.inf):
            free = list(members(view.unknown & ~view.refused_now))
            return Decision(free[0] if free else PASS)

    return Bridge(Corner, CCGC, "corner")


@pytest.mark.parametrize(
    "dialogue",
    [
        [("name?", "name corner"), ("new white", None), ("move go", "move AA"), ("quit", None)],
        [("new white", None), ("move go", "move AA"), ("refuse", "move BA"), ("accept", None),
         ("move pass", "move CA")],
        # An impossible refusal: there is no white stone. It is not tried again.
        [("new black", "move AA"), ("refuse", "move pass"), ("accept", None)],
        [("new black", "move AA"), ("move go", "move BA"), ("refuse", "move CA"), ("end", None)],
        [("accept", None), ("move go", None), ("nonsense", None), ("new green", None)],
        [("new white", None), ("move go", "move AA"), ("take 2 BB", None), ("taked x YY", None),
         ("take 1 ßA", None), ("refuse", "move BA")],
        # An operator's mistakes are taken back, one line at a time.
        [("new black", "move AA"), ("refuse", "move pass"), ("undo", None), ("accept", None),
         ("move pass", "move BA"), ("undo", None), ("move go", "move BA"), ("undo", None),
         ("undo", None), ("undo", None), ("accept", None), ("move go", "move BA")],
        [("undo", None), ("new white", None), ("undo", None), ("move go", "move AA")],
        [("new white", None), ("error", None), ("taked 1 EE", None), ("move go", "move AA")],
    ],
)  # fmt: skip
def test_dialogues(dialogue):
    platform = bridge()
    for line, answer in dialogue:
        assert platform.run(line + "\r\n") == answer, line
    assert platform.closed is (dialogue[-1][0] == "quit")


def test_a_number_that_is_not_that_of_the_points_is_named(caplog):
    platform = bridge()
    for line in ("new white", "move go", "take 2 BB"):
        platform.run(line)
    assert "stones are 2, but the points named are 1" in caplog.text


def test_the_platform_has_no_resignation():
    resigning = SimpleNamespace(name="tired", decide=lambda _: Decision(RESIGN))
    assert Bridge(lambda: resigning, CCGC, "tired").run("new black") == "move pass"


def served_by(given: bytes, *options: str) -> tuple[int, str, bytes]:
    """Exit code, stdout and stderr of the process."""
    locale = os.environ | {"PYTHONIOENCODING": "ascii:strict"}
    done = phantomgo("bridge", "sau", *options, input=given, env=locale, text=False)
    return done.returncode, done.stdout.decode(), done.stderr


def test_the_process_in_any_locale():
    given = b"\xff\xfe\nname?\nnew white\nmove go\nrefuse\naccept\nquit\n"
    code, told, errors = served_by(given, "--bot", "random", "--name", "围棋")
    name, first, second = told.splitlines()
    assert (code, name) == (0, "name 围棋")
    assert first.startswith("move ")
    assert second.startswith("move ")
    assert first != second
    assert b"not in a game: " in errors
    printing = served_by(b"new black\nquit\n", "--bot", "tests.support.bad_bots:Printing")
    assert printing == (0, "move pass\n", b"here\n"), "what a bot prints is no answer"


@pytest.mark.parametrize("name", ["", " ", "two\nlines"])
def test_a_name_is_one_line(name):
    with pytest.raises(BadText, match=re.escape(f"name {name!r} is not printable text")):
        serve(bot="random", name=name)
