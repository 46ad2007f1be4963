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
from phantomgo.rules import Rules

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
    for spec, _ in every:
        make(spec, 0)
    with progress("bots made ready", len(every)) as advance:
        for spec, rules in every:
            get_ready(spec, rules)
            advance(1)


configure = of_command(warm)
