"""What a player knows, by sets and flood fill: slow, obvious, and sharing no code with View.

Points are (row, column) pairs.
"""

from dataclasses import dataclass, field

from phantomgo.game.messages import Accepted, Ended, Moved, Passed, Placed, Reason, Refused
from phantomgo.game.points import PASS, members
from tests.support.naive import neighbours


@dataclass
class NaiveView:
    """One player's knowledge; `refused` has, by point, when it was tried and what changed since."""

    size: int
    ko: str
    captures: str
    reason: str
    colour: object
    own: set = field(default_factory=set)
    located: set = field(default_factory=set)
    vacant: set = field(default_factory=set)
    refused: dict = field(default_factory=dict)
    enemies: int = 0
    turn: int = 0
    refusals: int = 0
    opponent_turn: int = 0
    opponent_passed: bool = False
    taken: int = 0
    lost: int = 0
    result: str | None = None

    @property
    def board(self):
        return set(neighbours(self.size))

    @property
    def unknown(self):
        return self.board - self.own - self.located - self.vacant

    @property
    def hidden(self):
        return self.enemies - len(self.located)

    def points(self, points):
        return {divmod(p, self.size) for p in members(points)}

    def beside(self, points):
        return {q for p in points for q in neighbours(self.size)[p]} - set(points)

    def hear(self, message):
        match message:
            case Placed(colour, points) if colour is self.colour:
                self.own |= self.points(points)
            case Placed(_, points):
                self.located |= self.points(points)
                self.enemies += len(self.points(points))
            case Accepted(move, captured, taken):
                self.turn += 1
                self.refusals = 0
                if move != PASS:
                    self.play(divmod(move, self.size), captured, taken)
            case Refused(move, reason):
                self.refusals += 1
                point = divmod(move, self.size)
                if point in self.board - self.own - self.located:
                    self.refuse(point, reason)
            case Moved(lost):
                self.opponent_turn += 1
                self.opponent_passed = False
                self.enemies += 1
                self.lose(self.points(lost))
            case Passed():
                self.opponent_turn += 1
                self.opponent_passed = True
            case Ended(result):
                self.result = result
        if self.captures == "none":
            self.enemies = min(self.enemies, len(self.located | self.unknown))

    def play(self, stone, captured, taken):
        self.own.add(stone)
        named = self.points(taken or 0)
        self.located -= named
        if taken is None:  # stones taken lie in chains that touch the stone
            reach, steps = {stone}, 0
            while steps < len(self.board) and (captured is None or steps < captured):
                reach |= self.beside(reach) - self.own
                steps += 1
            self.located -= reach
        self.enemies -= captured or 0
        self.taken += captured or 0
        self.vacant = (self.vacant | named) - {stone}
        self.change({stone} | named)
        self.settle({stone} | named)

    def lose(self, lost):
        self.own -= lost
        self.vacant = set(lost)
        self.lost += len(lost)
        self.change(lost)
        self.locate(self.beside(lost) - self.own)

    def refuse(self, point, reason):
        self.refused.pop(point, None)
        self.refused[point] = (self.turn, set())
        if reason is Reason.OCCUPIED:
            self.locate({point})
        elif reason is not None or self.reason != "none":  # a stone would have been told
            self.vacant.add(point)
            if reason is Reason.SUICIDE:
                self.locate(self.liberties(point))
        else:
            self.deduce(point)

    def deduce(self, point):
        """A stone stands there if neither suicide nor ko explains the refusal."""
        repeatable = self.ko in ("positional", "situational") and (
            self.captures == "none" or self.taken or self.lost
        )
        needed = self.liberties(point) - self.located
        suicide = not needed & self.vacant and len(needed) <= self.hidden
        if point in self.vacant or repeatable or suicide:
            return
        at_once = [q for q, (turn, _) in self.refused.items() if turn == self.turn]
        self.locate({point})
        for other in at_once:
            if other in self.refused:
                self.deduce(other)

    def liberties(self, point):
        """What would be beside the chain that an own stone here belongs to."""
        chain, todo = {point}, [point]
        while todo:
            for q in neighbours(self.size)[todo.pop()]:
                if q in self.own and q not in chain:
                    chain.add(q)
                    todo.append(q)
        return self.beside(chain)

    def locate(self, stones):
        self.located |= stones
        self.settle(stones)

    def settle(self, points):
        self.refused = {p: found for p, found in self.refused.items() if p not in points}

    def change(self, points):
        self.refused = {p: (turn, old | points) for p, (turn, old) in self.refused.items()}
