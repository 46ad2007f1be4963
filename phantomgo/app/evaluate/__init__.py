"""`phantomgo evaluate`: measure what was learned, on fresh seeds.

`ACTIONS` is the table of measures: by name, the verb that measures with the functions that report
what it found, and what it is about.
"""

from collections.abc import Mapping
from typing import Final

from phantomgo.app.command import Action, Plot, of_actions, of_verb
from phantomgo.app.evaluate import books, exact, learners, methods, online, openings
from phantomgo.app.summaries import methods_table
from phantomgo.lab.verbs import adapting, measuring, recorded
from phantomgo.lab.verbs import exact as exactly

BOOK: Final = ("book",)
MATRIX: Final = ("matrix",)
CURVES: Final = Plot("the curves", online.draw)

ACTIONS: Final[Mapping[str, Action]] = {
    "methods": (methods.configure, "cross-validate methods on the games of a matrix or store"),
    "fresh": (
        of_verb(measuring.evaluate_fresh, methods_table, books.fresh_json, positional=MATRIX),
        "what methods learn from a whole matrix, against fresh seeds",
    ),
    "book": (books.configure_book, "a book of seeds against fresh ones, or against another book"),
    "moves": (
        of_verb(measuring.evaluate_moves, books.moves_text, books.moves_json, positional=BOOK),
        "a book of moves on fresh seeds",
    ),
    "transfer": (books.configure_transfer, "a book against a player it was not learned against"),
    "exact": (
        of_verb(exactly.exact, exact.as_text, exact.as_json),
        "portfolios against exact best responses, in small games",
    ),
    "learners": (
        learners.configure,
        "learners of seeds at equal games or time, off recorded matrices",
    ),
    "online": (
        of_verb(adapting.adapt, online.as_text, online.as_json, CURVES, positional=MATRIX),
        "bots that learn online, against mixtures and seeds of a matrix",
    ),
    "arms": (
        of_verb(
            adapting.adapt_to_books, online.as_text, online.as_json, CURVES, positional=("books",)
        ),
        "bots that learn online, against books as they are played",
    ),
    "openings": (
        of_verb(recorded.decide_openings, openings.as_text, openings.as_json, positional=MATRIX),
        "what the first decisions of a matrix's seeds are worth",
    ),
}
configure = of_actions(ACTIONS)
