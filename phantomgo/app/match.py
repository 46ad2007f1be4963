"""`phantomgo match`: games between two or more players, and their ratings."""

import argparse
import sys

from phantomgo.app.command import SPECS, add_options, perform, print_json
from phantomgo.errors import BadText
from phantomgo.lab.api.games import play_match
from phantomgo.match.report import Report
from phantomgo.terminal import say


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{SPECS} Or any engine: 'gtp:COMMAND LINE'."
    parser.add_argument("--black", metavar="SPEC", help="the first of two players")
    parser.add_argument("--white", metavar="SPEC", help="the second of two players")
    add_options(parser, play_match)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    pair = (arguments.black, arguments.white)
    if not arguments.players and None in pair:
        raise BadText("who plays? --black SPEC --white SPEC, or --players SPEC SPEC ...")
    if arguments.players and pair != (None, None):
        raise BadText("--players cannot be combined with --black or --white")
    arguments.players = arguments.players or pair
    ended = perform(play_match, arguments)
    if ended.result is None:
        return ended.code
    report: Report = ended.result
    if arguments.json:
        print_json(report.as_dict())
    else:
        say(str(report))
        for number, name in enumerate(report.names):
            say(f"{name}: {report.pace(number)}", sys.stderr)
    return ended.code
