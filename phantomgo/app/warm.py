"""`phantomgo warm`: kernels compiled beforehand."""

import argparse
import logging
import sys
import time
from typing import Final

from bots import make
from phantomgo.app.command import integer
from phantomgo.app.roster import add_players_file, put_specs
from phantomgo.app.warming import get_ready
from phantomgo.rules import Rules

SIZES: Final = (7, 9, 19)
"""One of each kind of board that kernels are compiled for: up to 8x8, up to 15x15, larger ones."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes",
        type=integer,
        nargs="+",
        metavar="N",
        default=SIZES,
        help=f"points per side (default {' '.join(map(str, SIZES))}, one of each kind of board)",
    )
    parser.add_argument(
        "bots", nargs="*", metavar="SPEC", default=["phantom"], help="bots (default phantom)"
    )
    add_players_file(parser)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says what is compiled
    for size in arguments.sizes:
        Rules(size=size)  # what is wrong is told before anything is waited for
    put_specs(arguments, "bots")
    for spec in arguments.bots:
        make(spec, 0)
    for spec in arguments.bots:
        for size in arguments.sizes:
            began = time.monotonic()
            get_ready(spec, size)
            print(f"{spec} on {size}x{size}: ready after {time.monotonic() - began:.1f} s")
    return 0
