"""`phantomgo moves`: grow a book of moves from games of a bot against itself, and measure it."""

import argparse
import json
from typing import Any

from phantomgo.app.command import add_options, call, settle
from phantomgo.app.progress import Shown
from phantomgo.app.tree import moves_summary
from phantomgo.lab.moves import Measured
from phantomgo.lab.verbs.learning import learn_moves
from phantomgo.lab.verbs.measuring import evaluate_moves
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.moves import MoveBook
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    learn = actions.add_parser("learn", help="grow a book")
    add_options(learn, learn_moves, required=("store", "out"))
    test = actions.add_parser("evaluate", help="measure a book on fresh seeds")
    add_options(test, evaluate_moves, positional=("book",))
    test.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    settle(learn_moves if arguments.action == "learn" else evaluate_moves, arguments)
    if arguments.action == "learn":
        print(moves_summary(call(learn_moves, arguments, progress=Shown())))
        return 0
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
