"""The cases of the bench: the kernel alone, flatmc's decisions, and whole games."""

from collections.abc import Callable
from typing import Final

import numpy as np

from bots import make
from bots.belief import candidates, presume_refused
from bots.kernels.playouts import play_out
from bots.kernels.positions import position_of
from bots.kernels.rows import workspace
from bots.kernels.tasks import only_task
from bots.worlds import UNIFORM, as_array, as_bytes
from phantomgo.board import Board
from phantomgo.game import play_game
from phantomgo.lab.lockstep.batch import play_batch, whole
from phantomgo.messages import Accepted, Moved
from phantomgo.points import BLACK
from phantomgo.rng import Stream
from phantomgo.rules import Reason, Rules
from phantomgo.view import View

DECISION: Final = 1000
"""Playouts of a measured decision."""

GAME: Final = 200
"""Playouts per decision in a measured game."""


def views(size: int) -> dict[str, View]:
    """Black's views of the empty board and of one with 15 % own and as many hidden stones."""
    rules = Rules(size=size)
    empty = middle = View(rules, BLACK)
    stones, stream = Board(size), Stream(size)
    pool = list(range(size * size))
    while pool and stones.black.bit_count() < round(0.15 * size * size):
        point = pool.pop(stream.below(len(pool)))
        played = stones.play(BLACK, point)
        if not isinstance(played, Reason):
            stones = played.board
            middle = middle.after(Accepted(point)).after(Moved())
    return {"empty": empty, "middle": middle}


def playouts(view: View, *, amaf: bool = False) -> Callable[[int], tuple[int, int]]:
    """The kernel on the worlds of a view, candidates dealt evenly; moves include passes."""
    size = view.rules.size

    def play(number: int) -> tuple[int, int]:
        belief = presume_refused(view)
        points = as_array(candidates(view, belief), size)
        sets = (as_bytes(points, size * size) for points in belief[:3])
        position = position_of(sets, UNIFORM, belief.hidden, size)
        moves = play_out(
            *workspace(size), size, *position, only_task(len(points), number, key=1, need=0),
            np.arange(len(points)), points,
            np.zeros((3, len(points)), np.int64),
            np.zeros((2, size * size if amaf else 0), np.int64),
        )  # fmt: skip
        return number, int(moves)

    return play


def decisions(view: View) -> Callable[[int], tuple[int, int]]:
    """Decisions of flatmc in a view, each with another seed."""

    def decide(number: int) -> tuple[int, int]:
        for seed in range(number):
            make(f"flatmc:playouts={DECISION}", seed).propose(view)
        return number, 0

    return decide


def games(size: int) -> Callable[[int], tuple[int, int]]:
    """Games of flatmc against itself with referee and views, the same in every sample."""
    spec, rules = f"flatmc:playouts={GAME}", Rules(size=size)

    def play(number: int) -> tuple[int, int]:
        records = [
            play_game(rules, make(spec, 2 * i), make(spec, 2 * i + 1)) for i in range(number)
        ]
        return number, sum(len(record.attempts) for record in records)

    return play


def games_in_lock_step(size: int) -> Callable[[int], tuple[int, int]]:
    """The same games in lock step."""
    spec, rules = f"flatmc:playouts={GAME}", Rules(size=size)

    def play(number: int) -> tuple[int, int]:
        play_batch(rules, spec, spec, 0, [(whole(2 * i), whole(2 * i + 1)) for i in range(number)])
        return number, 0

    return play
