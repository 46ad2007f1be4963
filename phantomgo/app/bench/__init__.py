"""`phantomgo bench`: how fast the playouts, the decisions and whole games are on this machine."""

import argparse
import json
import sys

from phantomgo.app.bench import report
from phantomgo.app.bench.measure import Plan, measure
from phantomgo.app.bench.peers import parse_program
from phantomgo.app.command import integer
from phantomgo.checks import whole
from phantomgo.points import MAX_SIZE, MIN_SIZE

SIZES = (5, 7, 9, 13, 19)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes",
        type=integer,
        nargs="+",
        default=SIZES,
        metavar="N",
        help=f"points per side (default {' '.join(map(str, SIZES))})",
    )
    parser.add_argument(
        "--repeats", type=integer, default=7, metavar="N", help="samples of each figure (default 7)"
    )
    parser.add_argument(
        "--peers", action="store_true", help="other programs too, where they are installed"
    )
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="another program too: its command, with {size} and {playouts} in it",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    for size in arguments.sizes:
        whole("size", size, MIN_SIZE, MAX_SIZE)
    whole("repeats", arguments.repeats, 1, 1000)
    programs = dict(parse_program(text) for text in arguments.peer)
    plan = Plan(tuple(arguments.sizes), arguments.repeats, peers=arguments.peers, programs=programs)
    result = measure(plan)
    if arguments.json:
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
    else:
        print("\n".join(report.lines(result)))
    return 0
