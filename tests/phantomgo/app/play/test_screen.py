"""The terminal application, driven by keys through prompt_toolkit's pipe input."""

import logging
import threading
from contextlib import contextmanager
from itertools import pairwise

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bots import make
from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import DRAWN
from phantomgo.app.play.page import status
from phantomgo.app.play.screen import Screen
from phantomgo.app.table.players import HUMAN
from phantomgo.app.table.viewer import Phase
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.recording import verify
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream
from tests.support.play_tools import Scripted, Slow, new_game, seated
from tests.support.waiting import until

GAME = Game(Rules())


class Small(DummyOutput):
    def get_size(self):
        return Size(rows=24, columns=80)


@contextmanager
def screen(chair: Console):
    """The application and the pipe to type into."""
    with create_pipe_input() as pipe:
        yield Screen(chair, DRAWN, source=pipe, output=Small()), pipe


def lines(*texts: str) -> str:
    return "".join(text + "\r" for text in texts)


def beside(application: Screen, pipe, *steps) -> None:
    """Run the application while (condition, keys) after (condition, keys) is typed."""
    failed = []

    def type_them():
        try:
            for condition, keys in steps:
                until(condition)
                pipe.send_text(keys)
        except AssertionError as error:
            failed.append(error)
        finally:
            pipe.send_text("\x03\x03\x15\x04\x04")

    thread = threading.Thread(target=type_them)
    thread.start()
    application.run()
    thread.join()
    assert failed == []


class Fed(Screen):
    """Gets its keys one after another, each when it has nothing else to do; then leaves."""

    def __init__(self, chair: Console, pipe, keys: list[str], *, patient: bool = False) -> None:
        """`patient`: not while something is waited for either."""
        super().__init__(chair, DRAWN, source=pipe, output=Small())
        self._pipe, self._keys_left, self._patient = pipe, keys[::-1], patient
        self._app.min_redraw_interval = 0.05  # a person cannot type faster than that, this can
        self.answers: list[str] = []

    def _change_history(self) -> None:
        super()._change_history()
        self.answers.append(self._console.answer)
        if not self._patient or self._console.work is None:
            key = self._keys_left.pop() if self._keys_left else "\x03\x15\x04\x04"
            self._pipe.send_text(key)
            self._wake.set()


WHOLE_GAME = """
    c3 nonsense d3 mark|a1|e5 clear|a1 c2 e5 help board log belief hint foo a9 save|one c1 go
    quit n b1 pass pass help next back first last goto|3 5 review log save|two.sgf board
    abandon rematch quit
"""
"""A word a line; every command."""


def test_a_whole_game_with_every_command(tmp_path):
    chair = seated(new_game(komi=0.5), Scripted("E5 D5 E4 B2 pass"), autosave=tmp_path / "a" / "b")
    keys = [word.replace("|", " ") + "\r" for word in WHOLE_GAME.split()]
    with create_pipe_input() as pipe:
        application = Fed(chair, pipe, keys, patient=True)
        application.run()
    assert chair.phase is Phase.OVER
    assert chair.closed
    record = verify(chair.game.record())
    assert record.view(BLACK).turn == 6
    assert [p.name for p in sorted(tmp_path.iterdir()) if p.is_file()] == [
        "one.json",
        "two.sgf",
    ]
    assert (tmp_path / "a" / "b").is_file()
    assert chair.chances is not None
    assert any(answer.startswith("phantom would attempt ") for answer in application.answers)
    assert not application.answers[-1].startswith("Leave?")
    named = {command.name for command in commands.COMMANDS}
    assert named <= {word.partition("|")[0] for word in WHOLE_GAME.split()}


def test_ctrl_c_leaves_a_bot_to_its_thought():
    slow = Slow()
    chair = seated(new_game(), slow)
    with screen(chair) as (application, pipe):
        beside(
            application,
            pipe,
            (lambda: True, lines("c3")),
            (lambda: chair.work is not None, "\x03"),
            (lambda: chair.work is None, lines("log")),
            (lambda: bool(chair.page), lines("", "")),
            (lambda: chair.work is not None, ""),
            (lambda: slow.let.set() is None and chair.their_turn, lines("d4")),
            (lambda: chair.game.view(BLACK).turn == 2 and chair.work is None, ""),
        )
    assert slow.asked == 2


def test_ctrl_d_asks_first():
    chair = seated(new_game(), Scripted())
    with screen(chair) as (application, pipe):
        beside(
            application,
            pipe,
            (lambda: True, "\x04"),
            (lambda: chair.leaving, lines("n")),
            (lambda: not chair.leaving, "abc\x04\x03"),  # no Ctrl-D in the middle of a word
            (lambda: not application._buffer.text, "\x04"),
            (lambda: chair.leaving, "\x03"),
            (lambda: not chair.leaving and not chair.closed, lines("quit", "y")),
            (lambda: chair.closed, ""),
        )


def test_what_one_person_typed_is_not_for_the_other():
    chair = seated(new_game(HUMAN, HUMAN))
    up = "\x1b[A"
    with screen(chair) as (application, pipe):
        beside(
            application,
            pipe,
            (lambda: True, lines("c3")),
            (lambda: chair.phase is Phase.HANDOVER, "d4\x15" + lines("")),
            (lambda: chair.phase is Phase.CURTAIN, lines("")),
            (lambda: application._facing is WHITE, up + up + "\x19"),
            (lambda: True, ""),
        )
    recalled = application._histories[BLACK].get_strings()
    assert recalled == ["c3"]
    assert application._histories[WHITE].get_strings() == []
    assert application._buffer.text == ""


def test_commands_are_completed():
    chair = seated(new_game(), Scripted())
    completer = Screen(chair, DRAWN, output=Small())._buffer.completer

    def found(text: str) -> list[str]:
        return [c.text for c in completer.get_completions(Document(text), CompleteEvent())]

    assert found("b") == ["belief", "board"]
    assert found("help cl") == ["clear"]
    assert found("re") == ["resign"]
    assert found("save x") == []


def test_what_is_logged_is_told_while_one_waits():
    slow = Slow()
    chair = seated(new_game(), slow)
    told = []

    def logs() -> bool:
        logging.getLogger("bots").warning("compiling the kernels")
        told.append(status(chair))
        return True

    with screen(chair) as (application, pipe):
        beside(
            application,
            pipe,
            (lambda: True, lines("c3")),
            (lambda: chair.work is not None and logs(), ""),
            (lambda: slow.let.set() is None and chair.work is None, ""),
        )
    assert "(compiling the kernels)" in told[0]
    assert chair.note == ""
    assert [h for h in logging.getLogger().handlers if type(h).__name__ == "_Notes"] == []


# Whatever is typed

WORDS = (
    "a1 b2 c3 A4 d4 e5 a1 b1 c1 d1 a2 c2 a3 b3 c9 z1 i3 pass pass resign resign ? help|go log"
    " mark|a1 mark|z9 clear belief hint go abandon abandon next back|2 first last goto|2 3 99"
    " review board save save|x save|y.json quit exit y n yes"
)
KEYS = (
    "\r \r \r \x03 \x04 \t \x1b \x1b[A \x1b[B \x1b[C \x1b[D \x1b[5~ \x1b[6~ \x7f \x15 \x19 \x17"
    " \x01 \x05 \x12 \x1f \x1a \x16 \x00 é 漢 \U0001f600 ; * \x1b[200~d4\rpass\r\x1b[201~ \x1bx"
    " \x0b \x08"
)


def fuzz(seed: int, length: int) -> list[str]:
    """Keys: words of the program, control keys, and noise."""
    stream, keys = Stream(seed), []
    words = [word.replace("|", " ") for word in WORDS.split()]
    for _ in range(length):
        choice = stream.below(8)
        if choice < 5:
            keys.append(words[stream.below(len(words))] + "\r")
        elif choice < 7:
            keys.append(KEYS.split(" ")[stream.below(len(KEYS.split(" ")))])
        else:
            keys.append(chr(32 + stream.below(95)))
    return keys


SEATS = [(HUMAN, "random"), ("random", HUMAN), (HUMAN, HUMAN), ("random", "random")]


def fuzzed(seed: int) -> int:
    """Type noise at a game; it stays a true one, in which bots make their own attempts.

    Returns how many a person made.
    """
    seats = SEATS[seed % len(SEATS)]
    chair = seated(new_game(*seats, size=2 + seed % 4, time=None if seed % 3 else 1000))
    with create_pipe_input() as pipe:
        Fed(chair, pipe, fuzz(seed, 25)).run()
    assert chair.closed
    game = chair.game
    verify(game.record())
    by_people = 0
    for before, after in pairwise(game.moments):
        colour = before.to_move
        if seats[colour - 1] == HUMAN:
            by_people += 1
        else:
            assert (
                after.step.move
                == make("random", Game.of(before.view(colour)), 1).decide(before.view(colour)).move
            )
    return by_people


def test_noise_changes_nothing_illegally():
    assert sum(map(fuzzed, range(12))) > 3  # it is not vain
