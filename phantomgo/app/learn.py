"""`phantomgo learn`: play the seed matrix, choose a distribution over the seeds, write a book."""

import argparse

from phantomgo.app.command import add_verb
from phantomgo.app.summaries import book_summary
from phantomgo.lab.verbs.learning import learn


def configure(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, learn, book_summary, required=("store", "out"))
