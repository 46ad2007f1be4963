"""`phantomgo train value`: calibrate playout share to winning probability."""

import argparse

from phantomgo.app.command import add_options, call
from phantomgo.app.progress import Shown
from phantomgo.lab.verbs.training import fit_value


def configure_value(parser: argparse.ArgumentParser) -> None:
    add_options(parser, fit_value, positional=("games",))


def run_value(arguments: argparse.Namespace) -> int:
    for kind, fit in call(fit_value, arguments, progress=Shown()).items():
        print(
            f"{kind}: {fit.games} games, {fit.positions} turns; log loss {fit.log_loss} of games"
            f" not fitted to, of the share itself {fit.raw_log_loss}"
        )
    return 0
