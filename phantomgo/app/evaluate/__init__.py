"""`phantomgo evaluate`: measure what was learned, on fresh seeds."""

import argparse

from phantomgo.app.command import add_actions

ACTIONS = {
    "methods": ("methods", "cross-validate methods on the games of a matrix or store"),
    "fresh": ("books", "what methods learn from a whole matrix, against fresh seeds"),
    "book": ("books", "a book of seeds against fresh ones, or against another book"),
    "moves": ("moves", "a book of moves on fresh seeds"),
    "transfer": ("transfer", "a book against a player it was not learned against"),
    "exact": ("exact", "portfolios against exact best responses, in small games"),
    "learners": ("learners", "learners of seeds at equal games, off recorded matrices"),
    "online": ("online", "bots that learn online, against mixtures and seeds of a matrix"),
    "arms": ("online", "bots that learn online, against books as they are played"),
    "openings": ("openings", "what the first decisions of a matrix's seeds are worth"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, __name__, ACTIONS)
