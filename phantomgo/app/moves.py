"""`phantomgo moves`: grow a book of moves from games of a bot against itself, and measure it.

Every game is saved before it counts: stopped however you like, the same command goes on, with any
number of workers, and ends in the same book.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import bots
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import komi, natural, whole
from phantomgo.app.options import add_rules
from phantomgo.app.tree import moves_summary
from phantomgo.errors import BadText
from phantomgo.lab.books import changes
from phantomgo.lab.identity import identify
from phantomgo.lab.moves import THRESHOLDS, Measured, Plan, Trials, grow, measured, terms
from phantomgo.lab.seeds import make_setup
from phantomgo.lab.store import MEMORY, Store
from phantomgo.lab.workers import cores
from phantomgo.points import Colour
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.moves import MAX_DEPTH, MoveBook, read_moves, write_moves
from phantomgo.portfolio.shelf import NAME
from phantomgo.rules import Rules
from phantomgo.wording import counted


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    learn = actions.add_parser("learn", help="grow a book")
    learn.add_argument("--bot", required=True, metavar="SPEC", help="who plays and thinks")
    learn.add_argument("--size", required=True, type=natural, help="points per side")
    learn.add_argument("--komi", type=komi, help="default: the rules profile's")
    add_rules(learn)
    learn.add_argument("--method", choices=list(THRESHOLDS), default="mbm", help="default: mbm")
    learn.add_argument("--games", type=natural, required=True, help="how many are played")
    learn.add_argument(
        "--batch", type=natural, default=16, help="games played by the same book (default: 16)"
    )
    learn.add_argument(
        "--depth", type=natural, default=8, help="a player's moves that are kept (default: 8)"
    )
    learn.add_argument(
        "--least", type=natural, default=2, metavar="N",
        help="leave situations of fewer games out of the book (default: 2)",
    )  # fmt: skip
    learn.add_argument("--start", metavar="BOOK", help="a book of moves to begin with")
    learn.add_argument("--seed", type=whole, default=0, help="gives all seeds (default: 0)")
    learn.add_argument("--store", required=True, metavar="FILE", help="where the games are kept")
    learn.add_argument("--out", required=True, metavar="BOOK", help="the book, NAME.json")
    test = actions.add_parser("evaluate", help="measure a book on fresh seeds")
    test.add_argument("book", metavar="BOOK", help="a book's name, or a .json file")
    test.add_argument("--without", action="store_true", help="its bot alone, for comparison")
    test.add_argument(
        "--bot", metavar="SPEC", help="another bot for both sides, in place of its own"
    )
    test.add_argument("--test-seeds", type=natural, default=64, metavar="T", help="default: 64")
    test.add_argument(
        "--own-seeds", type=natural, default=32, metavar="N",
        help="games with seeds of its own against each (default: 32)",
    )  # fmt: skip
    test.add_argument("--store", metavar="FILE", help="where the games are kept")
    test.add_argument("--json", action="store_true", help="print JSON")
    for one in (learn, test):
        one.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
        add_dask(one)


def run(arguments: argparse.Namespace) -> int:
    return _learn(arguments) if arguments.action == "learn" else _evaluate(arguments)


def _learn(arguments: argparse.Namespace) -> int:
    out = Path(arguments.out)
    if out.suffix != ".json" or not NAME.fullmatch(out.stem) or not out.parent.is_dir():
        raise BadText(f"--out {arguments.out!r} is not NAME.json with a plain name in a folder")
    if arguments.depth > MAX_DEPTH:
        raise BadText(f"--depth {arguments.depth} is above {MAX_DEPTH}")
    start = None if arguments.start is None else read_moves(arguments.start)
    rules = Rules.profile(arguments.rules, size=arguments.size, komi=arguments.komi)
    if start is not None and start.setup.rules != rules:
        raise BadText(f"--start {start.name} is of {start.setup.title}")
    setup = make_setup(arguments.bot, arguments.bot, arguments.rules, rules)
    plan = Plan(setup, arguments.method, arguments.depth, arguments.batch, arguments.seed, start)
    with (
        Store(arguments.store, (setup.black, setup.white), terms(plan)) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        least = arguments.least
        for book in grow(plan, out.stem, arguments.games, least, store, workers, shown):
            write_moves(book, out)
    print(moves_summary(book))
    return 0


def _evaluate(arguments: argparse.Namespace) -> int:
    book = read_moves(arguments.book)
    if not arguments.bot and (found := changes(book, bots.make_installed)):
        raise BadText("; ".join(found))
    bot = bots.make(arguments.bot or book.player(Colour.BLACK), 0).name
    if arguments.without:
        book = MoveBook(book.name, book.setup, {}, {}, book.growth)
    contest = Trials(book, bot, (identify(bot, book.setup.rules),))
    first = 1_000_000  # far from any seed that anything was learned with
    own = range(first, first + arguments.own_seeds)
    tests = range(2 * first, 2 * first + arguments.test_seeds)
    with (
        Store(arguments.store or MEMORY, contest.players, contest.terms) as store,
        crew(arguments.jobs, arguments.dask) as (workers, shown),
    ):
        found_rates = measured(contest, store, own, tests, workers, shown)
    if arguments.json:
        print(json.dumps(_as_json(book, bot, found_rates), indent=2))
    else:
        print(_as_text(book, bot, found_rates))
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
