"""`phantomgo train`: train a policy network by games against itself."""

import argparse
import shlex

from phantomgo.app.command import add_options, perform
from phantomgo.lab.api.training import train


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, train)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    ended = perform(train, arguments)
    if ended.result is not None:
        of = ended.result.learned_from
        bot, where = f"policy:net={shlex.quote(arguments.out)}", f"--size {of['size']}"
        where += f" --komi {of['komi']:g}"
        print(f"{arguments.out} has learned from {of['attempts']} attempts")
        print("train it further by the same command, play against it, and measure it:")
        print(f"  phantomgo play --bot {bot} {where}")
        print(f"  phantomgo match --black {bot} --white phantom:playouts=200 {where} --games 400")
    return ended.code
