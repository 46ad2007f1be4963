"""`phantomgo learn`: play seeds against seeds, choose a distribution over them, write a book."""

import argparse
import shlex
from math import hypot

from bots import make_installed
from phantomgo.app.command import add_options, perform
from phantomgo.app.summaries import book_summary
from phantomgo.errors import BadText
from phantomgo.lab.api.learning import learn
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.setup import Setup
from phantomgo.terminal import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `learn`; without files the book is named after the bot and the board."""
    add_options(parser, learn)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.out is None:
        played = arguments.game or f"{arguments.size}x{arguments.size}"
        kinds = (spec.partition(":")[0] for spec in (arguments.bot, played))
        arguments.out = "-".join(filter(str.isalnum, kinds)) + ".json"
    if arguments.store is None:
        arguments.store = f"{str(arguments.out).removesuffix('.json')}.db"
    ended = perform(learn, arguments)
    if ended.code:
        return ended.code
    book: Book = ended.result
    say("\n".join([book_summary(book), *_advice(book, arguments)]))
    return 0


def _advice(book: Book, arguments: argparse.Namespace) -> list[str]:
    """A line if the seeds were too few, and the commands that play the book."""
    found, lines = book.evaluation, []
    for own, other in zip(found.played, found.without, strict=False) if found else ():
        gain, error = 100 * (own.rate - other.rate), 100 * hypot(own.error, other.error)
        if gain < (2 if own.exploiter == 1 else -2) * error:
            wins = f"{abs(gain):.1f} ± {error:.1f} points {'more' if gain > 0 else 'less'}"
            few = f"{book.training.seeds} seeds are too few: the book wins {wins} than its bot"
            lines = [f"  {few} against K'={own.exploiter}; learn with more"]
    if isinstance(book.setup, Setup):
        rules, bot = book.setup.rules, shlex.quote(book.setup.black.name)
        where, file = f"--size {rules.size} --komi {rules.komi:g}", shlex.quote(str(arguments.out))
        played, chosen = f"book:{file}", f"--book {file}"
        try:
            for _, identity in book.players:
                make_installed(identity.name, 0)
        except BadText:  # it needs a module or a file, which is read where one says so
            played += ",code=on"
            chosen = f"--bot {played} {where}"
        lines += [
            "play it, play against it, and measure it:",
            f"  phantomgo gtp {chosen}",
            f"  phantomgo play {chosen}",
            f"  phantomgo match --black {played} --white {bot} {where} --games 600",
        ]
    return lines
