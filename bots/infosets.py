"""Games imagined from a view: a full board, and what each side knows during the game.

A world says where all stones are; a search inside it may use less. An `InfoSet` is one player's
knowledge. An `Imagined` game begins in a world that it allows, and its `info_set` is the knowledge
of the side to move there: their own stones, and those enemy stones that refused an attempt,
captured stones, or were placed openly.

When a game is imagined, the *opponent* knows what we are sure they know (Buron 2013, section 4.1):
our stones that captured theirs, and handicap stones. They have run into others, but the rules don't
tell us which.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from bots.belief import Belief, candidates, true_eyes
from bots.kernels import imagined as kernel
from bots.kernels.board import empty_board
from bots.worlds import as_flags, signed
from phantomgo.game.messages import Accepted, Moved, Placed
from phantomgo.game.points import Colour, Point, PointSet, grid
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.rng import mix


@dataclass(frozen=True, slots=True)
class InfoSet:
    """The view of the player to move.

    Attributes:
        rules: the rules of the game.
        colour: the player.
        belief: where the stones are, as far as they know.
        moves: the points worth an attempt.
        public: stones that both players know to be known.
        passes: the number of consecutive passes just made.
    """

    rules: Rules
    colour: Colour
    belief: Belief
    moves: PointSet
    public: PointSet
    passes: int

    @classmethod
    def of(cls, view: View, belief: Belief) -> Self:
        """The knowledge of a view's owner."""
        moves = candidates(view, belief)
        passes = int(view.opponent_passed)
        return cls(view.rules, view.colour, belief, moves, public_stones(view), passes)


def public_stones(view: View) -> PointSet:
    """The stones that both players know to be known: captors of chains, and handicap stones.

    Where the rules don't tell the capturer which stones they took, only the stone just played is
    certain.
    """
    geometry = grid(view.rules.size)
    public = 0
    for message in view.events:
        match message:
            case Accepted(move, captured, taken) if captured:
                captors = geometry.border(taken) if taken else 1 << move
                public = public & ~(taken or 0) | captors
            case Moved(lost) if lost:
                public = public & ~lost | geometry.border(lost)
            case Placed(_, points):
                public |= points
    return public & (view.own | view.located)


class Imagined:
    """A game imagined by a player: its full board, and what both players know.

    Attributes:
        to_move: the side to move.
        moves: how many moves have been imagined.
        stones: the stones of each colour.
        first: who played each point first, since the game was imagined.
    """

    def __init__(self, info: InfoSet, key: int, empty: Point = -1) -> None:
        """Draw a world that an information set allows: the papers' Sample(IS).

        The key gives the random streams of the world and of what is decided in it; the point
        `empty` is left without a hidden stone.
        """
        self.rules, self.to_move = info.rules, info.colour
        self.moves = 0
        self.first: dict[Point, Colour] = {}
        self._passes = info.passes
        self._key = mix(key)
        self._board = empty_board()
        size, belief, me = info.rules.size, info.belief, info.colour
        own, enemy, open_points = (
            as_flags(points, size) for points in (belief.own, belief.enemy, belief.open)
        )
        kernel.world(
            self._board, own, enemy, open_points, belief.hidden, empty, int(me), signed(key), size
        )
        self.stones = {me: belief.own, me.other: self._read(me.other)}
        self._known = {me: belief.enemy, me.other: info.public & belief.own}
        self._public = info.public

    @property
    def over(self) -> bool:
        """True after two passes, or after the most moves that a playout may have."""
        return self._passes >= 2 or self.moves >= 3 * grid(self.rules.size).points

    def next_key(self) -> int:
        """A random stream for the next decision in this game."""
        self._key = mix(self._key)
        return self._key

    def info_set(self) -> InfoSet:
        """The knowledge of the side to move."""
        me = self.to_move
        own, enemy = self.stones[me], self._known[me]
        space = grid(self.rules.size).full & ~(own | enemy)
        hidden = self.stones[me.other].bit_count() - enemy.bit_count()
        moves = space & ~true_eyes(own, enemy, self.rules.size)
        belief = Belief(own, enemy, space, hidden)
        return InfoSet(self.rules, me, belief, moves, self._public, self._passes)

    def play(self, moves: Iterable[Point]) -> None:
        """Make the first legal one of these moves for the side to move; pass if none is legal.

        An attempt refused because of an enemy stone reveals that stone.
        """
        me = self.to_move
        for point in moves:
            captured = kernel.attempt(self._board, point, int(me), self.rules.size)
            if captured >= 0:
                self._played(point, captured)
                return
            self._known[me] |= 1 << point & self.stones[me.other]
        kernel.attempt(self._board, -1, int(me), self.rules.size)
        self._pass_on(self._passes + 1)

    def _played(self, point: Point, captured: int) -> None:
        me, other = self.to_move, self.to_move.other
        self.stones[me] |= 1 << point
        self.first.setdefault(point, me)
        if captured:
            left = self._read(other)
            taken = self.stones[other] & ~left
            captors = grid(self.rules.size).border(taken)
            self.stones[other] = left
            self._known[me] &= ~taken
            self._known[other] |= captors
            self._public = self._public & ~taken | captors
        self._pass_on(0)

    def _pass_on(self, passes: int) -> None:
        self._passes = passes
        self.moves += 1
        self.to_move = self.to_move.other

    def play_to_end(self) -> None:
        """Continue at random; both sides see the full board."""
        self.moves = kernel.play_to_end(
            self._board, int(self.to_move), self._passes, self.moves, self.rules.size
        )
        self._passes = 2

    def margin(self, colour: Colour) -> int:
        """The area of a colour less the other's."""
        return int(kernel.area_margin(self._board, int(colour), self.rules.size))

    def _read(self, colour: Colour) -> PointSet:
        """The stones of a colour on the board."""
        flags = np.empty(grid(self.rules.size).points, np.uint8)
        kernel.stones(self._board, int(colour), self.rules.size, flags)
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
