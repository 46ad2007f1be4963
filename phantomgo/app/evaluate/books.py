"""`phantomgo evaluate book`, `fresh`, `moves` and `transfer`: books against new opponents."""

import argparse
from collections.abc import Sequence
from typing import Any

from phantomgo.app.command import add_options, options, perform, print_json, settle
from phantomgo.app.summaries import book_summary
from phantomgo.errors import BadText
from phantomgo.lab.measure.fresh import Meeting
from phantomgo.lab.measure.transfer import Rate, Transfer
from phantomgo.lab.verbs.measuring import (
    Trial,
    evaluate_against,
    evaluate_book,
    transfer,
)
from phantomgo.points import parse_colour
from phantomgo.portfolio.book import Book, read_book
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.setup import Setup
from phantomgo.wording import counted


def fresh_json(books: Sequence[Book]) -> dict[str, Any]:
    """The evaluation of each method's book."""
    evaluations = {b.training.method: b.evaluation.as_dict() for b in books if b.evaluation}
    return {"matrix": books[0].name, "methods": evaluations}


def configure_book(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate_book, positional=("book",))
    parser.add_argument("--against", metavar="BOOK", help="play this book instead of fresh seeds")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_book)


def _run_book(arguments: argparse.Namespace) -> int:
    """Measure a book against fresh seeds, or against another book."""
    if arguments.against is not None:
        _check_against(arguments)
        found, other = read_book(arguments.book), read_book(arguments.against)
        ended = perform(evaluate_against, arguments, book=found, other=other)
        if ended.code:
            return ended.code
        met: Meeting = ended.found
        rate = (met.black + met.white) / 2
        if arguments.json:
            table = {"book": found.name, "against": other.name, "symmetries": met.symmetries}
            print_json({**table, "rate": rate, "black": met.black, "white": met.white})
        else:
            colours = f"{100 * met.black:.1f} % as Black, {100 * met.white:.1f} % as White"
            print(f"{found.name} wins {100 * rate:.1f} % against {other.name}: {colours}")
        return 0
    ended = perform(evaluate_book, arguments)
    if ended.code:
        return ended.code
    done: Book = ended.found
    if arguments.json:
        assert done.evaluation is not None
        print_json({"book": done.name, "evaluation": done.evaluation.as_dict()})
    else:
        print(book_summary(done))
    return 0


def _check_against(arguments: argparse.Namespace) -> None:
    """Check that no option is given that is only for fresh seeds."""
    known = {option.name for option in options(evaluate_against)}
    for option in options(evaluate_book):
        given = getattr(arguments, option.name)
        if option.name not in known and given is not None and given != option.default:
            flag = option.name.replace("_", "-")
            raise BadText(f"--{flag} cannot be combined with --against")


def moves_json(trial: Trial) -> dict[str, Any]:
    """Rates are fractions of 1."""
    book, bot, found = trial
    tries = [k for k in EXPLOITERS if k < len(found.rates.black)]
    return {
        "book": book.name,
        "bot": bot,
        "games": found.games,
        "exploiters": {str(k): found.exploited(k)._asdict() for k in tries},
        "depth": {str(colour): depth._asdict() for colour, depth in found.depth.items()},
    }


def moves_text(trial: Trial) -> str:
    """A line for each K', and one for each colour."""
    book, bot, found = trial
    tests = len(found.rates.black)
    title = f"{book.name} with {bot} against {bot}: {tests} fresh seeds of either colour"
    lines = [f"{title}, {counted(found.games, 'game')} each; winning rate in % ± standard error"]
    for k in (k for k in EXPLOITERS if k < tests):
        rate = found.exploited(k)
        lines.append(
            f"  K'={k:<3d}{100 * rate.rate:5.1f} ± {100 * rate.error:4.1f}"
            f"  (Black {100 * rate.black:.1f}, White {100 * rate.white:.1f})"
        )
    for colour, depth in found.depth.items():
        lines.append(
            f"  {colour}: {depth.attempts:.2f} attempts of a game from the book,"
            f" {depth.first:.2f} before the first other one"
        )
    return "\n".join(lines)


def configure_transfer(parser: argparse.ArgumentParser) -> None:
    add_options(parser, transfer, positional=("book",))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_run_transfer)


def _run_transfer(arguments: argparse.Namespace) -> int:
    book, colour = read_book(arguments.book), parse_colour(arguments.colour)
    labels: dict[str, str] = {}
    if isinstance(book.setup, Setup):  # other games have other players
        labels = settle(transfer, arguments)
    ended = perform(transfer, arguments)
    if ended.code:
        return ended.code
    found: Transfer = ended.found
    if arguments.json:
        table = {"book": book.name, "opponent": arguments.opponent, "colour": str(colour).lower()}
        rates = {who: rate._asdict() for who, rate in found._asdict().items()}
        print_json({**table, "games": arguments.games, **rates})
    else:
        print(
            f"{book.name} as {colour} wins {_shown(found.book)} against"
            f" {labels.get(arguments.opponent, arguments.opponent)},"
            f" its player with random seeds {_shown(found.original)}"
        )
    return 0


def _shown(rate: Rate) -> str:
    return f"{100 * rate.rate:.1f} ± {100 * rate.error:.1f} %"
