"""Options that several commands share, and what their values come to."""

import argparse

from gtp.player import PATIENT, Patience
from phantomgo.errors import BadText
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
