"""`phantomgo response`: teach a player to beat one frozen bot, and measure what they win.

Games and nets are kept in a folder; the same command goes on where another run has left off, and
more rounds go on from those that are there. It needs the extra `train` (PyTorch).
"""

import argparse
import logging
import sys
from pathlib import Path

from bots.newest import SPEC
from phantomgo.app.crew import crew
from phantomgo.app.numbers import hint_at_komi, natural
from phantomgo.app.train import trainer
from phantomgo.errors import Abandoned, BadText
from phantomgo.lab.workers import checked_jobs, cores
from phantomgo.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="SPEC", help="the bot that is to be beaten")
    parser.add_argument(
        "--learner",
        metavar="SPEC",
        default=SPEC,
        help=f"`phantom` with a net and a judge, who learn on (default {SPEC})",
    )
    parser.add_argument("--size", type=int, default=9, help="points per side (default 9)")
    parser.add_argument("--komi", type=float, help="points White is given (default: the rules')")
    parser.add_argument("--rounds", type=natural, default=1, help="default 1")
    parser.add_argument("--games", type=natural, default=1000, help="of a round (default 1000)")
    parser.add_argument(
        "--steps", type=natural, default=2000, help="of training each net in a round (default 2000)"
    )
    parser.add_argument(
        "--test", type=natural, default=1000, help="games at last, which count (default 1000)"
    )
    parser.add_argument("--seed", type=natural, default=1, help="gives all seeds (default 1)")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    parser.add_argument("--folder", required=True, metavar="DIR", help="keeps games and nets")


def run(arguments: argparse.Namespace) -> int:
    from bots import make  # noqa: PLC0415  (compiled code, half a second)
    from bots.nets import NONE, read_net  # noqa: PLC0415
    from bots.phantom import Phantom  # noqa: PLC0415
    from phantomgo.lab.lessons import OLYMPIAD  # noqa: PLC0415
    from phantomgo.lab.response import Response  # noqa: PLC0415

    learner = make(arguments.learner, 0)
    if not isinstance(learner, Phantom) or NONE in (learner.net, learner.judge):
        raise BadText(f"--learner {arguments.learner[:60]} is not phantom:net=NET,judge=NET")
    rules = Rules.profile(OLYMPIAD, size=arguments.size, komi=arguments.komi)
    hint_at_komi(rules, arguments.komi)
    jobs, train = checked_jobs(arguments.jobs), trainer()
    from phantomgo.lab.training import check  # noqa: PLC0415  (an optional extra)

    check(read_net(learner.net), "stones")
    check(read_net(learner.judge, None), "judge")
    logging.basicConfig(stream=sys.stderr, format="phantomgo: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    with crew(jobs, None) as (workers, shown):
        response = Response(
            arguments.bot, learner, rules, arguments.games, arguments.steps, arguments.seed,
            Path(arguments.folder), train, workers, shown,
        )  # fmt: skip
        try:
            found = response.measure(arguments.rounds, arguments.test)
        except Abandoned:
            raise
        except KeyboardInterrupt:
            shown.note("interrupted; the same command goes on")
            return 130
    print(found.text())
    return 0
