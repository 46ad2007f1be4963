"""`phantomgo book`: list, show, check and exploit books, and grow books of moves."""

from collections.abc import Mapping
from typing import Final

from bots import make, make_installed
from bots.book_checks import refuse_changed
from phantomgo.app.command import Action, of_actions, of_command, of_verb, print_json
from phantomgo.app.summaries import book_summary, exploited_json, exploited_text, moves_summary
from phantomgo.game.points import Colour
from phantomgo.lab.api.exploiting import exploit
from phantomgo.lab.api.learning import learn_moves
from phantomgo.lab.learning.book_changes import changes, check_matrix, shipped_matrix
from phantomgo.portfolio import movebook as moves
from phantomgo.portfolio.book import Book, book_names, dumps, read_book
from phantomgo.portfolio.movebook import MoveBook, read_any
from phantomgo.terminal import say


def list_books(*, json: bool = False) -> None:
    """List the shipped books.

    Args:
        json: print JSON.
    """
    books = [read_book(name) for name in book_names()]
    if json:
        print_json({book.name: _headline(book) | _figures(book) for book in books})
    else:
        for book in books:
            say(f"{book.name}  {', '.join(f'{key} {x}' for key, x in _headline(book).items())}")


def show(book: str, *, json: bool = False) -> None:
    """Print what a book contains.

    Args:
        book: the book's name or .json file.
        json: print JSON.
    """
    found = read_any(book)
    if json:
        print(moves.dumps(found) if isinstance(found, MoveBook) else dumps(found), end="")
    else:
        say(moves_summary(found) if isinstance(found, MoveBook) else book_summary(found))


def check(book: str, *, json: bool = False, code: bool = False) -> None:
    """Check that a book is still valid.

    Args:
        book: the book's name or .json file.
        json: print JSON.
        code: run the code, and read the files, that the book's bots name.
    """
    found = read_any(book)
    refuse_changed(changes(found, make if code else make_installed), force=False)
    packed = shipped_matrix(found) if isinstance(found, Book) else None
    if isinstance(found, Book) and packed is not None:
        check_matrix(found, packed)
    if json:
        matrix = None if packed is None else packed.name
        print_json({"book": found.name, "good": True, "matrix": matrix}, None)
        return
    say(f"{found.name}: valid, and its bots play as they did when it was learned")
    if isinstance(found, Book) and packed is None:
        say("  the matrix it was learned on is not shipped, so its seeds were not compared")


ACTIONS: Final[Mapping[str, Action]] = {
    "list": (of_command(list_books), "list the shipped books"),
    "show": (of_command(show), "show what a book contains"),
    "check": (of_command(check), "check that a book's bots still play as when it was learned"),
    "grow": (
        of_verb(learn_moves, moves_summary, required=("store", "out")),
        "grow a book of moves",
    ),
    "exploit": (
        of_verb(exploit, exploited_text, exploited_json, positional=("player",)),
        "learn and measure a best response to a book or bot",
    ),
}
configure = of_actions(ACTIONS)


def _figures(book: Book) -> dict[str, object]:
    """The measured rates, in the form of the book's file."""
    fields = book.as_dict()
    return {key: fields.get(key) for key in ("evaluation", "best_response")}


def _headline(book: Book) -> dict[str, object]:
    bots = [book.player(colour) for colour in Colour]
    return {
        "size": book.setup.rules.size,
        "komi": book.setup.rules.komi,
        "rules": book.setup.profile,
        "bot": bots[0] if bots[0] == bots[1] else bots,
        "method": book.training.method,
        "seeds": book.training.seeds,
    }
