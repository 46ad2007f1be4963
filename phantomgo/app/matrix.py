"""`phantomgo matrix`: a store of games as a small file to keep, and back."""

import argparse
import json
from pathlib import Path

from phantomgo.app.numbers import natural
from phantomgo.app.summaries import matrix_summary
from phantomgo.errors import BadText
from phantomgo.files import NAME
from phantomgo.lab.compare import EXPLOITERS
from phantomgo.lab.decisions import Step, steps
from phantomgo.lab.seeds import SeedStore, pack, unpack
from phantomgo.points import vertex
from phantomgo.portfolio.packed import Packed, matrix_names, read_matrix, write_matrix
from phantomgo.portfolio.setup import Setup


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    parts = {
        "list": actions.add_parser("list", help="the shipped matrices"),
        "show": actions.add_parser("show", help="one of them, or a file"),
        "pack": actions.add_parser("pack", help="the games of a store into a file"),
        "unpack": actions.add_parser("unpack", help="a matrix's games into a store"),
        "openings": actions.add_parser(
            "openings", help="what the first decisions of its seeds are worth"
        ),
    }
    for action in ("show", "pack", "unpack", "openings"):
        parts[action].add_argument(
            "matrix", metavar="NAME", help="a matrix's name, or a .json file"
        )
    parts["openings"].add_argument(
        "--length", type=natural, default=3, metavar="N", help="how many decisions (default: 3)"
    )
    for action in ("list", "show", "openings"):
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
    if action == "openings":
        _openings(read_matrix(arguments.matrix), arguments.length, as_json=arguments.json)
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


def _openings(packed: Packed, length: int, *, as_json: bool) -> None:
    """What each decision is worth, in Markdown or as JSON, whose rates are fractions of 1."""
    if not isinstance(packed.setup, Setup):
        raise BadText(f"matrix {packed.name} is of {packed.setup.title}, not of Phantom Go")
    size, found = packed.setup.rules.size, steps(packed.setup, packed.whole, length)
    if as_json:
        table = [
            {
                **step._asdict(),
                "chosen": [[vertex(move, size) for move in moves] for moves in step.chosen],
                "rates": step.rates.mean(axis=0).tolist(),
                "errors": (step.rates.std(axis=0, ddof=1) / len(step.rates) ** 0.5).tolist(),
            }
            for step in found
        ]
        print(json.dumps({"matrix": packed.name, "exploiters": EXPLOITERS, "steps": table}))
        return
    print(
        f"{packed.name}: {packed.setup.title}; as Black, as White. Winning rates in % ± standard"
        " error of the seeds that begin best, on seeds that took no part.\n\n"
        "| decisions | beginnings | explain | best | seeds | "
        + " | ".join(f"K'={exploiter}" for exploiter in EXPLOITERS)
        + " |\n|---|---|---|---|---|"
        + "---|" * len(EXPLOITERS)
    )
    for step in found:
        print(f"| {_row(step, size)} |")


def _row(step: Step, size: int) -> str:
    """A row of the table of openings."""
    best = (" ".join(vertex(move, size) for move in moves) or "-" for moves in step.chosen)
    rates = zip(step.rates.mean(axis=0), step.rates.std(axis=0, ddof=1), strict=True)
    return " | ".join(
        [
            str(step.length),
            ", ".join(map(str, step.number)),
            ", ".join("-" if part is None else f"{100 * part:.0f} %" for part in step.explained),
            ", ".join(best),
            ", ".join(map(str, step.kept)),
            *(f"{100 * m:.1f} ± {100 * d / len(step.rates) ** 0.5:.1f}" for m, d in rates),
        ]
    )
