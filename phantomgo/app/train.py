"""`phantomgo train`: lessons, nets, best responses, and curves of winning.

Training needs the extra `train` (PyTorch); playing does not.
"""

import argparse
from collections.abc import Mapping
from typing import Final

from bots.nets import Net
from phantomgo.app.command import Action, add_actions, add_verb
from phantomgo.lab.teaching.curves import Fitted
from phantomgo.lab.verbs.training import fit_value, give_lessons, respond, train_net
from phantomgo.match.report import Report


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)


def lessons(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, give_lessons, lambda _: "", required=("games", "store"))


def net(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, train_net, _held_out, positional=("subject", "games"))


def response(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, respond, Report.text, positional=("bot",))


def value(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, fit_value, _fitted, positional=("games",))


ACTIONS: Final[Mapping[str, Action]] = {
    "lessons": (lessons, "label positions with a full-information search"),
    "net": (net, "train a belief net, or a judge of candidates"),
    "response": (response, "train a best response to one bot, and measure what it wins"),
    "value": (value, "calibrate playout share to winning probability"),
}


def _held_out(net: Net) -> str:
    return "\n".join(
        f"{name}: " + ", ".join(f"{key} {figure}" for key, figure in figures.items())
        for name, figures in net.held_out.items()
    )


def _fitted(curves: Mapping[str, Fitted]) -> str:
    return "\n".join(
        f"{kind}: {fit.games} games, {fit.positions} turns; log loss {fit.log_loss} of games"
        f" not fitted to, of the share itself {fit.raw_log_loss}"
        for kind, fit in curves.items()
    )
