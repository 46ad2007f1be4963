"""`phantomgo evaluate moves`: a book of moves on fresh seeds."""

import argparse
import json
from typing import Any

from phantomgo.app.command import add_options, call, settle
from phantomgo.app.progress import Shown
from phantomgo.lab.growth import Measured
from phantomgo.lab.verbs.measuring import evaluate_moves
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.movebook import MoveBook
from phantomgo.wording import counted


def configure_moves(parser: argparse.ArgumentParser) -> None:
    add_options(parser, evaluate_moves, positional=("book",))
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_moves(arguments: argparse.Namespace) -> int:
    settle(evaluate_moves, arguments)
    trial = call(evaluate_moves, arguments, progress=Shown())
    if arguments.json:
        print(json.dumps(_as_json(*trial), indent=2))
    else:
        print(_as_text(*trial))
    return 0


def _as_json(book: MoveBook, bot: str, found: Measured) -> dict[str, Any]:
    tries = [k for k in EXPLOITERS if k < len(found.rates.black)]
    return {
        "book": book.name,
        "bot": bot,
        "games": found.games,
        "exploiters": {str(k): found.exploited(k)._asdict() for k in tries},
        "depth": {str(colour): depth._asdict() for colour, depth in found.depth.items()},
    }


def _as_text(book: MoveBook, bot: str, found: Measured) -> str:
    tests = len(found.rates.black)
    title = f"{book.name} with {bot} against {bot}: {tests} fresh seeds of either colour"
    lines = [f"{title}, {counted(found.games, 'game')} each; winning rate in % ± standard error"]
    for k in (k for k in EXPLOITERS if k < tests):
        rate = found.exploited(k)
        lines.append(
            f"  K'={k:<3d}{100 * rate.rate:5.1f} ± {100 * rate.error:4.1f}"
            f"  (Black {100 * rate.black:.1f}, White {100 * rate.white:.1f})"
        )
    for colour, depth in found.depth.items():
        lines.append(
            f"  {colour}: {depth.attempts:.2f} attempts of a game from the book,"
            f" {depth.first:.2f} before the first other one"
        )
    return "\n".join(lines)
