"""`phantomgo match`: games between players, two or more, and what they show."""

import argparse
import json
import logging
import sys

from phantomgo.app.command import add_options, call, settle
from phantomgo.app.progress import Shown
from phantomgo.errors import BadText, Interrupted
from phantomgo.lab.verbs import play_match


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "SPEC is a bot, as flatmc:playouts=1000, any engine: 'gtp:COMMAND LINE', or a name in the"
        " file of players."
    )
    parser.add_argument("--black", metavar="SPEC", help="the first of two players")
    parser.add_argument("--white", metavar="SPEC", help="the second of two players")
    add_options(parser, play_match)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    pair = (arguments.black, arguments.white)
    if not arguments.players and None in pair:
        raise BadText("who plays? --black SPEC --white SPEC, or --players SPEC SPEC ...")
    if arguments.players and pair != (None, None):
        raise BadText("--players goes without --black and --white")
    arguments.players = arguments.players or pair
    logging.basicConfig(stream=sys.stderr, format="phantomgo: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    labels, shown, code = settle(play_match, arguments), Shown(), 0
    called = [labels.get(spec) for spec in arguments.players]
    try:
        found = call(play_match, arguments, labels=called, progress=shown)
    except Interrupted as error:
        shown.note("interrupted" + ("; the same command goes on" if error.saved else ""))
        found, code = error.found, 130
    if arguments.json:
        print(json.dumps(found.as_dict(), indent=2))
    else:
        print(found.text())
        for number, name in enumerate(found.names):
            print(f"{name}: {found.seconds(number):.4f} s an attempt", file=sys.stderr)
    return code
