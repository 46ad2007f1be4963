"""`phantomgo matrix`: a store of games as a small file to keep, and back."""

import argparse
import json
from pathlib import Path

from phantomgo.app.numbers import natural
from phantomgo.errors import BadText
from phantomgo.portfolio.packed import Packed, names, pack, read, unpack, write
from phantomgo.portfolio.shelf import NAME
from phantomgo.portfolio.store import Setup, Store


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("list", "show", "pack", "unpack"))
    parser.add_argument(
        "matrix", nargs="?", metavar="NAME", help="a matrix's name, or a .json file"
    )
    parser.add_argument("--store", metavar="FILE", help="the games: packed, or where they go")
    parser.add_argument(
        "--seeds", type=natural, help="pack: own seeds (default: the largest square)"
    )
    parser.add_argument(
        "--opponent-seeds", type=natural, help="pack: opponent seeds (default: as many)"
    )
    parser.add_argument("--json", action="store_true", help="list, show: print JSON")
    parser.set_defaults(usage_error=parser.error)


def run(arguments: argparse.Namespace) -> int:
    action, name = arguments.action, arguments.matrix
    if (name is None) != (action == "list"):
        arguments.usage_error("list takes no NAME" if name else f"{action} needs a NAME")
    if (arguments.store is not None) != (action in ("pack", "unpack")):
        needs = "takes no" if arguments.store else "needs a"
        arguments.usage_error(f"{action} {needs} --store")
    if action == "pack":
        with Store(arguments.store) as store:
            packed = _pack(store, arguments)
        write(packed, Path(name))
    elif action == "unpack":
        packed = read(name)
        with Store(arguments.store, packed.setup) as store:
            unpack(packed, store)
    else:
        _show([name] if name else names(), arguments.json)
        return 0
    print(summary(packed))
    return 0


def title(setup: Setup) -> str:
    """What games are of, on one line."""
    bots = setup.black if setup.black == setup.white else f"{setup.black} against {setup.white}"
    rules = setup.rules
    return f"{rules.size}x{rules.size}, {bots}, komi {rules.komi:g}, {setup.profile}"


def summary(packed: Packed) -> str:
    """A matrix on one line."""
    tally, seeds = packed.tally, f"{packed.won.own} seeds"
    if packed.won.opponents != packed.won.own:
        seeds += f" against {packed.won.opponents}"
    drawn = f", {100 * tally.draws / tally.games:.1f} % drawn" if tally.draws else ""
    won = f"Black won {100 * tally.black_wins / tally.games:.1f} %{drawn}"
    return f"{packed.name}: {title(packed.setup)}; {seeds}, {tally.games} games, {won}"


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
