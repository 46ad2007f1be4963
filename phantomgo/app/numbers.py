"""Numbers on the command line, read strictly; argparse prints what is wrong with them."""

import argparse
import math
import sys
from typing import Final

from phantomgo.lab.seat import komi_hint
from phantomgo.rules import EVEN_KOMI, MAX_KOMI, Rules
from phantomgo.symmetry import SYMMETRIES


def whole(text: str) -> int:
    """A whole number from 0 on."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from 0 on")
    return int(text)


def natural(text: str) -> int:
    """A whole number from 1 on."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 18) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from 1 on")
    return int(text)


def symmetries(text: str) -> int:
    """How many of the symmetries of the board."""
    number = natural(text)
    if number > len(SYMMETRIES):
        raise argparse.ArgumentTypeError(f"{text} is more than the {len(SYMMETRIES)} there are")
    return number


def add_symmetries(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """The option of commands that measure books."""
    parser.add_argument(
        "--symmetries",
        type=symmetries,
        metavar="N",
        help="of the eight, those that each pair plays under (default: 8, fewer for many seeds)",
    )


def naturals(text: str) -> tuple[int, ...]:
    """Whole numbers from 1 on with commas between them."""
    return tuple(natural(part) for part in text.split(","))


def komi(text: str) -> float:
    """A finite number no board could outweigh."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) <= MAX_KOMI:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of points")
    return number


EVEN: Final = ", ".join(f"{points:g} on {size}x{size}" for size, points in EVEN_KOMI.items())
"""The komi of even games, in words."""


def hint_at_komi(rules: Rules, given: float | None) -> None:
    """Say on stderr what `komi_hint` does."""
    hint = komi_hint(rules, given)
    if hint:
        print(f"phantomgo: {hint}", file=sys.stderr)
