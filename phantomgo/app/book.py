"""`phantomgo book`: list, show and check books."""

import argparse
import json
import sys

from phantomgo.app.learn import summary
from phantomgo.portfolio.book import Book, dumps, names, read


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "show", "check"))
    parser.add_argument("book", nargs="?", metavar="NAME", help="a book's name, or a .json file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "list":
        if arguments.book is not None:
            arguments.usage_error("list takes no NAME")
        _list(arguments.json)
        return 0
    if arguments.book is None:
        arguments.usage_error(f"{arguments.action} needs a NAME")
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


def check_bots(book: Book, *, force: bool) -> None:
    """Make sure that the book's bots are still the ones it was learned with.

    Raises:
        BadBook: one of them has changed, and `force` does not override that.
    """
    import bots  # noqa: PLC0415  (compiled code, half a second; list and show need none)
    from bots.seeded import refuse_changed  # noqa: PLC0415

    refuse_changed(book, bots.make, force=force)
