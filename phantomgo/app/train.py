"""`phantomgo train`: train a policy of views by games against itself."""

import shlex

from phantomgo.app.command import of_verb
from phantomgo.lab.api.training import Trained, train


def _text(trained: Trained) -> str:
    """The commands that play the policy, and measure it."""
    file = shlex.quote(str(trained.file))
    bot, where = f"policy:net={file}", f"--size {trained.size} --komi {trained.komi:g}"
    return "\n".join(
        [
            f"{trained.file}: a policy that has learned from {trained.attempts} attempts",
            "the same command goes on; play against it, and measure it:",
            f"  phantomgo play --bot {bot} {where}",
            f"  phantomgo match --black {bot} --white phantom:playouts=200 {where} --games 400",
        ]
    )


configure = of_verb(train, _text)
