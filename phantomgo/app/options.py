"""Options that several commands share, and what their values come to."""

import argparse
from collections.abc import Sequence

from gtp.player import PATIENT, Patience
from phantomgo.errors import BadText
from phantomgo.points import PointSet, grid, parse_points
from phantomgo.rules import PROFILES


def add_rules(parser: argparse.ArgumentParser, default: str | None = "olympiad") -> None:
    """The option that names the rules; `default` None tells whether they were given."""
    parser.add_argument(
        "--rules",
        metavar="PROFILE",
        default=default,
        help=f"who is told what: {', '.join(PROFILES)} (default olympiad)",
    )


def add_patience(parser: argparse.ArgumentParser) -> None:
    """The option of commands that engines take part in."""
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        default=PATIENT.move,
        help=f"for a move of an engine without a clock (default {PATIENT.move:g})",
    )


def patience(seconds: float) -> Patience:
    """How long engines may take, where so much was given them for a move.

    Raises:
        BadText: it is nothing.
    """
    if not seconds > 0:
        raise BadText(f"--patience {seconds:g} is not above 0")
    return PATIENT._replace(move=seconds)


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
