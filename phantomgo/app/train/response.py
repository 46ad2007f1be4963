"""`phantomgo train response`: teach a player to beat one bot, and measure what they win."""

import argparse

from phantomgo.app.command import add_options, call, interruptible, settle
from phantomgo.lab.verbs.training import respond


def configure_response(parser: argparse.ArgumentParser) -> None:
    add_options(parser, respond, positional=("bot",))


def run_response(arguments: argparse.Namespace) -> int:
    settle(respond, arguments)
    with interruptible() as ended:
        print(call(respond, arguments, progress=ended.shown).text())
    return ended.code
