"""`phantomgo store show`, `merge` and `learned`: what files hold, and several of them as one."""

import argparse
import json

from bots.experience import holdings
from phantomgo.app.store.matrices import show_matrices
from phantomgo.lab.merge import merge
from phantomgo.lab.run.store import Store
from phantomgo.portfolio.packed import matrix_names
from phantomgo.wording import counted


def configure_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="FILE", help="a store, or a matrix by name or NAME.json")
    parser.add_argument("--json", action="store_true", help="print JSON")


def configure_merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("into", metavar="INTO", help="where they go; made if missing")
    parser.add_argument("stores", metavar="FROM", nargs="+", help="where they come from")


def configure_learned(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("state", metavar="FILE", help="the state file of an online: bot")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_merge(arguments: argparse.Namespace) -> int:
    new = merge(arguments.into, arguments.stores)
    print(f"{arguments.into}: {counted(new, 'new game')}")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    if arguments.store in matrix_names() or arguments.store.endswith(".json"):
        show_matrices([arguments.store], as_json=arguments.json)
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


def run_learned(arguments: argparse.Namespace) -> int:
    found = holdings(arguments.state)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return 0
    for learner in found:
        rules = learner["rules"]
        board = f"{rules['size']}x{rules['size']}, komi {rules['komi']:g}"
        games = counted(learner["games"], "game")
        print(f"{learner['colour']}, {board}: {games}, won {learner['won']:g}")
        for arm in learner["arms"]:
            print(f"  {arm['won']:g} of {arm['games']}  {arm['arm']}")
    return 0
