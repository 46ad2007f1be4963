"""`phantomgo bots`: the bots, their parameters and defaults, and the nets."""

import argparse
import json
import sys
from typing import Final

from bots import BOTS, parameters
from bots.nets import names as net_names
from bots.nets import read_net
from phantomgo.portfolio.book import book_names

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
            f.name: {
                "default": f.default,
                "allowed": f.metadata["form"].allowed,
                "meaning": f.metadata["meaning"],
            }
            for f in parameters(bot)
        }
        for kind, bot in sorted(BOTS.items())
    }
    table["book:NAME"] = BOOK
    nets = {name: read_net(name).digest for name in net_names()}
    if arguments.json:
        sys.stdout.write(json.dumps({**table, "nets": nets}, indent=2) + "\n")
        return 0
    for kind, keys in table.items():
        print(kind)
        for name, option in keys.items():
            print(f"  {name}={option['default']}  {option['allowed']}: {option['meaning']}")
    print(f"  NAME  a .json file, or one of {', '.join(book_names()) or 'none'}")
    print("nets")
    for name, digest in nets.items():
        print(f"  {name}  digest {digest}")
    return 0
