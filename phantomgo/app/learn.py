"""`phantomgo learn`: play seeds against seeds, choose a distribution over them, write a book."""

import argparse
import shlex

from bots import make_installed
from phantomgo.app.command import add_options, perform
from phantomgo.app.summaries import book_summary
from phantomgo.errors import BadStore, BadText
from phantomgo.estimates import wilson
from phantomgo.lab.api.learning import learn
from phantomgo.portfolio.book import Book
from phantomgo.terminal import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `learn`; without files the book is named after the bot and the board."""
    add_options(parser, learn)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.out is None:
        kinds = arguments.bot.partition(":")[0], f"{arguments.size}x{arguments.size}"
        arguments.out = "-".join(filter(str.isalnum, kinds)) + ".json"
    named = arguments.store is not None
    if not named:
        arguments.store = f"{str(arguments.out).removesuffix('.json')}.db"
    try:
        ended = perform(learn, arguments)
    except BadStore as error:
        if named:
            raise
        raise BadStore(f"{error} (--out NAME.json names book and store)") from None
    if ended.code:
        return ended.code
    book: Book = ended.result
    say("\n".join([book_summary(book), *_advice(book, arguments)]))
    return 0


def _advice(book: Book, arguments: argparse.Namespace) -> list[str]:
    """A line if no gain was found, and the commands that play the book."""
    lines = []
    if book.trial is None and arguments.minutes is not None and arguments.test_seeds != 0:
        lines = ["  no time was left for games against the bot: measure it by the last command"]
    elif book.trial is not None and wilson(book.trial.won, book.trial.games).low <= 1 / 2:
        lines = ["  no gain was found; the same command continues to learn"]
    rules, bot = book.setup.rules, shlex.quote(book.setup.black.name)
    where, file = f"--size {rules.size} --komi {rules.komi:g}", shlex.quote(str(arguments.out))
    played, chosen = f"book:{file}", f"--book {file}"
    try:
        for _, identity in book.players:
            make_installed(identity.name, book.setup.game, 0)
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
