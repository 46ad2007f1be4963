"""`phantomgo warm`: compile kernels in advance."""

import logging
import sys
from collections.abc import Sequence
from itertools import product
from typing import Final

from bots import make
from phantomgo.app.command import of_command
from phantomgo.app.progress import progress
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.admission import Named, game_of, spec_of
from phantomgo.lab.players.ready import get_ready

SIZES: Final = (5, 7, 9, 19)
"""One board of each kind that kernels are compiled for: up to 8x8, up to 15x15, and larger; and
5x5, where `phantom` may play by a policy.
"""


def warm(bots: Sequence[Named] = ("phantom",), *, sizes: Sequence[int] = SIZES) -> None:
    """Compile the kernels that bots use, at komi 7.5 and at the even komi of each board.

    Args:
        bots: the bots.
        sizes: points per side; the default has one of each board class, and 5x5.
    """
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    # Report errors before the long wait.
    games = [(Game(Rules(size=size)), game_of("olympiad", size, None)) for size in sizes]
    specs = [spec_of(bot) for bot in bots]
    for spec, (game, _) in product(specs, games):
        make(spec, game, 0)
    with progress("bots made ready", len(specs) * len(games)) as advance:
        for spec, both in product(specs, games):
            for each in both:
                get_ready(spec, each)
            advance(1)


configure = of_command(warm)
