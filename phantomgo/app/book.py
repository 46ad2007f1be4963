"""`phantomgo book`: list, show, check and exploit books, and grow books of moves."""

import sys
from collections.abc import Mapping
from typing import Final

from bots import make, make_installed
from bots.book import refuse
from phantomgo.app.command import Action, of_actions, of_command, of_verb, print_json
from phantomgo.app.summaries import (
    book_summary,
    book_table,
    exploited_json,
    exploited_text,
    moves_summary,
)
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.books import changes, check_matrix, matrix_of
from phantomgo.lab.measure.openings import first_points
from phantomgo.lab.measure.openings import openings as openings_of
from phantomgo.lab.verbs.exploiting import exploit
from phantomgo.lab.verbs.learning import learn_moves
from phantomgo.points import Colour, Point, vertex
from phantomgo.portfolio import movebook as moves
from phantomgo.portfolio.book import Book, book_names, dumps, read_book
from phantomgo.portfolio.movebook import MoveBook, read_any
from phantomgo.wording import counted

MOVES: Final = 4
"""Moves shown of an opening unless a number is given."""
MAX_MOVES: Final = 100


def list_books(*, json: bool = False, markdown: bool = False) -> None:
    """List the shipped books.

    Args:
        json: print JSON.
        markdown: print the evaluations as a table in Markdown.

    Raises:
        BadText: both are asked for.
    """
    if json and markdown:
        raise BadText("json and markdown cannot be combined")
    books = [read_book(name) for name in book_names()]
    if markdown:
        print(book_table(books))
    elif json:
        print_json({book.name: _headline(book) | _figures(book) for book in books})
    else:
        for book in books:
            print(f"{book.name}  {', '.join(f'{key} {x}' for key, x in _headline(book).items())}")


def show(book: str, *, json: bool = False, openings: int | bool = False) -> None:
    """Print what a book holds.

    Args:
        book: the book's name or .json file.
        json: print JSON.
        openings: the first N moves against a silent opponent (4 unless N is given).

    Raises:
        BadText: the number of moves is out of range.
        BadBook: there is no such book.
    """
    found = read_any(book)
    if isinstance(found, MoveBook):
        sys.stdout.write(moves.dumps(found) if json else moves_summary(found) + "\n")
    elif openings is not False:
        length = MOVES if openings is True else whole("openings", openings, 1, MAX_MOVES)
        _show_openings(found, length, json)
    else:
        sys.stdout.write(dumps(found) if json else book_summary(found) + "\n")


def check(book: str, *, json: bool = False, code: bool = False) -> None:
    """Say whether a book is still good.

    Args:
        book: the book's name or .json file.
        json: print JSON.
        code: run the code of a bot MODULE:CLASS that the book names.

    Raises:
        BadBook: there is no such book, its bots have changed, or its matrix is of other games.
    """
    found = read_any(book)
    refuse(changes(found, make if code else make_installed), force=False)
    packed = matrix_of(found) if isinstance(found, Book) else None
    if isinstance(found, Book) and packed is not None:
        check_matrix(found, packed)
    if json:
        matrix = None if packed is None else packed.name
        print_json({"book": found.name, "good": True, "matrix": matrix}, None)
        return
    print(f"{found.name}: good, and its bots play as they did when it was learned")
    if isinstance(found, Book) and packed is None:
        print("  the matrix it was learned on is not shipped, so its seeds were not compared")


ACTIONS: Final[Mapping[str, Action]] = {
    "list": (of_command(list_books), "the shipped books"),
    "show": (of_command(show), "what a book holds"),
    "check": (of_command(check), "whether it is still good"),
    "grow": (
        of_verb(learn_moves, moves_summary, required=("store", "out")),
        "grow a book of moves",
    ),
    "exploit": (
        of_verb(exploit, exploited_text, exploited_json, positional=("book",)),
        "what an opponent wins who owns a book",
    ),
}
configure = of_actions(ACTIONS)


def _show_openings(book: Book, length: int, as_json: bool) -> None:
    """Print a book's openings, and a board with the frequency of each first move."""
    refuse(changes(book), force=False)
    size = book.phantom_go.rules.size
    found = {colour: openings_of(book, colour, length) for colour in Colour}
    if as_json:
        table = {
            str(colour).lower(): [
                {
                    "moves": [vertex(move, size) for move in opening.moves],
                    "share": opening.share,
                    "lines": opening.lines,
                }
                for opening in rows
            ]
            for colour, rows in found.items()
        }
        print_json(table)
        return
    print(f"{book.name}: first moves against silence, in %; mirrored and turned boards are one")
    for colour, rows in found.items():
        print(f"{colour}:")
        for opening in rows:
            moves = " ".join(vertex(move, size) for move in opening.moves)
            print(f"  {100 * opening.share:5.1f}  {moves}  ({counted(len(opening.lines), 'line')})")
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


def _figures(book: Book) -> dict[str, object]:
    """The measured rates, in the form of the book's file."""
    fields = book.as_dict()
    return {key: fields.get(key) for key in ("evaluation", "best_response")}


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
