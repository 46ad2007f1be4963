"""Go, Atari-Go and Batoo, without hidden stones.

Go is scored by area, without superko.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from bots.belief import Belief, true_eyes
from bots.worlds import Statistics, Worlds, as_flags, signed
from phantomgo.game.board import Board, Played
from phantomgo.game.points import BLACK, PASS, WHITE, Colour, Move, PointSet, grid, members
from phantomgo.game.rules import Rules
from phantomgo.papers.games.state import DRAWN, WON, GameState, InTurn, OtherGame, Searchable
from phantomgo.papers.kernels.atarigo import play_out
from phantomgo.values import written


@dataclass(frozen=True)
class AtariGo(OtherGame):
    """Go in which the first capture wins (Ponnuki-Go, by Yasuda Yasutoshi).

    Nobody passes: a player without a legal move loses.
    """

    size: int = 9

    @property
    def name(self) -> str:
        return f"atarigo:size={self.size}"

    def start(self, _luck: int) -> "Chase":
        return Chase(Board(self.size), 0)


@dataclass(frozen=True)
class Go(OtherGame):
    """Ordinary Go, for games without hidden information."""

    size: int = 9
    komi: float = 6.5

    @property
    def name(self) -> str:
        return f"go:size={self.size},komi={written(self.komi)}"

    def start(self, _luck: int) -> "Fight":
        return Fight(Board(self.size), self.komi)


@dataclass(frozen=True)
class Batoo(OtherGame):
    """Batoo without its hidden stone: both first place stones in secret, then play Go.

    A point that both have chosen stays empty (Reinforcing, section IV-A4). The seeds draw the
    points, and the players continue from there.

    Attributes:
        size: points per side.
        komi: points for White.
        stones: how many stones each player places; the paper does not say.
    """

    size: int = 9
    komi: float = 6.5
    stones: int = 4

    @property
    def name(self) -> str:
        return f"batoo:size={self.size},komi={written(self.komi)},stones={self.stones}"

    def start(self, _luck: int) -> "Base":
        return Base(Board(self.size), self.komi, self.stones)


def _empty(board: Board) -> PointSet:
    return grid(board.size).full & ~(board.black | board.white)


@dataclass(frozen=True)
class Chase(InTurn, Searchable):
    """A position of Atari-Go.

    Attributes:
        board: the stones.
        played: how many moves were played.
        captured: whether the last one captured.
    """

    board: Board
    played: int
    captured: bool = False

    @property
    def turn(self) -> int:
        return self.played

    @property
    def known(self) -> Hashable:
        return self.board

    @cached_property
    def moves(self) -> Sequence[Move]:
        return [point for point in members(_empty(self.board)) if self.allows(point)]

    @property
    def result(self) -> str | None:
        return WON[self.mover.other] if self.captured or not self.moves else None

    def allows(self, move: Move) -> bool:
        return move >= 0 and isinstance(self.board.play(self.mover, move), Played)

    def after(self, move: Move) -> Self:
        played = self.board.play(self.mover, move)
        assert isinstance(played, Played)
        return type(self)(played.board, self.turn + 1, bool(played.captured))

    def points(self, each: int, key: int) -> Sequence[int]:
        board = self.board
        sets = (as_flags(board.stones(side), board.size) for side in (self.mover, self.mover.other))
        moves = np.array(self.moves)
        won: list[int] = play_out(*sets, board.size, moves, each, signed(key)).tolist()
        return [2 * wins for wins in won]


@dataclass(frozen=True)
class Fight(InTurn, Searchable):
    """A position of Go.

    Attributes:
        board: the stones.
        komi: points for White.
        history: all moves.
        begun: the board before them.
    """

    board: Board
    komi: float
    history: tuple[Move, ...] = ()
    begun: Board | None = None

    @property
    def turn(self) -> int:
        return len(self.history)

    @property
    def known(self) -> Hashable:
        return self.history, self.begun

    @property
    def passed(self) -> bool:
        """True if the other side has just passed."""
        return self.history[-1:] == (PASS,)

    @cached_property
    def moves(self) -> Sequence[Move]:
        """All points but own true eyes; a pass only if there are none, or if it ends the game."""
        board, mover = self.board, self.mover
        eyes = true_eyes(board.stones(mover), board.stones(mover.other), board.size)
        points = [point for point in members(_empty(board) & ~eyes) if self.allows(point)]
        return [*points, PASS] if self.passed or not points else points

    @property
    def result(self) -> str | None:
        twice = self.history[-2:] == (PASS, PASS)
        return self._score() if twice or self.turn >= 3 * self.board.size**2 else None

    def _score(self) -> str:
        margin = self.board.area_score() - self.komi
        return DRAWN if margin == 0 else WON[BLACK if margin > 0 else WHITE]

    def allows(self, move: Move) -> bool:
        if move == PASS:
            return True
        return move >= 0 and isinstance(self.board.play(self.mover, move), Played)

    def after(self, move: Move) -> Self:
        history = (*self.history, move)
        if move == PASS:
            return replace(self, board=self.board.passed(), history=history)
        played = self.board.play(self.mover, move)
        assert isinstance(played, Played)
        return replace(self, board=played.board, history=history)

    def points(self, each: int, key: int) -> Sequence[int]:
        """Play random playouts; a pass counts as the score of the current board."""
        board, mover = self.board, self.mover
        points = np.array([move for move in self.moves if move != PASS])
        stats = Statistics(len(points))
        if len(points):
            stones = Belief(board.stones(mover), board.stones(mover.other), open=0, hidden=0)
            worlds = Worlds(stones, Rules(size=board.size, komi=self.komi), mover)
            jobs = np.arange(len(points))
            worlds.play_out(points, jobs, each * len(points), key, 0, stats)
        passing = {WON[mover]: 2, DRAWN: 1}.get(self._score(), 0)
        won: list[int] = stats.wins.tolist()
        return [2 * wins for wins in won] + [passing * each] * (self.moves[-1] == PASS)


@dataclass(frozen=True)
class Base(GameState):
    """A position of Batoo while stones are placed in secret, Black's before White's.

    Attributes:
        board: the points chosen so far; both players may choose the same one.
        komi: points for White.
        stones: how many each places.
    """

    board: Board
    komi: float
    stones: int

    @property
    def mover(self) -> Colour:
        return BLACK if self.board.black.bit_count() < self.stones else WHITE

    @property
    def turn(self) -> int:
        return self._own.bit_count()

    @property
    def _own(self) -> PointSet:
        return self.board.stones(self.mover)

    @property
    def known(self) -> Hashable:
        return self._own

    @property
    def blind(self) -> bool:
        return True

    @property
    def moves(self) -> Sequence[Move]:
        return list(members(grid(self.board.size).full & ~self._own))

    @property
    def result(self) -> str | None:
        return None

    def allows(self, move: Move) -> bool:
        return move in self.moves

    def after(self, move: Move) -> "Base | Fight":  # type: ignore[override]
        both = {side: self.board.stones(side) for side in Colour}
        both[self.mover] |= 1 << move
        black, white = both[BLACK], both[WHITE]
        if min(black.bit_count(), white.bit_count()) < self.stones:
            return type(self)(Board(self.board.size, black, white), self.komi, self.stones)
        board = Board(self.board.size)
        for side, points in ((BLACK, black & ~white), (WHITE, white & ~black)):
            for point in members(points):
                played = board.play(side, point)
                if isinstance(played, Played):  # where there is a liberty for it
                    board = Board(board.size, played.board.black, played.board.white)
        return Fight(board, self.komi, begun=board)
