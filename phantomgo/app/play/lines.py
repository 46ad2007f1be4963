"""Playing line by line, where there is no terminal: a line is read, the reply is printed."""

import contextlib
import sys
from concurrent.futures import wait
from typing import TextIO

from phantomgo.app.play import commands
from phantomgo.app.play.draw import ASCII, plain, text
from phantomgo.app.play.page import page, prompt
from phantomgo.app.play.sitting import Sitting


def play(sitting: Sitting, source: TextIO | None = None, *, prompting: bool = False) -> None:
    """Play until the person leaves or the input ends.

    Args:
        sitting: where he sits.
        source: the lines; stdin if None.
        prompting: he types them, and wants a prompt.

    Raises:
        PhantomGoError: a player cannot play at all.
    """
    lines = sys.stdin if source is None else source
    sitting.begin()
    sitting.wait_for_players()
    _wait(sitting)
    _show(sitting)
    while not sitting.closed:
        try:
            if prompting:
                print(prompt(sitting), end="", flush=True)
            line = lines.readline(commands.MAX_LINE + 2)
            if not line:
                break
            commands.run(sitting, line)
            _wait(sitting)
        except KeyboardInterrupt:
            sitting.interrupt()
        except UnicodeDecodeError:
            sitting.answer = "That is no text."
        _show(sitting)


def _wait(sitting: Sitting) -> None:
    """Until nothing is waited for; Ctrl-C stops that."""
    try:
        while sitting.work is not None:
            # In slices: a wait without an end would not hear of Ctrl-C on every system.
            if wait([sitting.work.future], 1).done:
                sitting.finish()
    except KeyboardInterrupt:
        sitting.interrupt()


def _show(sitting: Sitting) -> None:
    with contextlib.suppress(BrokenPipeError):
        if sitting.changed:
            print(plain(page(sitting, ASCII)))
            sitting.changed = False
        if sitting.answer:
            print(plain(text(sitting.answer)))
        print(flush=True)
