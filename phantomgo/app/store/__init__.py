"""`phantomgo store`: files of games, and matrices, which are small files of the same games."""

import argparse

from phantomgo.app.command import add_actions

ACTIONS = {
    "show": ("results", "who played, on what terms, and how many games; or a matrix"),
    "merge": ("results", "add the games of stores of the same contest"),
    "pack": ("matrices", "the games of a store of seeds as a matrix"),
    "unpack": ("matrices", "a matrix's games as a store"),
    "matrices": ("matrices", "list the shipped matrices"),
    "learned": ("results", "what a bot that learns online has learned"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, __name__, ACTIONS)
