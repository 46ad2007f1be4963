"""`phantomgo train`: lessons, nets, best responses, and curves of winning.

Training needs the extra `train` (PyTorch); playing does not.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bots.nets import Net
from phantomgo.app import plots
from phantomgo.app.command import (
    Action,
    add_actions,
    add_options,
    add_verb,
    call,
    interruptible,
    print_json,
    settle,
)
from phantomgo.lab.teaching.curves import Fitted
from phantomgo.lab.verbs.training import (
    fit_value,
    give_lessons,
    learn_from_outcomes,
    respond,
    train_net,
)
from phantomgo.match.report import Report


def configure(parser: argparse.ArgumentParser) -> None:
    add_actions(parser, ACTIONS)


def lessons(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, give_lessons, lambda _: "", required=("games", "store"))


def net(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, train_net, _held_out, positional=("subject", "games"))


def response(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, respond, Report.text, positional=("bot",))


def outcomes(parser: argparse.ArgumentParser) -> None:
    add_options(parser, learn_from_outcomes, positional=("bot",))
    parser.add_argument(
        "--plot", metavar="FILE", help="draw NAME-tests.svg and NAME-weights.svg (matplotlib)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_outcomes)


def _outcomes(arguments: argparse.Namespace) -> int:
    if arguments.plot is not None:
        plots.check(Path(arguments.plot))
    settle(learn_from_outcomes, arguments)
    with interruptible() as ended:
        found = call(learn_from_outcomes, arguments, progress=ended.shown)
        if arguments.plot is not None:
            plots.draw_taught(Path(arguments.plot), found)
        if arguments.json:
            print_json(found.as_dict())
        else:
            print(found.text())
    return ended.code


def value(parser: argparse.ArgumentParser) -> None:
    add_verb(parser, fit_value, _fitted, positional=("games",))


ACTIONS: Final[Mapping[str, Action]] = {
    "lessons": (lessons, "label positions with a full-information search"),
    "net": (net, "train a belief net, or a judge of candidates"),
    "outcomes": (outcomes, "move a player's weights by who wins games"),
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
