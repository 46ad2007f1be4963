"""`phantomgo prior`: learn from games where hidden stones stand, and write bots/prior.json."""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

import phantomgo
from phantomgo.app.numbers import komi, natural, whole
from phantomgo.app.progress import progress
from phantomgo.app.workers import cores, workers
from phantomgo.files import write_whole
from phantomgo.rules import Rules

SMOOTHING: Final = 20
"""Stones, seen and expected, added to every situation: a rare one stays near 1."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bots", nargs="+", required=True, metavar="SPEC", help="who plays")
    parser.add_argument("--size", type=natural, default=9, help="points per side (default 9)")
    parser.add_argument("--komi", type=komi, default=5.5, help="default 5.5")
    parser.add_argument("--games", type=natural, default=500, help="default 500")
    parser.add_argument("--first-seed", type=whole, default=700_000, help="default 700000")
    parser.add_argument("--out", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")


def run(arguments: argparse.Namespace) -> int:
    from bots.prior import weights_from  # noqa: PLC0415  (compiled code)

    rules = Rules(size=arguments.size, komi=arguments.komi)
    count = partial(count_game, rules, tuple(arguments.bots), arguments.first_seed)
    totals = np.zeros((2, 5, 5, 5))
    with progress("games", arguments.games) as advance, workers(arguments.jobs) as executor:
        for game in executor.map(count, range(arguments.games)):
            totals += game
            advance(1)
    seen, expected = totals
    ratios = (seen + SMOOTHING) / (expected + SMOOTHING)
    made = {
        "learned_from": {
            "bots": arguments.bots,
            "rules": rules.as_dict(),
            "games": arguments.games,
            "first_seed": arguments.first_seed,
            "hidden_stones_seen": int(seen.sum()),
            "phantomgo": phantomgo.__version__,
        },
        "axes": ["line from the edge", "own neighbours", "enemy neighbours"],
        "weights": weights_from(ratios).tolist(),
    }
    write_whole(Path(arguments.out), json.dumps(made) + "\n")
    return 0


def count_game(rules: Rules, specs: tuple[str, ...], first_seed: int, number: int) -> np.ndarray:
    """Play one game; for each situation, hidden stones seen there and expected, shape (2, 5, 5, 5).

    Expected are the stones of an even spread over the open points. Specs take turns.
    """
    from bots import make  # noqa: PLC0415
    from bots.belief import believe  # noqa: PLC0415
    from bots.prior import situations  # noqa: PLC0415
    from bots.worlds import as_flags  # noqa: PLC0415
    from phantomgo.points import Colour  # noqa: PLC0415
    from phantomgo.referee import Referee  # noqa: PLC0415

    referee, counts = Referee(rules), np.zeros((2, 5, 5, 5))
    players = {
        colour: make(specs[(number + colour) % len(specs)], first_seed + 2 * number + colour)
        for colour in Colour
    }
    while referee.outcome is None:
        colour = referee.to_move
        view = referee.view(colour)
        belief = believe(view)
        if belief.hidden:
            where = as_flags(belief.open, rules.size).astype(bool)
            cells = tuple(axis[where] for axis in situations(belief, rules.size))
            truth = as_flags(referee.board.stones(colour.other), rules.size)[where]
            np.add.at(counts[0], cells, truth)
            np.add.at(counts[1], cells, belief.hidden / where.sum())
        referee.attempt(colour, players[colour].propose(view))
    return counts
