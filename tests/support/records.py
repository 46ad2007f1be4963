"""Records of games that go any way they like."""

import math
from dataclasses import replace

from phantomgo.game.outcome import Fault
from phantomgo.game.player import Decision
from phantomgo.game.playing import play_game
from phantomgo.game.points import PASS, RESIGN, grid, members
from phantomgo.game.record import Record
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream


class Wild:
    """Attempts any points, also known ones and points off the board; may resign or break down."""

    def __init__(self, seed, end=None):
        self.stream, self.end, self.name = Stream(seed), end, f"wild {seed}"

    def decide(self, view, _seconds=math.inf):
        if self.end is not None and view.turn == 12:
            if self.end is RESIGN:
                return Decision(RESIGN)
            raise Fault(self.end, "broke down")
        choice = self.stream.below(14)
        points = grid(view.rules.size).points
        if choice == 0:
            return Decision(PASS)
        if choice == 1:
            return Decision(points)
        open_points = list(members(view.unknown | view.vacant))
        return Decision(open_points[self.stream.below(len(open_points))] if open_points else PASS)


def game(seed, size=4, profile="olympiad", end=None, **rules) -> Record:
    chosen = replace(Rules.profile(profile, size=size), **rules)
    return play_game(chosen, Wild(seed, end), Wild(seed + 1), seeds=(seed, None))
