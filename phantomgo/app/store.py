"""`phantomgo store`: what the files of games are of, and several of them as one."""

import argparse
import json

from phantomgo.lab.merge import merge
from phantomgo.lab.store import Store
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="who played, on what terms, and how many games")
    show.add_argument("store", metavar="FILE")
    show.add_argument("--json", action="store_true", help="print JSON")
    merger = actions.add_parser("merge", help="add the games of stores of the same contest")
    merger.add_argument("into", metavar="INTO", help="where they go; made if missing")
    merger.add_argument("stores", metavar="FROM", nargs="+", help="where they come from")


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "merge":
        new = merge(arguments.into, arguments.stores)
        print(f"{arguments.into}: {counted(new, 'new game')}")
        return 0
    with Store(arguments.store) as store:
        found = {
            "players": [player.as_dict() for player in store.players],
            "terms": store.terms,
            "games": len(store.games()),
            "void": store.voids(),
            "claimed": store.playing(),
        }
        names = " against ".join(player.name for player in store.players)
        terms = ", ".join(f"{key} {value}" for key, value in store.terms.items())
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        games, void, claimed = (found[key] for key in ("games", "void", "claimed"))
        print(f"{names}\n{terms}\n{games} games, {void} void, {claimed} being played")
    return 0
