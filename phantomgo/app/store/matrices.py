"""`phantomgo store pack`, `unpack` and `matrices`: games as a small file to keep, and back."""

import argparse
import json
from collections.abc import Sequence

from phantomgo.app.command import integer
from phantomgo.app.summaries import matrix_summary
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.files import named_file
from phantomgo.lab.seeds import SeedStore, pack, unpack
from phantomgo.portfolio.packed import MAX_SEEDS, matrix_names, read_matrix, write_matrix


def configure_pack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matrix", metavar="FILE", help="the matrix to write, NAME.json")
    _add_store(parser)
    parser.add_argument(
        "--seeds", type=integer, metavar="N", help="own seeds (default: the largest square)"
    )
    parser.add_argument(
        "--opponent-seeds", type=integer, metavar="N", help="opponent seeds (default: as many)"
    )


def configure_unpack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matrix", metavar="NAME", help="a matrix's name, or a .json file")
    _add_store(parser)


def configure_matrices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", metavar="FILE", required=True, help="the games: packed, or where they go"
    )


def run_pack(arguments: argparse.Namespace) -> int:
    file = named_file("matrix", arguments.matrix)
    for what in ("seeds", "opponent_seeds"):
        if (value := getattr(arguments, what)) is not None:
            whole(what.replace("_", " "), value, 1, MAX_SEEDS)
    with SeedStore(arguments.store) as store:
        if store.leave:
            raise BadText(f"{arguments.store} is of seeds that are left, which matrices are not")
        own, opponents = store.sizes(arguments.seeds, arguments.opponent_seeds)
        packed = pack(store, file.stem, own, opponents)
    write_matrix(packed, file)
    print(matrix_summary(packed))
    return 0


def run_unpack(arguments: argparse.Namespace) -> int:
    packed = read_matrix(arguments.matrix)
    with SeedStore(arguments.store, packed.setup) as store:
        unpack(packed, store)
    print(matrix_summary(packed))
    return 0


def run_matrices(arguments: argparse.Namespace) -> int:
    show_matrices(matrix_names(), as_json=arguments.json)
    return 0


def show_matrices(wanted: Sequence[str], *, as_json: bool) -> None:
    """Print who played in matrices, and how many games."""
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
