"""`phantomgo train`: lessons, nets, best responses, and curves of winning.

Training needs the extra `train` (PyTorch); playing does not.
"""

from collections.abc import Mapping
from typing import Final

from bots.nets import Net
from phantomgo.app import plots
from phantomgo.app.command import Action, Plot, of_actions, of_verb
from phantomgo.lab.teaching.curves import Fitted
from phantomgo.lab.teaching.taught import Taught
from phantomgo.lab.verbs.training import (
    fit_value,
    give_lessons,
    learn_from_outcomes,
    respond,
    train_net,
)
from phantomgo.match.report import Report

WEIGHTS: Final = Plot("NAME-tests.svg and NAME-weights.svg", plots.draw_taught)


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


ACTIONS: Final[Mapping[str, Action]] = {
    "lessons": (
        of_verb(give_lessons, lambda _: "", required=("games", "store")),
        "label positions with a full-information search",
    ),
    "net": (
        of_verb(train_net, _held_out, positional=("subject", "games")),
        "train a belief net, or a judge of candidates",
    ),
    "outcomes": (
        of_verb(learn_from_outcomes, Taught.text, Taught.as_dict, WEIGHTS, positional=("bot",)),
        "move a player's weights by who wins games",
    ),
    "response": (
        of_verb(respond, Report.text, positional=("bot",)),
        "train a best response to one bot, and measure what it wins",
    ),
    "value": (
        of_verb(fit_value, _fitted, positional=("games",)),
        "calibrate playout share to winning probability",
    ),
}
configure = of_actions(ACTIONS)
