"""Options of commands whose games need not begin on an empty board."""

import argparse

from phantomgo.beginning import Beginning
from phantomgo.errors import BadText
from phantomgo.lab.seat import beginning_of
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
        return beginning_of(arguments.handicap, None, rules)
    file, moves = arguments.after
    if not (moves.isascii() and moves.isdecimal() and len(moves) < 5):
        raise BadText(f"after: {moves[:20]!r} is not a whole number")
    return beginning_of(arguments.handicap, (file, int(moves)), rules)
