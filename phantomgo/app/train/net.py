"""`phantomgo train net`: teach a net from games, and write its file."""

import argparse

from phantomgo.app.command import add_options, call
from phantomgo.app.progress import Shown
from phantomgo.lab.verbs.training import train_net


def configure_net(parser: argparse.ArgumentParser) -> None:
    add_options(parser, train_net, positional=("subject", "games"))


def run_net(arguments: argparse.Namespace) -> int:
    net = call(train_net, arguments, progress=Shown())
    for name, figures in net.held_out.items():
        print(f"{name}: " + ", ".join(f"{key} {figure}" for key, figure in figures.items()))
    return 0
