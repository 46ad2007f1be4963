"""`phantomgo evaluate book` and `fresh`: against seeds that nobody learned on."""

import argparse
from collections.abc import Sequence
from typing import Any

from phantomgo.app.command import add_options, add_verb, call, print_json
from phantomgo.app.progress import Shown
from phantomgo.app.summaries import book_summary, methods_table
from phantomgo.lab.verbs.measuring import evaluate_against, evaluate_book, evaluate_fresh
from phantomgo.portfolio.book import Book, read_book


def configure_fresh(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, evaluate_fresh, methods_table, _fresh_json, positional=("matrix",))


def _fresh_json(books: Sequence[Book]) -> dict[str, Any]:
    evaluations = {b.training.method: b.evaluation.as_dict() for b in books if b.evaluation}
    return {"matrix": books[0].name, "methods": evaluations}


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate_book, positional=("book",))
    parser.add_argument("--against", metavar="BOOK", help="another book, in place of fresh seeds")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """A book against fresh seeds, or against another book."""
    found = read_book(arguments.book)
    if arguments.against is not None:
        other = read_book(arguments.against)
        met = call(evaluate_against, arguments, book=found, other=other, progress=Shown())
        rate = (met.black + met.white) / 2
        if arguments.json:
            table = {"book": found.name, "against": other.name, "symmetries": met.symmetries}
            print_json({**table, "rate": rate, "black": met.black, "white": met.white})
        else:
            colours = f"{100 * met.black:.1f} % as Black, {100 * met.white:.1f} % as White"
            print(f"{found.name} wins {100 * rate:.1f} % against {other.name}: {colours}")
        return 0
    done = call(evaluate_book, arguments, book=found, progress=Shown())
    if arguments.json:
        assert done.evaluation is not None
        print_json({"book": done.name, "evaluation": done.evaluation.as_dict()})
    else:
        print(book_summary(done))
    return 0
