"""`phantomgo bridge PLATFORM`: a bot of ours on the protocol of another platform."""

import argparse
import logging
import secrets
import sys

from bots import make
from bots.seeded import check_rules
from gtp.sau import Bridge
from phantomgo.app.gtp import DEFAULT_BOT
from phantomgo.app.roster import add_players_file, roster
from phantomgo.rng import MAX_SEED, checked_seed
from phantomgo.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("platform", choices=["sau"], help="sau: the CCGC's platform")
    parser.add_argument("--bot", metavar="SPEC", default=DEFAULT_BOT, help="the bot that plays")
    add_players_file(parser)
    parser.add_argument("--seed", type=int, help="its seed in every game (default: a fresh one)")
    parser.add_argument("--name", default="phantomgo", help="what the platform is told")
    parser.add_argument("--size", type=int, default=9, help="points per side (default 9)")


def run(arguments: argparse.Namespace) -> int:
    seed = arguments.seed
    if seed is not None:
        checked_seed(seed)
    roster(arguments).settle(arguments, "bot")
    make(arguments.bot, 0)  # a wrong spec is told now
    rules = Rules.profile("ccgc", size=arguments.size)
    check_rules(arguments.bot, rules)
    logging.basicConfig(stream=sys.stderr, format="phantomgo bridge: %(message)s")
    bridge = Bridge(
        lambda: make(arguments.bot, secrets.randbelow(MAX_SEED + 1) if seed is None else seed),
        rules,
        arguments.name,
    )
    try:
        for line in sys.stdin:
            answer = bridge.run(line)
            if answer is not None:
                print(answer, flush=True)
            if bridge.closed:
                break
    except (KeyboardInterrupt, BrokenPipeError):
        return 0
    return 0
