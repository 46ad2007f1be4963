"""`phantomgo learn`: play seeds against seeds, choose a distribution over them, write a book."""

import argparse
import shlex
from pathlib import Path

from bots import needs_code
from phantomgo.app.command import add_options, perform
from phantomgo.app.summaries import book_summary
from phantomgo.lab.api.learning import learn
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.setup import Setup


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
        arguments.store = Path(arguments.out).with_suffix(".db")
    ended = perform(learn, arguments)
    if ended.code:
        return ended.code
    book: Book = ended.result
    print("\n".join([book_summary(book), *_advice(book, arguments)]))
    return 0


def _advice(book: Book, arguments: argparse.Namespace) -> list[str]:
    """A line if the seeds were too few to tell, and the commands that play the book."""
    found, lines = book.evaluation, []
    if found is not None and found.without:
        own, other = found.played[0], found.without[0]
        gain, error = own.rate - other.rate, (own.error**2 + other.error**2) ** 0.5
        if gain < 2 * error:
            lines.append(
                f"  {book.training.seeds} seeds are too few to tell: the book wins"
                f" {100 * gain:+.1f} ± {100 * error:.1f} points more than its bot; learn with more"
            )
    if isinstance(book.setup, Setup):
        name, where = book.setup.black.name, f"--size {book.setup.rules.size}"
        where += f" --komi {book.setup.rules.komi:g}"
        file, bot = shlex.quote(str(arguments.out)), shlex.quote(name)
        played, chosen = f"book:{file}", f"--book {file}"
        if needs_code(name):
            played += ",code=on"
            chosen = f"--bot {played} {where}"
        lines += [
            "play it, play against it, and measure it:",
            f"  phantomgo gtp {chosen}",
            f"  phantomgo play {chosen}",
            f"  phantomgo match --black {played} --white {bot} {where} --games 600",
        ]
    return lines
