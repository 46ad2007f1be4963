"""`phantomgo replay FILE`: step through recorded games with the true board and both views.

FILE is a store of `phantomgo match`, or text with one record a line. Each game is checked against
the rules as it goes by. On a terminal the boards are drawn in colours, as large as they fit.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from phantomgo.app.command import add_options, call
from phantomgo.app.play.draw import ASCII, DRAWN, Picture, plain
from phantomgo.app.play.page import boards
from phantomgo.app.table.facts import attempt_line
from phantomgo.app.table.game import Moment
from phantomgo.app.table.viewer import three_scenes
from phantomgo.errors import BadRecord, BadText
from phantomgo.lab.records import records
from phantomgo.points import Colour
from phantomgo.record import Record, replay, verify
from phantomgo.record_json import read_record
from phantomgo.wording import sentence

WORDS: Final = 10
"""Lines of a terminal that words need, beside the boards."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, show_games, positional=("file",))


def run(arguments: argparse.Namespace) -> int:
    return call(show_games, arguments)


def show_games(
    file: str | Path, *, game: int | None = None, check: bool = False, json: bool = False
) -> int:
    """Show recorded games step by step, checking each; returns 1 if one is false, else 0.

    Args:
        file: a store, or records, one a line.
        game: only this one, counted from 0.
        check: only say whether each game is true.
        json: only print the records, one a line.

    Raises:
        BadText: there is no such game, or a record is malformed.
        OSError: the file cannot be read.
    """
    found, false = 0, 0
    for number, text in records(str(file)):
        if game not in (None, number):
            continue
        found += 1
        record = read_record(text)
        if json:
            print(text)
            continue
        try:
            if not check:
                _show(number, record)
            verify(record)
        except BadRecord as error:
            false += 1
            print(f"game {number}: FALSE: {error}")
        else:
            print(f"game {number}: true: {record.outcome.result}, {record.outcome.sentence}")
    if not found:
        raise BadText(f"{file} has no game" + ("" if game is None else f" {game}"))
    return 1 if false else 0


def _show(number: int, record: Record) -> None:
    rules = record.rules
    print(
        f"Game {number}: {record.black.name} (Black) against {record.white.name} (White),"
        f" {rules.size}x{rules.size}, komi {rules.komi:g}"
    )
    said = dict.fromkeys(Colour, 0)
    stepping = sys.stdin.isatty() and sys.stdout.isatty()
    for count, (step, referee) in enumerate(replay(record), 1):
        print()
        print(f"{count}. {attempt_line(step, rules.size)}")
        views = referee.view(Colour.BLACK), referee.view(Colour.WHITE)
        scenes = three_scenes(Moment(referee.board, views, referee.to_move, step))
        if stepping and not os.environ.get("NO_COLOR") and "utf" in sys.stdout.encoding.lower():
            columns, rows = shutil.get_terminal_size()
            _print_drawn(boards(scenes, DRAWN, columns, rows - WORDS))
        else:
            print(plain(boards(scenes, ASCII)))
        for view in views:
            for message in view.events[said[view.colour] :]:
                print(f"   to {view.colour}: {sentence(message, view.colour, rules.size)}")
            said[view.colour] = len(view.events)
        if stepping and input("Enter: next, q: the end> ").strip().startswith("q"):
            break
    print()


def _print_drawn(picture: Picture) -> None:
    """Print a picture in the colours of `phantomgo play`."""
    from prompt_toolkit import print_formatted_text  # noqa: PLC0415  (a fifth of a second)
    from prompt_toolkit.formatted_text import FormattedText  # noqa: PLC0415

    from phantomgo.app.play.screen import STYLE  # noqa: PLC0415

    for line in picture:
        print_formatted_text(FormattedText(line), style=STYLE)
