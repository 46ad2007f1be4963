"""`phantomgo lessons`: play games, and ask at every attempt one who knows all stones.

Every game is saved before it counts: the same command goes on where another run has left off.
"""

import argparse
import logging
import sys

from bots.newest import NET
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import natural
from phantomgo.errors import Abandoned
from phantomgo.lab.workers import checked_jobs, cores
from phantomgo.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--black", metavar="SPEC", default="phantom", help="default: phantom")
    parser.add_argument("--white", metavar="SPEC", default="phantom", help="default: phantom")
    parser.add_argument("--games", type=natural, required=True, help="an even number")
    parser.add_argument("--size", type=int, default=9, help="points per side (default 9)")
    parser.add_argument("--komi", type=float, help="points White is given (default: the rules')")
    parser.add_argument(
        "--net",
        metavar="NET",
        default=NET,
        help=f"by whose odds the worlds of first rounds are drawn (default {NET})",
    )
    parser.add_argument("--seed", type=natural, default=0, help="gives all seeds (default 0)")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    add_dask(parser)
    parser.add_argument("--store", metavar="FILE", required=True, help="where the lessons are kept")


def run(arguments: argparse.Namespace) -> int:
    from phantomgo.lab.lessons import OLYMPIAD, LessonPlan, gather  # noqa: PLC0415
    from phantomgo.lab.store import Store  # noqa: PLC0415

    jobs = checked_jobs(arguments.jobs)
    rules = Rules.profile(OLYMPIAD, size=arguments.size, komi=arguments.komi)
    plan = LessonPlan.between(
        (arguments.black, arguments.white), arguments.games, arguments.seed, rules,
        arguments.net,
    )  # fmt: skip
    logging.basicConfig(stream=sys.stderr, format="phantomgo: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    with (
        Store(arguments.store, plan.players, plan.terms) as store,
        crew(jobs, arguments.dask) as (workers, shown),
        shown.stage("games", arguments.games) as advance,
    ):
        try:
            gather(plan, store, workers, shown, advance)
        except Abandoned:
            raise
        except KeyboardInterrupt:
            shown.note("interrupted; the same command goes on")
            return 130
    return 0
