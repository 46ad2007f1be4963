"""Options of commands whose games need not begin on an empty board."""

import argparse
from collections.abc import Sequence
from itertools import islice

from phantomgo.beginning import Beginning
from phantomgo.errors import BadText
from phantomgo.lab.records import records
from phantomgo.points import PointSet, grid, parse_points
from phantomgo.record import begin
from phantomgo.record_json import read_record
from phantomgo.rules import Rules


def add_beginning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--handicap", nargs="+", default=(), metavar="VERTEX",
        help="stones of Black's on the board from the start, where both see them",
    )  # fmt: skip
    parser.add_argument(
        "--after", nargs=2, metavar=("RECORD", "MOVES"),
        help="games begin as this recorded one did, with so many moves and what was refused",
    )  # fmt: skip


def beginning(arguments: argparse.Namespace, rules: Rules) -> Beginning:
    """How the games are to begin.

    Raises:
        BadText: no game by these rules begins so, or the record is none.
        OSError: the record cannot be read.
    """
    if arguments.after is None:
        return Beginning(_handicap(arguments.handicap, rules.size))
    if arguments.handicap:
        raise BadText("--handicap goes without --after, whose game says what it began with")
    file, moves = arguments.after
    if not (moves.isascii() and moves.isdecimal() and len(moves) < 5):
        raise BadText(f"--after: {moves[:20]!r} is not a number of moves")
    try:
        found = _recorded(file, int(moves), rules.size)
        begin(rules, found)
    except BadText as error:
        raise BadText(f"--after {file}: {error}") from None
    return found


def _recorded(file: str, moves: int, size: int) -> Beginning:
    games = list(islice(records(file), 2))
    if len(games) != 1:
        some = "more than one" if games else "none"
        raise BadText(f"one game is needed, not {some}; replay --game N --json prints one")
    record = read_record(games[0][1])
    if record.rules.size != size:
        raise BadText(f"the game is on {record.rules.size}x{record.rules.size}, not {size}x{size}")
    return record.beginning(moves)


def _handicap(stones: Sequence[str], size: int) -> PointSet:
    """The stones that were asked for.

    Raises:
        BadText: one is not a point, or they leave the board full.
    """
    try:
        points = parse_points(stones, size)
    except BadText as error:
        raise BadText(f"--handicap: {error}") from None
    if points == grid(size).full:
        raise BadText("--handicap leaves the board full")
    return points
