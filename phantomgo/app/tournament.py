"""`phantomgo tournament FILE`: games between many players, and a list of ratings."""

import argparse

from phantomgo.app.command import add_options, perform, print_json
from phantomgo.lab.api.tournaments import play_tournament
from phantomgo.match.report import Report


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The file and the list are explained in docs/tournament.md."
    add_options(parser, play_tournament, positional=("file",))
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    ended = perform(play_tournament, arguments)
    if ended.result is None:
        return ended.code
    report: Report = ended.result
    if arguments.json:
        print_json(report.as_dict())
    else:
        print(report)
    return ended.code
