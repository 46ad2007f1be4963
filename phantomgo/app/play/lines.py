"""Playing line by line, without a terminal: reads a line, prints the reply."""

import contextlib
import sys
from concurrent.futures import wait
from typing import TextIO

from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import ASCII, plain, text
from phantomgo.app.play.page import page, prompt


def play(console: Console, source: TextIO | None = None, *, prompting: bool = False) -> None:
    """Play by lines of `source`, or of stdin, until the person leaves or they end."""
    lines = sys.stdin if source is None else source
    console.begin()
    console.table.players.wait()
    _wait(console)
    _show(console)
    while not console.closed:
        try:
            if prompting:
                print(prompt(console), end="", flush=True)
            line = _read_line(lines)
            if not line:
                break
            commands.run(console, line.removeprefix("\ufeff").removesuffix("\n"))
            _wait(console)
        except KeyboardInterrupt:
            console.interrupt()
        except UnicodeDecodeError:
            console.answer = "That is not text."
        _show(console)


def _read_line(lines: TextIO) -> str:
    """The next line, a long one without its end; empty at the end of the lines."""
    most = commands.MAX_LINE + 2  # one too many, and the end of the line
    line = rest = lines.readline(most)
    while len(rest) == most and not rest.endswith("\n"):
        rest = lines.readline(most)
    return line


def _wait(console: Console) -> None:
    """Finish all work; Ctrl-C stops waiting."""
    try:
        while console.work is not None:
            # In slices: on some systems an endless wait would not notice Ctrl-C.
            if wait([console.work.future], 1).done:
                console.finish()
    except KeyboardInterrupt:
        console.interrupt()


def _show(console: Console) -> None:
    with contextlib.suppress(BrokenPipeError):
        if console.changed:
            print(plain(page(console, ASCII)))
            console.changed = False
        if console.answer:
            print(plain(text(console.answer)))
        print(flush=True)
