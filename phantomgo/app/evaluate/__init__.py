"""`phantomgo evaluate`: measure what was learned, on fresh seeds.

`ACTIONS` is the table of measures: by name, the verb that measures with the functions that report
what it found, and what it is about.
"""

from collections.abc import Mapping
from typing import Final

from phantomgo.app.command import Action, of_actions, of_verb
from phantomgo.app.evaluate import books, methods
from phantomgo.app.summaries import methods_table
from phantomgo.lab.verbs import measuring

BOOK: Final = ("book",)
MATRIX: Final = ("matrix",)

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
}
configure = of_actions(ACTIONS)
