"""Playing line by line."""

import io
from typing import TextIO, cast

import pytest

from phantomgo.app.play import lines
from phantomgo.app.play.commands import MAX_LINE
from phantomgo.game.points import BLACK
from tests.support.play_tools import Scripted, new_game, seated, settle, sit


def test_ctrl_c_line_by_line(capsys):
    class Keyboard:
        def __init__(self):
            self.lines = [
                "c3\n",
                KeyboardInterrupt(),
                "d4\n",
                "quit\n",
                "n\n",
                "quit\n",
                "y\n",
                "e5\n",
            ]

        def readline(self, _most):
            line = self.lines.pop(0)
            if isinstance(line, BaseException):
                raise line
            return line

    keyboard = Keyboard()
    chair = sit(new_game(), Scripted("A1"))
    settle(chair)
    chair.begin = lambda: None
    lines.play(chair, cast(TextIO, keyboard), prompting=True)
    assert keyboard.lines == ["e5\n"]
    out = capsys.readouterr().out
    assert "Ctrl-D or `quit` leaves." in out
    assert "Leave? [y/N]" in out
    assert len(chair.game.view(BLACK).events) == 4


@pytest.mark.parametrize("length", [MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3, 3 * MAX_LINE])
def test_the_end_of_a_long_line_is_no_line(length, capsys):
    chair = seated(new_game())
    lines.play(chair, io.StringIO(f"{'x' * length}c3\n"))
    assert capsys.readouterr().out.count("Only lines of up to 400 characters are read.") == 1
    assert not chair.game.steps


def test_a_line_may_be_as_long_as_allowed(capsys):
    chair = seated(new_game())
    lines.play(chair, io.StringIO(f"{'c3':{MAX_LINE}}\n"))
    assert "Black's move C3 is accepted." in capsys.readouterr().out
