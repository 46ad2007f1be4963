"""`phantomgo evaluate book` and `fresh`: against seeds that nobody learned on."""

import argparse
import json

from phantomgo.app.command import add_options, call
from phantomgo.app.progress import Shown
from phantomgo.app.summaries import book_summary, methods_table
from phantomgo.lab.verbs.measuring import evaluate_against, evaluate_book, evaluate_fresh
from phantomgo.portfolio.book import read_book
from phantomgo.portfolio.packed import read_matrix


def configure_book(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate_book, positional=("book",))
    parser.add_argument("--against", metavar="BOOK", help="another book, in place of fresh seeds")
    parser.add_argument("--json", action="store_true", help="print JSON")


def configure_fresh(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate_fresh, positional=("matrix",))
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_book(arguments: argparse.Namespace) -> int:
    """A book against fresh seeds, or against another book."""
    found = read_book(arguments.book)
    if arguments.against is not None:
        other = read_book(arguments.against)
        met = call(evaluate_against, arguments, book=found, other=other, progress=Shown())
        rate = (met.black + met.white) / 2
        if arguments.json:
            table = {"book": found.name, "against": other.name, "symmetries": met.symmetries}
            rates = {"rate": rate, "black": met.black, "white": met.white}
            print(json.dumps({**table, **rates}, indent=2))
        else:
            colours = f"{100 * met.black:.1f} % as Black, {100 * met.white:.1f} % as White"
            print(f"{found.name} wins {100 * rate:.1f} % against {other.name}: {colours}")
        return 0
    done = call(evaluate_book, arguments, book=found, progress=Shown())
    if arguments.json:
        assert done.evaluation is not None
        print(json.dumps({"book": done.name, "evaluation": done.evaluation.as_dict()}, indent=2))
    else:
        print(book_summary(done))
    return 0


def run_fresh(arguments: argparse.Namespace) -> int:
    """The portfolios that methods learn from a whole matrix, against fresh seeds."""
    packed = read_matrix(arguments.matrix)
    books = call(evaluate_fresh, arguments, matrix=packed, progress=Shown())
    if arguments.json:
        table = {
            book.training.method: book.evaluation.as_dict() for book in books if book.evaluation
        }
        print(json.dumps({"matrix": packed.name, "methods": table}, indent=2))
    else:
        print(methods_table(books))
    return 0
