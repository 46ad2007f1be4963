"""`phantomgo learn`: play the seed matrix, choose a distribution over the seeds, write a book."""

import argparse

from phantomgo.app.command import add_options, call, settle
from phantomgo.app.progress import Shown
from phantomgo.app.summaries import book_summary
from phantomgo.lab.verbs.learning import learn


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, learn, required=("store", "out"))


def run(arguments: argparse.Namespace) -> int:
    if arguments.game is None:  # other games have other players
        settle(learn, arguments)
    print(book_summary(call(learn, arguments, progress=Shown())))
    return 0
