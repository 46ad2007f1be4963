"""Playing line by line."""

from typing import TextIO, cast

from phantomgo.app.play import lines
from phantomgo.game.points import BLACK
from tests.support.play_tools import Scripted, new_game, settle, sit


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
