"""`phantomgo matrix`: a store of games as a small file to keep, and back."""

import argparse
import json
from pathlib import Path

from phantomgo.app.numbers import natural
from phantomgo.errors import BadText
from phantomgo.portfolio.packed import Packed, names, pack, read, unpack, write
from phantomgo.portfolio.shelf import NAME
from phantomgo.portfolio.store import Setup, Store
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    parts = {
        "list": actions.add_parser("list", help="the matrices that come along"),
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
        _show(names() if action == "list" else [arguments.matrix], arguments.json)
        return 0
    if action == "pack":
        with Store(arguments.store) as store:
            packed = _pack(store, arguments)
        write(packed, Path(arguments.matrix))
    else:
        packed = read(arguments.matrix)
        with Store(arguments.store, packed.setup) as store:
            unpack(packed, store)
    print(summary(packed))
    return 0


def title(setup: Setup) -> str:
    """What games are of, on one line."""
    bots = setup.black if setup.black == setup.white else f"{setup.black} against {setup.white}"
    rules = setup.rules
    return f"{rules.size}x{rules.size}, {bots}, komi {rules.komi:g}, {setup.profile}"


def summary(packed: Packed) -> str:
    """A matrix on one line."""
    tally, seeds = packed.tally, counted(packed.won.own, "seed")
    if packed.won.opponents != packed.won.own:
        seeds += f" against {packed.won.opponents}"
    drawn = f", {100 * tally.draws / tally.games:.1f} % drawn" if tally.draws else ""
    won = f"Black won {100 * tally.black_wins / tally.games:.1f} %{drawn}"
    games = counted(tally.games, "game")
    return f"{packed.name}: {title(packed.setup)}; {seeds}, {games}, {won}"


def _pack(store: Store, arguments: argparse.Namespace) -> Packed:
    path = Path(arguments.matrix)
    if path.suffix != ".json" or not NAME.fullmatch(path.stem):
        raise BadText(f"{arguments.matrix!r} is not NAME.json with a plain name")
    own, opponents = sizes(store, arguments)
    return pack(store, path.stem, own, opponents)


def sizes(store: Store, arguments: argparse.Namespace) -> tuple[int, int]:
    """The own and opponent seeds that `--seeds` and `--opponent-seeds` ask for.

    Raises:
        BadText: there is no such matrix.
    """
    own = arguments.seeds or store.side()
    opponents = arguments.opponent_seeds or own
    if own == 0 or opponents > own:
        raise BadText(f"{store.path} has no matrix of {own} own and {opponents} opponent seeds")
    return own, opponents


def _show(wanted: list[str], as_json: bool) -> None:
    found = [read(name) for name in wanted]
    if not as_json:
        for packed in found:
            print(summary(packed))
        return
    table = {
        packed.name: {
            **packed.setup.entries(),
            "seeds": packed.won.own,
            "opponent_seeds": packed.won.opponents,
            **packed.tally._asdict(),
            "matrix": packed.won.digest(),
        }
        for packed in found
    }
    print(json.dumps(table, indent=2))
