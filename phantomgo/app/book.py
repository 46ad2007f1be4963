"""`phantomgo book`: list, show and check books."""

import argparse
import json
import sys
from collections.abc import Sequence

import bots
from bots.seeded import refuse_changed
from phantomgo.app.learn import summary
from phantomgo.portfolio.book import Book, dumps, names, read
from phantomgo.portfolio.exploit import EXPLOITERS


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser(
        "list", help="the books that come along"
    ).add_mutually_exclusive_group()
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.add_argument("--markdown", action="store_true", help="print the evaluations")
    for action, what in (("show", "what a book holds"), ("check", "whether it is still good")):
        one = actions.add_parser(action, help=what)
        one.add_argument("book", metavar="NAME", help="a book's name, or a .json file")
        one.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "list":
        if arguments.markdown:
            print(table([read(name) for name in names()]))
        else:
            _list(arguments.json)
        return 0
    book = read(arguments.book)
    if arguments.action == "show":
        sys.stdout.write(dumps(book) if arguments.json else summary(book) + "\n")
        return 0
    check_bots(book, force=False)
    good = f"{book.name}: good, and its bots play as they did when it was learned"
    print(json.dumps({"book": book.name, "good": True}) if arguments.json else good)
    return 0


def _list(as_json: bool) -> None:
    table = {name: read(name) for name in names()}
    if as_json:
        print(json.dumps({name: _headline(book) for name, book in table.items()}, indent=2))
    for name, book in table.items():
        if not as_json:
            print(f"{name}  {', '.join(f'{key} {x}' for key, x in _headline(book).items())}")


def _headline(book: Book) -> dict[str, object]:
    bots = book.black.bot if book.black.bot == book.white.bot else [book.black.bot, book.white.bot]
    return {
        "size": book.size,
        "komi": book.komi,
        "rules": book.rules,
        "bot": bots,
        "method": book.training.method,
        "seeds": book.training.seeds,
    }


def table(books: Sequence[Book]) -> str:
    """Their evaluations in Markdown, small boards first."""
    lines = [
        "| book | board | seeds per colour | " + " | ".join(f"K'={k}" for k in EXPLOITERS) + " |",
        "|---|---|---|" + "---|" * len(EXPLOITERS),
    ]
    for book in sorted(books, key=lambda book: (book.size, book.name)):
        played = sorted({len(book.black.seeds), len(book.white.seeds)})
        seeds = f"{book.training.seeds}, {' to '.join(map(str, played))} of them played"
        scores = book.evaluation.scores if book.evaluation is not None else ()
        rates = {score.exploiter: f"{100 * score.rate:.1f}" for score in scores}
        cells = [f"`{book.name}`", f"{book.size}x{book.size}", seeds]
        lines.append(f"| {' | '.join([*cells, *(rates.get(k, '') for k in EXPLOITERS)])} |")
    return "\n".join(lines)


def check_bots(book: Book, *, force: bool) -> None:
    """Make sure that the book's bots are still the ones it was learned with.

    Raises:
        BadBook: one of them has changed, and `force` does not override that.
    """
    refuse_changed(book, bots.make, force=force)
