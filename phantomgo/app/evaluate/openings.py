"""`phantomgo evaluate openings`: what the first decisions of a matrix's seeds are worth."""

import argparse
import json

from phantomgo.app.command import integer
from phantomgo.checks import whole
from phantomgo.errors import BadText
from phantomgo.lab.measure.compare import EXPLOITERS
from phantomgo.lab.measure.decisions import Step, steps
from phantomgo.points import vertex
from phantomgo.portfolio.packed import Packed, read_matrix
from phantomgo.portfolio.setup import Setup


def configure_openings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matrix", metavar="NAME", help="a matrix's name, or a .json file")
    parser.add_argument(
        "--length", type=integer, default=3, metavar="N", help="how many decisions (default 3)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_openings(arguments: argparse.Namespace) -> int:
    whole("length", arguments.length, 1, 100)
    _openings(read_matrix(arguments.matrix), arguments.length, as_json=arguments.json)
    return 0


def _openings(packed: Packed, length: int, *, as_json: bool) -> None:
    """Print the value of each decision, in Markdown or as JSON with rates as fractions of 1."""
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
