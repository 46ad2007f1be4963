"""`phantomgo adapter -- ENGINE`: gtp/adapter.py on stdin and stdout."""

import argparse
import logging
import os
import sys
import time

from gtp.adapter import adapter
from gtp.channel import ChannelError, ProcessChannel
from gtp.player import EnginePlayer
from phantomgo.app.gtp import serve
from phantomgo.app.options import add_patience, add_rules, patience
from phantomgo.rules import Rules


def configure(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    add_patience(parser)
    parser.add_argument("engine", nargs="+", metavar="ENGINE", help="the engine's command line")


def run(arguments: argparse.Namespace) -> int:
    rules = Rules.profile(arguments.rules)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(message)s")
    engine = EnginePlayer(
        lambda: ProcessChannel(arguments.engine),
        os.path.basename(arguments.engine[0]),
        patience=patience(arguments.patience),
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
