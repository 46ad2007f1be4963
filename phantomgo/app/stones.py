"""Handicap stones on the command line."""

import argparse
from collections.abc import Sequence

from phantomgo.errors import BadText
from phantomgo.points import PointSet, grid, parse_points


def add_handicap(parser: argparse.ArgumentParser) -> None:
    """The option of commands that play from a position with Black's stones."""
    parser.add_argument(
        "--handicap", nargs="+", default=(), metavar="VERTEX",
        help="stones of Black's on the board from the start, where both see them",
    )  # fmt: skip


def handicap(stones: Sequence[str], size: int) -> PointSet:
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
