"""`phantomgo tournament FILE`: games between many players, and a list of ratings."""

import argparse

from phantomgo.app.command import add_options, perform, print_json
from phantomgo.lab.tournament.plan import Checked
from phantomgo.lab.verbs.tournaments import check_tournament, play_tournament
from phantomgo.match.report import Report


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "The file and the list are explained in docs/tournament.md."
    add_options(parser, play_tournament, positional=("file",))
    parser.add_argument(
        "--check",
        action="store_true",
        help="play no games: check the file, its folder and each engine",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    ended = perform(check_tournament if arguments.check else play_tournament, arguments)
    if isinstance(ended.result, Checked):
        return _check(ended.result)
    if ended.result is None:
        return ended.code
    report: Report = ended.result
    if arguments.json:
        print_json(report.as_dict())
    else:
        print(report)
    return ended.code


def _check(results: Checked) -> int:
    """Print the results of the checks; return 1 if an engine fails one."""
    print(results.what)
    for name, checks in results.engines.items():
        print(f"\n{name}")
        for what, wrong in checks.items():
            print(f"  {what}: {wrong or 'yes'}")
    return int(any(wrong for checks in results.engines.values() for wrong in checks.values()))
