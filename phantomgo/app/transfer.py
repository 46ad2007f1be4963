"""`phantomgo transfer`: a book against a player it was not learned against."""

import argparse
import json

from bots import make, make_installed
from bots.seeded import refuse
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import natural
from phantomgo.app.roster import add_players_file, roster
from phantomgo.lab.books import changes
from phantomgo.lab.seeds import SeedStore
from phantomgo.lab.store import MEMORY
from phantomgo.lab.transfer import Rate, transfer_setup, transferred
from phantomgo.lab.workers import cores
from phantomgo.points import BLACK, WHITE
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.setup import Setup

COLOURS = {"black": BLACK, "white": WHITE}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--book", required=True, metavar="BOOK", help="a book's name, or a file")
    parser.add_argument("--opponent", required=True, metavar="SPEC", help="whom it plays")
    add_players_file(parser)
    parser.add_argument(
        "--colour", choices=list(COLOURS), default="black", help="the book's (default: black)"
    )
    parser.add_argument(
        "--games", type=natural, default=1000, metavar="N", help="of either (default: 1000)"
    )
    parser.add_argument("--store", metavar="FILE", help="where the games are kept")
    parser.add_argument("--force", action="store_true", help="even if its bots have changed")
    parser.add_argument("--code", action="store_true", help="run code or a program the book names")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    add_dask(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    book, colour = read_book(arguments.book), COLOURS[arguments.colour]
    refuse(changes(book, make if arguments.code else make_installed), force=arguments.force)
    labels: dict[str, str] = {}
    if isinstance(book.setup, Setup):  # other games have other players
        labels = roster(arguments).settle(arguments, "opponent")
    setup = transfer_setup(book, colour, arguments.opponent)
    first = book.training.fresh
    with (
        SeedStore(arguments.store or MEMORY, setup) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        seeds = range(first, first + arguments.games)
        found = transferred(store, book, colour, seeds, workers, shown)
    if arguments.json:
        table = {"book": book.name, "opponent": arguments.opponent, "colour": arguments.colour}
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
