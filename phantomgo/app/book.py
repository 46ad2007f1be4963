"""`phantomgo book`: list, show, check and exploit books, and grow books of moves."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bots import make, make_installed
from bots.seeded import refuse, refuse_changed
from phantomgo.app import plots
from phantomgo.app.command import add_options, call, integer, settle
from phantomgo.app.exploited import print_exploited
from phantomgo.app.progress import Shown
from phantomgo.app.published import ENOUGH, published
from phantomgo.app.summaries import book_summary, book_table
from phantomgo.app.tree import moves_summary
from phantomgo.checks import whole
from phantomgo.lab.books import changes, check_matrix, matrix_of
from phantomgo.lab.measure.openings import first_points, openings
from phantomgo.lab.verbs.exploiting import exploit
from phantomgo.lab.verbs.learning import learn_moves
from phantomgo.points import Colour, Point, vertex
from phantomgo.portfolio import movebook as moves
from phantomgo.portfolio.book import Book, book_names, dumps, read_book
from phantomgo.portfolio.exploit import BEST_SPARSE
from phantomgo.portfolio.movebook import MoveBook, move_book_names, read_any, read_moves
from phantomgo.wording import counted

MOVES: Final = 4
"""Of an opening that is shown."""
MAX_MOVES: Final = 100


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="the shipped books").add_mutually_exclusive_group()
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.add_argument("--markdown", action="store_true", help="print the evaluations")
    listing.add_argument("--plot", metavar="FILE", help="draw the evaluations (needs matplotlib)")
    grow = actions.add_parser("grow", help="grow a book of moves")
    add_options(grow, learn_moves, required=("store", "out"))
    against = actions.add_parser("exploit", help="what an opponent wins who owns a book")
    add_options(against, exploit, positional=("book",))
    against.add_argument("--json", action="store_true", help="print JSON")
    for action, what in (("show", "what a book holds"), ("check", "whether it is still good")):
        one = actions.add_parser(action, help=what)
        one.add_argument("book", metavar="NAME", help="a book's name, or a .json file")
        one.add_argument("--json", action="store_true", help="print JSON")
        if action == "check":
            one.add_argument(
                "--code",
                action="store_true",
                help="run the code of a bot MODULE:CLASS that the book names",
            )
        if action == "show":
            one.add_argument(
                "--openings",
                type=integer,
                nargs="?",
                const=MOVES,
                metavar="N",
                help=f"its first N moves against a silent opponent (default: {MOVES})",
            )


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "list":
        _list(arguments)
        return 0
    if arguments.action == "grow":
        settle(learn_moves, arguments)
        print(moves_summary(call(learn_moves, arguments, progress=Shown())))
        return 0
    if arguments.action == "exploit":
        settle(exploit, arguments)
        print_exploited(call(exploit, arguments, progress=Shown()), arguments.json, arguments.out)
        return 0
    book = read_any(arguments.book)
    if isinstance(book, MoveBook):
        _look_at_moves(book, arguments)
        return 0
    if arguments.action == "show" and arguments.openings is not None:
        whole("openings", arguments.openings, 1, MAX_MOVES)
        _show_openings(book, arguments.openings, arguments.json)
        return 0
    if arguments.action == "show":
        sys.stdout.write(dumps(book) if arguments.json else book_summary(book) + "\n")
        return 0
    refuse(changes(book, make if arguments.code else make_installed), force=False)
    packed = matrix_of(book)
    if packed is not None:
        check_matrix(book, packed)
    if arguments.json:
        matrix = None if packed is None else packed.name
        print(json.dumps({"book": book.name, "good": True, "matrix": matrix}))
        return 0
    print(f"{book.name}: good, and its bots play as they did when it was learned")
    if packed is None:
        print("  the matrix it was learned on is not shipped, so its seeds were not compared")
    return 0


def _look_at_moves(book: MoveBook, arguments: argparse.Namespace) -> None:
    """Show or check a book of moves."""
    if arguments.action == "show":
        sys.stdout.write(moves.dumps(book) if arguments.json else moves_summary(book) + "\n")
        return
    refuse(changes(book, make if arguments.code else make_installed), force=False)
    if arguments.json:
        print(json.dumps({"book": book.name, "good": True, "matrix": None}))
        return
    print(f"{book.name}: good, and its bots play as they did when it was learned")


def _show_openings(book: Book, length: int, as_json: bool) -> None:
    """Its openings, and a board with how often each point is played first."""
    refuse_changed(book, make_installed, force=False)
    size = book.phantom_go.rules.size
    found = {colour: openings(book, colour, length) for colour in Colour}
    if as_json:
        table = {
            str(colour).lower(): [
                {
                    "moves": [vertex(move, size) for move in opening.moves],
                    "share": opening.share,
                    "seeds": opening.seeds,
                }
                for opening in rows
            ]
            for colour, rows in found.items()
        }
        print(json.dumps(table, indent=2))
        return
    print(f"{book.name}: first moves against silence, in %; mirrored and turned boards are one")
    for colour, rows in found.items():
        print(f"{colour}:")
        for opening in rows:
            moves = " ".join(vertex(move, size) for move in opening.moves)
            print(f"  {100 * opening.share:5.1f}  {moves}  ({counted(len(opening.seeds), 'seed')})")
        print(
            f"  first move, as it is played:\n{_board(first_points(rows, book.phantom_go), size)}"
        )


def _board(shares: Mapping[Point, float], size: int) -> str:
    """The frequency of each point in %, on a board with coordinates."""
    letters = [vertex(column, size)[0] for column in range(size)]
    lines = ["     " + "".join(f"{letter:>4}" for letter in letters)]
    for row in reversed(range(size)):
        cells = (shares.get(row * size + column, 0) for column in range(size))
        line = "".join(f"{100 * share:4.0f}" if share else "   ." for share in cells)
        lines.append(f"  {row + 1:>2} {line}")
    return "\n".join(lines)


def _plot(path: Path) -> None:
    """Draw what the shipped books win, and what the paper's methods did on the same boards."""
    plots.check(path)
    boards, papers = defaultdict[int, list[Book]](list), dict[int, plots.Paper]()
    for book in map(read_book, book_names()):
        size = book.phantom_go.rules.size
        boards[size].append(book)
        papers[size] = {
            (method, tries): figure.rate
            for (method, tries), figure in published(book.setup, ENOUGH).items()
            if method != BEST_SPARSE  # no method: the best of three in each column
        }
    plots.draw_books(path, dict(sorted(boards.items())), papers)


def _list(arguments: argparse.Namespace) -> None:
    table, as_json = {name: read_book(name) for name in book_names()}, arguments.json
    if arguments.markdown:
        print(book_table([*table.values()]))
        return
    if arguments.plot is not None:
        _plot(Path(arguments.plot))
        return
    if as_json:
        print(json.dumps({name: _headline(book) for name, book in table.items()}, indent=2))
    for name, book in table.items():
        if not as_json:
            print(f"{name}  {', '.join(f'{key} {x}' for key, x in _headline(book).items())}")
    for name in move_book_names() if not as_json else ():
        print(f"{name}  moves for {read_moves(name).setup.title}")


def _headline(book: Book) -> dict[str, object]:
    bots = [book.player(colour) for colour in Colour]
    return {
        "size": book.phantom_go.rules.size,
        "komi": book.phantom_go.rules.komi,
        "rules": book.phantom_go.profile,
        "bot": bots[0] if bots[0] == bots[1] else bots,
        "method": book.training.method,
        "seeds": book.training.seeds,
    }
