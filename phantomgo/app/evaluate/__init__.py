"""`phantomgo evaluate`: measure what was learned, on fresh seeds."""

import argparse
from collections.abc import Mapping
from typing import Final

from phantomgo.app.command import Action, add_actions
from phantomgo.app.evaluate import books, exact, learners, methods
from phantomgo.app.evaluate.online import arms, online
from phantomgo.app.evaluate.openings import openings

ACTIONS: Final[Mapping[str, Action]] = {
    "methods": (methods.configure, "cross-validate methods on the games of a matrix or store"),
    "fresh": (books.configure_fresh, "what methods learn from a whole matrix, against fresh seeds"),
    "book": (books.configure_book, "a book of seeds against fresh ones, or against another book"),
    "moves": (books.configure_moves, "a book of moves on fresh seeds"),
    "transfer": (books.configure_transfer, "a book against a player it was not learned against"),
    "exact": (exact.configure, "portfolios against exact best responses, in small games"),
    "learners": (
        learners.configure,
        "learners of seeds at equal games or time, off recorded matrices",
    ),
    "online": (online, "bots that learn online, against mixtures and seeds of a matrix"),
    "arms": (arms, "bots that learn online, against books as they are played"),
    "openings": (openings, "what the first decisions of a matrix's seeds are worth"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)
