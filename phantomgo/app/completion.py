"""`phantomgo completion SHELL`: a script that completes commands and options in a shell.

It is written by shtab (the optional extra `completion`) from the parsers themselves.
"""

import argparse
from typing import Final

from phantomgo.app.cli import COMMANDS, parser_of
from phantomgo.errors import MissingExtra

SHELLS: Final = ("bash", "zsh", "fish", "tcsh")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        'In ~/.bashrc: eval "$(phantomgo completion bash)"; in fish: phantomgo completion fish >'
        " ~/.config/fish/completions/phantomgo.fish"
    )
    parser.add_argument("shell", choices=SHELLS, help=f"{', '.join(SHELLS[:-1])} or {SHELLS[-1]}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        import shtab  # noqa: PLC0415  (optional)
    except ImportError:
        raise MissingExtra("completion", "shtab", "completion") from None
    print(shtab.complete(parser_of(COMMANDS), shell=arguments.shell))
    return 0
