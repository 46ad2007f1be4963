"""Decisions made by the lock step's kernels: tried in docs/notes/compiled_decision.md.

PYTHONPATH=.:docs/notes python docs/notes/compiled_bot.py games|first|after [CASE...]

The view is Python's, and is written into the words and sets of a game at a desk of one.
"""

import math
import sys
from functools import cache
from typing import Any

import numpy as np
from compiled_decision import CASES, first, games, one_by_one

from bots import make
from bots.bot import Bot
from bots.features import LOST, _captures, _placed
from bots.kernels.jit import entry
from bots.kernels.playouts import play_out
from bots.kernels.positions import holds
from bots.kernels.rows import workspace
from bots.kernels.tasks import PLAYOUTS
from bots.kernels.vectors import pointer
from bots.passing import SURE, WORLDS
from bots.worlds import as_bytes
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.game.view import View, symmetries_of_view
from phantomgo.lab.lockstep import batch
from phantomgo.lab.lockstep.kernels import layout
from phantomgo.lab.lockstep.kernels.decide import step
from phantomgo.lab.lockstep.kernels.desk import sets_at, task_at, words_at
from phantomgo.lab.lockstep.kernels.layout import NO_MOVE
from phantomgo.lab.lockstep.kernels.sets import ROWS

HEAD = 11
"""Numbers of a view before those of its refusals."""
NOTHING = np.zeros(0, np.int64)


@entry
def decide_at(addresses, numbers, sets, size):  # type: ignore[no-untyped-def, unused-ignore]
    """Write a view down at the desk and begin the decision; without numbers, continue it."""
    desk: Any = pointer(addresses)  # type: ignore[call-arg]
    task_at(desk, 0)[PLAYOUTS] = task_at(desk, 1)[PLAYOUTS] = 0
    if len(numbers):
        w, s = words_at(desk, 0), sets_at(desk, 0)
        side, refused = numbers[0], numbers[9]
        view, at = layout.words_of(w, side), layout.sets_of(side, size)
        w[layout.TO_MOVE], w[layout.PHASE] = side, layout.START
        view[layout.LINE], view[layout.LINE + 1] = numbers[1], 1 << 62
        for i in range(7):
            view[i] = numbers[2 + i]
        view[layout.REFUSED], view[layout.KEEPING] = refused, numbers[10]
        for p in range(layout.LOST_AT, layout.VIEW):
            view[p] = -1
        length, number = (size * size + 7) // 8, 0
        for number in range(3 + refused):
            for r in range(size):
                row = 0
                for c in range(size):
                    row |= holds(sets, 8 * number * length + r * size + c) << c
                s[(at + number) * ROWS + r] = np.uint32(row)
        for i in range(refused):
            view[layout.POINT_OF + i] = numbers[HEAD + 2 * i]
            view[layout.TURN_OF + i] = numbers[HEAD + 2 * i + 1]
        number = 3 + refused
        for i in range(HEAD + 2 * refused, len(numbers), 2):
            for p in range(size * size):
                if holds(sets, 8 * number * length + p):
                    view[numbers[i] + p] = numbers[i + 1]
            number += 1
    return step(desk, 0, size)


class Desk:
    """A desk of one game, for a spec and rules."""

    def __init__(self, bot: Bot) -> None:
        rules = bot.game.rules
        numbers = np.array([batch._numbers(bot)] * 2, np.int64)
        desk = batch._desk(rules, numbers, games=1, logged=0, kept=0)
        self.nets = [batch._net(bot, key) for _ in range(2) for key in ("net", "judge")]
        nets = [(net.channels, net.pairs) for net in self.nets]
        self.addresses, self.size = desk.addresses(nets, WORLDS, SURE), rules.size
        self.desk, self.folded = desk, bool(numbers[0, layout.FOLDED])
        self.netted = bool(numbers[0, layout.BY_NET] or numbers[0, layout.BY_JUDGE])
        self.task = (
            *workspace(rules.size), rules.size, desk.positions, desk.tables.reshape(-1), desk.tasks,
            desk.jobs, desk.candidates, desk.counts, desk.amaf_counts,
        )  # fmt: skip


@cache
def desk_of(spec: str, game: Game) -> Desk:
    """The desk that all bots of a spec share."""
    return Desk(make(spec, game, 0))


class Compiled:
    """A player."""

    def __init__(self, spec: str, game: Game, seed: int) -> None:
        self.name, self.seed, self.desk = spec, seed, desk_of(spec, game)

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        desk = self.desk
        points = desk.size**2
        numbers = [
            int(view.colour is not BLACK), self.seed, view.enemies, view.turn, view.refusals,
            view.opponent_turn, view.opponent_passed, view.taken, view.lost, len(view.refused),
            sum(1 << g for g in symmetries_of_view(view)) if desk.folded else 1,
        ]  # fmt: skip
        sets = [view.own, view.located, view.vacant]
        for point, turn, changed in view.refused:
            numbers += point, turn
            sets.append(changed)
        if desk.netted:
            for channel, where, age in _captures(view):
                at = layout.LOST_AT if channel == LOST else layout.TAKEN_AT
                numbers += at, view.opponent_turn - age
                sets.append(where)
            for _, where, age in _placed(view):
                numbers += layout.PLACED_AT, view.turn - age
                sets.append(where)
        joined = b"".join([as_bytes(each, points) for each in sets])
        move = decide_at(desk.addresses, np.array(numbers, np.int64), joined, desk.size)
        while move == NO_MOVE:
            play_out(*desk.task)
            move = decide_at(desk.addresses, NOTHING, b"", desk.size)
        return Decision(move)


def compiled(spec: str, rules: Rules, seeds: range) -> list[Any]:
    """The outcomes of games one by one, by seed of Black."""
    return one_by_one(spec, rules, seeds, Compiled)


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    for spec, rules in [CASES[int(number)] for number in numbers] or CASES:
        before = f"{first(spec, rules)} + " if what == "after" else ""
        told = games(spec, rules, compiled) if what == "games" else first(spec, rules, Compiled)
        sys.stdout.write(f"{spec} {rules.size}x{rules.size}: {before}{told}\n")
