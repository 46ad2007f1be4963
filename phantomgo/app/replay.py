"""`phantomgo replay FILE`: step through recorded games with the true board and both views.

FILE is a store of `phantomgo match`, text with one record per line, or CCGC records. Each game is
checked against the rules. On a terminal the boards are drawn in colours, as large as they fit, and
one can go back or jump to any attempt.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from phantomgo.app.command import of_command
from phantomgo.app.play.draw import ASCII, DRAWN, Picture, plain
from phantomgo.app.play.page import boards
from phantomgo.app.table.facts import attempt_line, heard
from phantomgo.app.table.game import GameMoment
from phantomgo.app.table.viewer import three_scenes
from phantomgo.errors import BadRecord, BadText
from phantomgo.lab.records import records
from phantomgo.record import Record, replay, verify
from phantomgo.record_ccgc import write_ccgc
from phantomgo.record_json import read_record

WORDS: Final = 10
"""Lines of a terminal kept free for text above and below the boards."""


def show_games(
    file: str | Path,
    *,
    game: int | None = None,
    check: bool = False,
    json: bool = False,
    ccgc: bool = False,
) -> int:
    """Show recorded games step by step, checking each; returns 1 if one is false, else 0.

    Args:
        file: a store, records line by line, or records of the China Computer Games Championship.
        game: show only this game, counted from 0.
        check: check each game against the rules, and print only the verdicts.
        json: print the records as JSON, one a line.
        ccgc: print the games in that championship's format, one a line.

    Raises:
        BadText: there is no such game, a record is malformed, or CCGC records cannot hold it.
        OSError: the file cannot be read.
    """
    found, false = 0, 0
    for number, text in records(str(file)):
        if game not in (None, number):
            continue
        found += 1
        record = _read(number, text)
        if json or ccgc:
            print(text if json else write_ccgc(record))
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


configure = of_command(show_games)


def _read(number: int, text: str) -> Record:
    try:
        return read_record(text)
    except BadText as error:
        raise BadText(f"game {number}: {error}") from None


def _show(number: int, record: Record) -> None:
    rules = record.rules
    print(
        f"Game {number}: {record.black.name} (Black) against {record.white.name} (White),"
        f" {rules.size}x{rules.size}, komi {rules.komi:g}"
    )
    stepping = sys.stdin.isatty() and sys.stdout.isatty()
    coming = (GameMoment.of(referee, step) for step, referee in replay(record))
    seen, place = list[GameMoment](), 0
    while place < len(record.steps):
        while len(seen) <= place:
            seen.append(next(coming))
        print(f"\n{place + 1}. {attempt_line(record.steps[place], rules.size)}")
        _print_boards(seen[place], stepping)
        earlier = (len(view.events) for view in seen[place - 1].views) if place else (0, 0)
        news = (
            f"   to {view.colour}: {words}"
            for view, known in zip(seen[place].views, earlier, strict=True)
            for words in heard(view, known)
        )
        print("\n".join(news))
        place = _asked(place, len(record.steps)) if stepping else place + 1
    print()


def _asked(place: int, steps: int) -> int:
    """The step that the user chooses on the terminal; `steps` to quit."""
    while True:
        try:
            word = input("Enter: next, b: back, a number: go there, q: quit> ").strip().lower()
        except EOFError:  # Ctrl-D
            word = "q"
        match word[:1]:
            case "" | "n":
                return place + 1
            case "b":
                return max(place - 1, 0)
            case "q":
                return steps
        if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= steps:
            return int(word[:9]) - 1
        print(f"There are attempts 1 to {steps}.")


def _print_boards(moment: GameMoment, stepping: bool) -> None:
    """Print the true board and both views, in colours on a terminal."""
    scenes = three_scenes(moment)
    if stepping and not os.environ.get("NO_COLOR") and "utf" in sys.stdout.encoding.lower():
        columns, rows = shutil.get_terminal_size()
        _print_drawn(boards(scenes, DRAWN, columns, rows - WORDS))
    else:
        print(plain(boards(scenes, ASCII)))


def _print_drawn(picture: Picture) -> None:
    """Print a picture in the colours of `phantomgo play`."""
    from prompt_toolkit import print_formatted_text  # noqa: PLC0415  (a fifth of a second)
    from prompt_toolkit.formatted_text import FormattedText  # noqa: PLC0415

    from phantomgo.app.play.screen import STYLE  # noqa: PLC0415

    for line in picture:
        print_formatted_text(FormattedText(line), style=STYLE)
