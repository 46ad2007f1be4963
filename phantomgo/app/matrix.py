"""`phantomgo matrix`: a store of games as a small file to keep, and back."""

import argparse
import json
from pathlib import Path

from phantomgo.app.numbers import natural
from phantomgo.app.summaries import matrix_summary
from phantomgo.errors import BadText
from phantomgo.lab.seeds import SeedStore, pack, unpack
from phantomgo.portfolio.packed import Packed, matrix_names, read_matrix, write_matrix
from phantomgo.portfolio.shelf import NAME


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    parts = {
        "list": actions.add_parser("list", help="the shipped matrices"),
        "show": actions.add_parser("show", help="one of them, or a file"),
        "pack": actions.add_parser("pack", help="the games of a store into a file"),
        "unpack": actions.add_parser("unpack", help="a matrix's games into a store"),
    }
    for action in ("show", "pack", "unpack"):
        parts[action].add_argument(
            "matrix", metavar="NAME", help="a matrix's name, or a .json file"
        )
    for action in ("list", "show"):
        parts[action].add_argument("--json", action="store_true", help="print JSON")
    for action in ("pack", "unpack"):
        parts[action].add_argument(
            "--store", metavar="FILE", required=True, help="the games: packed, or where they go"
        )
    parts["pack"].add_argument(
        "--seeds", type=natural, help="own seeds (default: the largest square)"
    )
    parts["pack"].add_argument(
        "--opponent-seeds", type=natural, help="opponent seeds (default: as many)"
    )


def run(arguments: argparse.Namespace) -> int:
    action = arguments.action
    if action in ("list", "show"):
        _show(matrix_names() if action == "list" else [arguments.matrix], arguments.json)
        return 0
    if action == "pack":
        with SeedStore(arguments.store) as store:
            packed = _pack(store, arguments)
        write_matrix(packed, Path(arguments.matrix))
    else:
        packed = read_matrix(arguments.matrix)
        with SeedStore(arguments.store, packed.setup) as store:
            unpack(packed, store)
    print(matrix_summary(packed))
    return 0


def _pack(store: SeedStore, arguments: argparse.Namespace) -> Packed:
    path = Path(arguments.matrix)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"{arguments.matrix!r} is not NAME.json with a plain name")
    own, opponents = store.sizes(arguments.seeds, arguments.opponent_seeds)
    return pack(store, path.stem, own, opponents)


def _show(wanted: list[str], as_json: bool) -> None:
    found = [read_matrix(name) for name in wanted]
    if not as_json:
        for packed in found:
            print(matrix_summary(packed))
        return
    table = {
        packed.name: {
            **packed.setup.as_dict(),
            "seeds": packed.won.own,
            "opponent_seeds": packed.won.opponents,
            **packed.counts._asdict(),
            "matrix": packed.won.digest(),
        }
        for packed in found
    }
    print(json.dumps(table, indent=2))
