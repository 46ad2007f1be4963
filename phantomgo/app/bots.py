"""`phantomgo bots`: the bots, their parameters and defaults, and the nets; or a bot, checked."""

import argparse
import json
import sys
from typing import Any, Final

from bots import BOTS, parameters
from bots.arms import FORMS, OPENING_FORMS
from bots.foreign import installed
from bots.nets import names as net_names
from bots.nets import read_net
from phantomgo.app.roster import add_players_file, roster
from phantomgo.lab.contract import breaches
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
    "code": {
        "default": "off",
        "allowed": "on or off",
        "meaning": "whether to run the code of a bot MODULE:CLASS that the book names",
    },
}
"""The options of a bot that plays from a book; it is not in the table of bots."""
LEARNER: Final[dict[str, dict[str, Any]]] = {
    "state": {
        "default": "",
        "allowed": FORMS["state"].allowed,
        "meaning": "where is kept what was learned of them; made if missing; has to be given",
    },
    "discount": {
        "default": 1,
        "allowed": FORMS["discount"].allowed,
        "meaning": "what a game counts for once one more has been played",
    },
}
"""The same of a bot that learns online."""
OPENER: Final[dict[str, dict[str, Any]]] = {
    "book": {
        "default": "",
        "allowed": OPENING_FORMS["book"].allowed,
        "meaning": "whose moves are played where it knows the situation; has to be given",
    },
    "force": {
        "default": "off",
        "allowed": OPENING_FORMS["force"].allowed,
        "meaning": "whether to open from it with another komi or other rules, too",
    },
}
"""The same of a bot that opens from a book of moves."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--check", metavar="SPEC", help="see whether a bot keeps the contract of all bots"
    )
    add_players_file(parser)


def run(arguments: argparse.Namespace) -> int:
    roster(arguments).settle(arguments, "check")
    if arguments.check is not None:
        return _check(arguments.check, arguments.json)
    offered = installed(BOTS)
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
    table |= {"variants:SPEC|SPEC": {}, "online:SPEC|SPEC": LEARNER}
    table |= {"opening:SPEC": OPENER, "book:NAME": BOOK}
    nets = {name: read_net(name, None).digest for name in net_names()}
    if arguments.json:
        sys.stdout.write(json.dumps({**table, "nets": nets, "installed": offered}, indent=2) + "\n")
        return 0
    for kind, keys in table.items():
        print(kind)
        for name, option in keys.items():
            print(f"  {name}={option['default']}  {option['allowed']}: {option['meaning']}")
    print(f"  NAME  a .json file, or one of {', '.join(book_names()) or 'none'}")
    print("nets")
    for name, digest in nets.items():
        print(f"  {name}  digest {digest}")
    if offered:
        print("bots of installed packages")
        for name, place in offered.items():
            print(f"  {name}  {place}")
    return 0


def _check(spec: str, as_json: bool) -> int:
    """Say of each part of the contract whether the bot keeps it; 1 if it breaks any."""
    found: dict[str, str | None] = {}
    for what, wrong in breaches(spec):
        found[what] = wrong
        if not as_json:
            print(f"{what}: {wrong or 'yes'}", flush=True)
    if as_json:
        print(json.dumps({"bot": spec, "checks": found}, indent=2))
    return 1 if any(found.values()) else 0
