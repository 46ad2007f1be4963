"""`phantomgo store`: files of games, and matrices, which are small files of the same games."""

import argparse
from collections.abc import Mapping
from typing import Final

from phantomgo.app.command import Action, add_actions
from phantomgo.app.store.matrices import matrices, pack, unpack
from phantomgo.app.store.results import learned, merge, show

ACTIONS: Final[Mapping[str, Action]] = {
    "show": (show, "who played, on what terms, and how many games; or a matrix"),
    "merge": (merge, "add the games of stores of the same contest"),
    "pack": (pack, "the games of a store of seeds as a matrix"),
    "unpack": (unpack, "a matrix's games as a store"),
    "matrices": (matrices, "list the shipped matrices"),
    "learned": (learned, "what a bot that learns online has learned"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)
