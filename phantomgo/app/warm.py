"""`phantomgo warm`: compile kernels in advance."""

import logging
import sys
from collections.abc import Sequence
from typing import Final

from bots import make
from phantomgo.app.command import of_command
from phantomgo.app.progress import progress
from phantomgo.lab.ready import get_ready
from phantomgo.lab.seat import Named, spec_of
from phantomgo.messages import Moved
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View

SIZES: Final = (7, 9, 19)
"""One board of each kind that kernels are compiled for: up to 8x8, up to 15x15, and larger."""


def warm(bots: Sequence[Named] = ("phantom",), *, sizes: Sequence[int] = SIZES) -> None:
    """Compile the kernels that bots use.

    Args:
        bots: the bots.
        sizes: points per side; the default has one of each kind of board.
    """
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    # Report errors before the long wait.
    every = [(spec_of(bot), Rules(size=size)) for bot in bots for size in sizes]
    made = [make(spec, 0) for spec, _ in every]
    with progress("bots made ready", len(every)) as advance:
        for bot, (spec, rules) in zip(made, every, strict=True):
            get_ready(spec, rules.size)
            # A decision compiles what warming up leaves out.
            bot.decide(View(rules, BLACK).after(Moved()))
            advance(1)


configure = of_command(warm)
