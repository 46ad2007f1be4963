"""`phantomgo warm`: compile kernels in advance."""

import logging
import sys
import time
from collections.abc import Sequence
from typing import Final

from bots import make
from phantomgo.app.command import of_command
from phantomgo.lab.seat import Named, spec_of
from phantomgo.messages import Moved
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View

SIZES: Final = (7, 9, 19)
"""One board of each kind that kernels are compiled for: up to 8x8, up to 15x15, and larger."""


def warm(bots: Sequence[Named] = ("phantom",), *, sizes: Sequence[int] = SIZES) -> None:
    """Compile the kernels that bots use, and say how long it took.

    Args:
        bots: the bots.
        sizes: points per side; the default has one of each kind of board.
    """
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says what is compiled
    specs = [spec_of(bot) for bot in bots]
    for size in sizes:
        Rules(size=size)  # report errors before the long wait
    for spec in specs:
        make(spec, 0)
    for spec in specs:
        for size in sizes:
            began = time.monotonic()
            bot = make(spec, 0)
            bot.warm_up(size)
            # A decision compiles what warming up leaves out.
            bot.decide(View(Rules(size=size), BLACK).after(Moved()))
            print(f"{spec} on {size}x{size}: ready after {time.monotonic() - began:.1f} s")


configure = of_command(warm)
