"""`phantomgo bots`: the bots, their parameters and defaults."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from bots import BOTS, parameters
from phantomgo.portfolio.book import names

BOOK: Final = {
    "symmetry": {
        "default": "on",
        "allowed": "on or off",
        "meaning": "whether to play under a drawn symmetry of the board",
    },
    "force": {
        "default": "off",
        "allowed": "on or off",
        "meaning": "whether to play although the bot has changed, or with another komi",
    },
}
"""The options of a bot that plays from a book; it is not in the table of bots."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    table = {
        kind: {
            f.name: {"default": f.default, "allowed": _allowed(f.metadata), **f.metadata}
            for f in parameters(bot)
        }
        for kind, bot in sorted(BOTS.items())
    }
    table["book:NAME"] = BOOK
    if arguments.json:
        sys.stdout.write(json.dumps(table, indent=2) + "\n")
        return 0
    for kind, options in table.items():
        print(kind)
        for name, option in options.items():
            print(f"  {name}={option['default']}  {option['allowed']}: {option['meaning']}")
    print(f"  NAME  a .json file, or one of {', '.join(names()) or 'none'}")
    return 0


def _allowed(metadata: Mapping[str, Any]) -> str:
    """The values of a parameter in words."""
    if "options" in metadata:
        return " or ".join(metadata["options"])
    return f"{metadata['low']} to {metadata['high']}"
