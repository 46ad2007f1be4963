"""`python -m docs.books` prints the table of docs/notes/books.md from the shipped books."""

import math
from collections.abc import Sequence
from typing import Final

from phantomgo.app.summaries import moves_in_words
from phantomgo.game.points import Colour
from phantomgo.portfolio.book import Book, book_names, read_book
from phantomgo.portfolio.evaluation import Score
from phantomgo.terminal import markdown

REPORTED: Final = (1, 4, 16, 64, 256)
"""The K' that are columns."""


def table() -> str:
    """The evaluations of the shipped books in Markdown, small boards first."""
    books = map(read_book, book_names())
    rows = []
    for book in sorted(books, key=lambda book: (book.setup.rules.size, book.name)):
        rules = book.setup.rules
        board = [f"{rules.size}x{rules.size}", f"{rules.komi:g}"]
        seeds = f"{_played(book)} of {book.training.seeds}"
        if math.isfinite(book.moves):
            whose = "the" if len(book.colours) == len(Colour) else f"{book.colours[0]}'s"
            seeds += f", {whose} {moves_in_words(*map(book.side, book.colours))}"
        method = f"`{book.training.method}`"
        cells = [f"`{book.name}`", *board, method, seeds]
        figures = book.evaluation
        played, plain, without = (
            ((), (), ()) if figures is None else (figures.played, figures.plain, figures.without)
        )
        empty = [""] * len(cells)
        measured = "not yet" if figures is None else "with symmetries"
        rows.append([*cells, measured, *_cells(played)])
        if plain:
            rows.append([*empty, "without symmetries", *_cells(plain)])
        if without:
            rows.append([*empty, "no book", *_cells(without)])
    head = ["book", "board", "komi", "method", "lines", "measured"]
    tries = [f"K'={exploiter}" for exploiter in REPORTED]
    return "\n".join(markdown([*head, *tries], rows))


def _played(book: Book) -> str:
    """The number of a book's lines: `16`, or `13 and 5`."""
    return " and ".join(dict.fromkeys(str(len(book.side(it).lines)) for it in book.colours))


def _cells(scores: Sequence[Score]) -> list[str]:
    rates = {
        score.exploiter: f"{100 * score.rate:.1f} ± {100 * score.error:.1f}" for score in scores
    }
    return [rates.get(exploiter, "") for exploiter in REPORTED]


if __name__ == "__main__":
    print(table())
