"""`phantomgo train`: lessons, and nets.

Training needs the extra `train` (PyTorch); playing does not.
"""

from collections.abc import Mapping
from typing import Final

from bots.nets import Net
from phantomgo.app.command import Action, of_actions, of_verb
from phantomgo.lab.verbs.training import give_lessons, train_net


def _held_out(net: Net) -> str:
    return "\n".join(
        f"{name}: " + ", ".join(f"{key} {figure}" for key, figure in figures.items())
        for name, figures in net.held_out.items()
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
}
configure = of_actions(ACTIONS)
