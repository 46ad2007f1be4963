"""The `phantomgo` command: finds the subcommand's module and runs it.

Each subcommand is a module of this folder with `configure(parser)` and `run(arguments) -> int`.
Only the one asked for is imported, so `--help` stays quick. Errors go to stderr; the exit code is
2 for wrong usage, 1 for failure.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Final

import phantomgo
from phantomgo.errors import BadBook, BadRules, BadText, PhantomGoError

COMMANDS: Final = {
    "gtp": "serve the Go Text Protocol on stdin and stdout",
    "play": "play by hand, against a bot, an engine or each other",
    "match": "play games between bots and engines, and judge the results",
    "strength": "measure the bots against one another at equal processor time",
    "replay": "step through recorded games and check them",
    "adapter": "let an ordinary match runner play a phantom engine that sees only its view",
    "bridge": "play on another platform's protocol (sau)",
    "learn": "learn which seeds a bot should play, and write a book",
    "evaluate": "measure methods or a book on seeds never learned on",
    "matrix": "pack the games of a store into a small file, and back",
    "book": "list, show and check books",
    "prior": "train the net that knows where hidden stones probably stand",
    "bots": "list the bots, their parameters and defaults",
    "bench": "measure how fast playouts, decisions and games are",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="phantomgo", description=phantomgo.__doc__)
    parser.add_argument("--version", action="version", version=f"phantomgo {phantomgo.__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in words if word in COMMANDS), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == chosen:
            importlib.import_module(f"phantomgo.app.{name}").configure(subparser)
    arguments = parser.parse_args(words)
    try:
        code: int = importlib.import_module(f"phantomgo.app.{arguments.command}").run(arguments)
    except PhantomGoError as error:
        print(f"phantomgo {arguments.command}: {error}", file=sys.stderr)
        usage = isinstance(error, BadText | BadRules) and not isinstance(error, BadBook)
        return 2 if usage else 1
    except KeyboardInterrupt:
        print(f"phantomgo {arguments.command}: interrupted", file=sys.stderr)
        return 130
    return code
