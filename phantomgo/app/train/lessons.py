"""`phantomgo train lessons`: label positions with a full-information search."""

import argparse

from phantomgo.app.command import add_options, call, interruptible, settle
from phantomgo.lab.verbs.training import give_lessons


def configure_lessons(parser: argparse.ArgumentParser) -> None:
    add_options(parser, give_lessons, required=("games", "store"))


def run_lessons(arguments: argparse.Namespace) -> int:
    settle(give_lessons, arguments)
    with interruptible() as ended:
        call(give_lessons, arguments, progress=ended.shown)
    return ended.code
