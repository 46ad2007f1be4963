"""`phantomgo adapter -- ENGINE`: gtp/adapter.py on stdin and stdout."""

import argparse
import logging
import os
import sys
import time

from gtp.adapter import adapter
from gtp.channel import ChannelError, ProcessChannel
from gtp.player import PATIENT, EnginePlayer
from phantomgo.app.gtp import serve
from phantomgo.errors import BadText
from phantomgo.rules import PROFILES, Rules


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        metavar="PROFILE",
        default="olympiad",
        help=f"who is told what: {', '.join(PROFILES)} (default olympiad)",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        default=600,
        help="for a move of the engine (default 600)",
    )
    parser.add_argument("engine", nargs="+", metavar="ENGINE", help="the engine's command line")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.patience > 0:
        raise BadText(f"--patience {arguments.patience:g} is not above 0")
    rules = Rules.profile(arguments.rules)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    engine = EnginePlayer(
        lambda: ProcessChannel(arguments.engine),
        os.path.basename(arguments.engine[0]),
        patience=PATIENT._replace(move=arguments.patience),
    )
    try:
        engine.check()
    except ChannelError as error:
        print(f"phantomgo adapter: the engine {error}", file=sys.stderr)
        return 1
    session = adapter(engine, rules, time.process_time, time.monotonic)
    try:
        with open(0, "rb", closefd=False) as commands, open(1, "wb", closefd=False) as responses:
            serve(session, commands, responses)
    except (KeyboardInterrupt, ConnectionError):
        return 0
    finally:
        engine.close()
    return 0
