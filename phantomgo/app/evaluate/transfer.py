"""`phantomgo evaluate transfer`: a book against a player it was not learned against."""

import argparse
import json

from phantomgo.app.command import add_options, call, settle
from phantomgo.app.progress import Shown
from phantomgo.lab.measure.transfer import Rate
from phantomgo.lab.verbs.measuring import transfer
from phantomgo.points import parse_colour
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.setup import Setup


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, transfer, positional=("book",))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    book, colour = read_book(arguments.book), parse_colour(arguments.colour)
    labels: dict[str, str] = {}
    if isinstance(book.setup, Setup):  # other games have other players
        labels = settle(transfer, arguments)
    found = call(transfer, arguments, progress=Shown())
    if arguments.json:
        table = {"book": book.name, "opponent": arguments.opponent, "colour": str(colour).lower()}
        rates = {who: rate._asdict() for who, rate in found._asdict().items()}
        print(json.dumps({**table, "games": arguments.games, **rates}, indent=2))
    else:
        print(
            f"{book.name} as {colour} wins {_shown(found.book)} against"
            f" {labels.get(arguments.opponent, arguments.opponent)},"
            f" its player with random seeds {_shown(found.original)}"
        )
    return 0


def _shown(rate: Rate) -> str:
    return f"{100 * rate.rate:.1f} ± {100 * rate.error:.1f} %"
