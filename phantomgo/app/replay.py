"""`phantomgo replay FILE`: recorded games with the full board and both views.

FILE is a store of `phantomgo match`, text with one record per line, or a game in SGF.
Each game is checked against the rules. `play --resume` steps through a game on a terminal.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from phantomgo.app.command import of_command
from phantomgo.app.play.draw import ASCII, plain
from phantomgo.app.play.page import boards
from phantomgo.app.table.facts import attempt_line, heard
from phantomgo.app.table.game import GameMoment
from phantomgo.app.table.viewer import three_scenes
from phantomgo.errors import BadRecord, BadText
from phantomgo.game.record import Record
from phantomgo.game.recording import replay, verify
from phantomgo.lab.matches.game_files import records
from phantomgo.records.record_json import read_record
from phantomgo.terminal import clean

MAX_RANGES: Final = 4
"""Ranges of games' numbers that an error lists."""


def show_games(
    file: str | Path,
    *,
    game: int | None = None,
    check: bool = False,
    json: bool = False,
) -> int:
    """Show recorded games step by step, checking each; returns 1 if one is invalid, else 0.

    Args:
        file: a store, records line by line, or a game in SGF.
        game: show only this game, counted from 0.
        check: check each game against the rules, and print only the verdicts.
        json: print the records as JSON, one a line.
    """
    numbers, false = list[int](), 0
    for number, text in records(str(file)):
        numbers.append(number)
        if game not in (None, number):
            continue
        record = _read(f"{file}: game {number}", text)
        if json:
            print(text)
            continue
        try:
            if not check:
                _show(number, record)
            verify(record)
        except BadRecord as error:
            false += 1
            print(f"game {number}: INVALID: {error}")
        else:
            print(f"game {number}: valid: {record.outcome.result}, {record.outcome.sentence}")
    if not numbers:
        raise BadText(f"{file} has no game")
    if game is not None and game not in numbers:
        raise BadText(f"{file} has no game {game}: its games are {_ranges(numbers)}")
    return 1 if false else 0


configure = of_command(show_games)


def _ranges(numbers: Sequence[int]) -> str:
    """Rising numbers in words: `0 to 11, 14, 24 to 29`; of many ranges the first and the last."""
    ranges = list[tuple[int, int]]()
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    words = [f"{low}" if low == high else f"{low} to {high}" for low, high in ranges]
    if len(words) > MAX_RANGES:
        words[MAX_RANGES - 1 : -1] = ["..."]
    return ", ".join(words)


def _read(what: str, text: str) -> Record:
    try:
        return read_record(text)
    except BadText as error:
        raise BadText(f"{what}: {error}") from None


def _show(number: int, record: Record) -> None:
    rules = record.rules
    print(
        clean(f"Game {number}: {record.black.name} (Black) against {record.white.name} (White),")
        + f" {rules.size}x{rules.size}, komi {rules.komi:g}"
    )
    before = (0, 0)
    for attempt, (step, referee) in enumerate(replay(record), 1):
        moment = GameMoment.of(referee, step)
        print(f"\n{attempt}. {attempt_line(step, rules.size)}")
        print(plain(boards(three_scenes(moment), ASCII)))
        for view, known in zip(moment.views, before, strict=True):
            for words in heard(view, known):
                print(f"   to {view.colour}: {words}")
        black, white = (len(view.events) for view in moment.views)
        before = black, white
    print()
