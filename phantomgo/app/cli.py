"""The `phantomgo` command: finds the subcommand's module and runs it.

Each subcommand is a module of this folder whose `configure(parser)` gives the parser its options
and the function to run. Only the one asked for is imported, so `--help` stays quick. Errors go to
stderr; the exit code is 2 for wrong usage, 1 for failure.
"""

import argparse
import importlib
import io
import os
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any, Final, NoReturn

from phantomgo.checks import unknown
from phantomgo.errors import Abandoned, BadBook, BadRules, BadText, PhantomGoError
from phantomgo.files import check_packages
from phantomgo.interrupts import INTERRUPTED
from phantomgo.terminal import say
from phantomgo.version import __version__

ABOUT: Final = "Phantom Go: a referee, strong Monte Carlo players, and learned seed portfolios."
GROUPS: Final = {
    "play": {
        "play": "play in the terminal, against a bot, an engine or a person",
        "web": "tables in browsers: people on several devices, bots, a referee",
        "replay": "show recorded games and check them",
    },
    "serve": {
        "gtp": "serve the Go Text Protocol on stdin and stdout",
        "bridge": "run a phantom engine as an ordinary GTP engine, or a bot (sau)",
    },
    "measure": {
        "match": "play games between bots and engines, also at equal processor time",
        "tournament": "play a tournament of many players, with one list of ratings",
        "bench": "measure how fast playouts, decisions and games are",
    },
    "learn": {
        "learn": "learn which seeds a bot should play, and write a book",
        "train": "train a policy network, mainly by self-play",
        "evaluate": "measure what was learned, on fresh seeds",
        "reproduce": "repeat the tables and figures of the papers",
        "book": "list, show and check books, exploit them, grow books of moves",
        "store": "inspect stores of games and matrices, and pack them",
    },
    "bots": {
        "bots": "list the bots, or the parameters of one, or check one",
        "warm": "compile the kernels of bots in advance",
    },
}
"""Subcommands with their lines of help, by purpose."""
COMMANDS: Final = {name: what for group in GROUPS.values() for name, what in group.items()}
ELSEWHERE: Final = {"reproduce": "phantomgo.papers.reproduce"}
"""The modules of subcommands that are not in this folder."""
BROKEN_PIPE: Final = 141
"""The exit code a shell gives a program that SIGPIPE ends."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the process was started with it closed
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  (for good)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr's: results are not lost
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run(words: Sequence[str]) -> int:
    if words[:1] in ([], ["help"]):
        words = [*words[1:], "--help"]
    chosen = next((word for word in words if not word.startswith("-")), None)
    name = f"phantomgo {chosen}" if chosen in COMMANDS else "phantomgo"
    try:
        check_packages()
        if chosen not in (None, *COMMANDS):
            raise BadText(unknown("command", chosen, COMMANDS))
        arguments, rest = parser_of({chosen} if chosen else ()).parse_known_args(words)
        for word in (word for word in rest if word.startswith("--")):
            known = re.findall("--[a-z-]+", arguments.parser.format_help())
            arguments.parser.error(unknown("option", word.partition("=")[0], dict.fromkeys(known)))
        if rest:
            arguments.parser.error(f"unrecognized arguments: {' '.join(rest)}")
        code: int = arguments.run(arguments)
    except PhantomGoError as error:
        say(f"{name}: {error}", sys.stderr)
        usage = isinstance(error, BadText | BadRules) and not isinstance(error, BadBook)
        return 2 if usage else 1
    except Abandoned:
        # Engines and workers notice that this process is gone.
        print(f"{name}: interrupted; games that were being played were dropped", file=sys.stderr)
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    except BrokenPipeError:
        raise
    except OSError as error:  # a file that cannot be read or written
        where = "" if error.filename is None else f"{error.filename}: "
        say(f"{name}: {where}{error.strerror or error}", sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}", sys.stderr)
        self.exit(2)


def parser_of(commands: Collection[str]) -> argparse.ArgumentParser:
    """The parser of the command line, in full for these subcommands, which are imported."""
    parser = _Parser(
        prog="phantomgo",
        description=f"{ABOUT}\n\n{_grouped()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"phantomgo {__version__}")
    subparsers = parser.add_subparsers(
        dest="command",
        metavar="COMMAND",
        required=True,
        help="`phantomgo help COMMAND` explains it",
    )
    for name, summary in COMMANDS.items():
        # The description lists all; a script for a shell is made of those that have help.
        listed: dict[str, Any] = {"help": summary} if name in commands else {}
        subparser = subparsers.add_parser(name, description=summary, **listed)
        if name in commands:
            module = ELSEWHERE.get(name, f"phantomgo.app.{name}")
            importlib.import_module(module).configure(subparser)
            subparser.set_defaults(parser=subparser)
    return parser


def _grouped() -> str:
    """The subcommands in their groups, one per line."""
    lines = []
    for group, commands in GROUPS.items():
        lines.append(f"{group}:")
        lines += [f"  {name:12}{what}" for name, what in commands.items()]
    return "\n".join(lines)
