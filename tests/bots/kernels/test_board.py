"""The board of a single game, move by move against the oracle."""

import pytest

from bots.kernels import board
from phantomgo.rng import Stream
from tests.support.naive import OTHER, NaiveGo, is_true_eye

COLOURS = {"b": board.BLACK, "w": board.WHITE}


class Both:
    """The board under test and the oracle's, playing the same game."""

    def __init__(self, size: int, seed: int = 1) -> None:
        self.go, self.size, self.width = NaiveGo(size), size, size + 2
        self.board = board.empty_board()
        board.clear(self.board, size)
        self.board[board.STATE] = seed

    def cell(self, point) -> int:
        return (point[0] + 1) * self.width + point[1] + 1

    def point(self, cell: int):
        return cell // self.width - 1, cell % self.width - 1

    def moves(self, colour: str) -> set:
        """The oracle's legal moves."""
        points = self.go.points()
        return {p for p in points if not isinstance(self.go.copy().attempt(colour, p), str)}

    def agree(self) -> None:
        colours = {self.point(c): int(self.board[board.COLOUR + c]) for c in self.cells()}
        stones = {p: COLOURS[s] for p, s in self.go.stones.items()}
        assert {p: c for p, c in colours.items() if c} == stones
        assert self.board[board.COUNT] == len(colours) - len(stones)
        assert board.margin(self.board, self.width) == self.go.score()
        for point in self.go.stones:
            chain, liberties = self.go.chain(point)
            head = self.board[board.HEAD + self.cell(point)]
            assert self.point(head) in chain
            only = [self.cell(p) for p in liberties] if len(liberties) == 1 else [0]
            assert [board.last_liberty.py_func(self.board[board.BREATH + head])] == only
            assert self.board[board.STONES + head] == len(chain)

    def cells(self):
        return [self.cell(p) for p in self.go.points()]


@pytest.mark.parametrize(("size", "attempts"), [(2, 300), (3, 600), (5, 1500), (9, 1200), (19, 60)])
def test_every_attempt_has_the_oracles_answer(size, attempts):
    both, stream, colour = Both(size), Stream(size), "b"
    for number in range(attempts):
        point = list(both.go.points())[stream.below(size * size)]
        done = both.go.attempt(colour, point)
        allowed = not isinstance(done, str)
        captured = board.play(both.board, both.cell(point), COLOURS[colour], both.width)
        assert captured == (len(done) if allowed else -1)
        if allowed:
            colour = OTHER[colour]
        if number % 10 == 0:
            both.agree()


@pytest.mark.parametrize("size", [2, 4, 7])
def test_random_moves_are_legal_and_fill_no_eye(size):
    for seed in range(6):
        both, colour, passes = Both(size, seed), "b", 0
        for _ in range(3 * size * size):
            wanted = {p for p in both.moves(colour) if not is_true_eye(both.go, p, colour)}
            cell = board.play_random(both.board, COLOURS[colour], both.width)
            assert (cell == board.PASS) == (not wanted)
            passes = passes + 1 if cell == board.PASS else 0
            if cell == board.PASS:
                both.go.ko = None
            else:
                assert both.point(cell) in wanted
                both.go.attempt(colour, both.point(cell))
            both.agree()
            colour = OTHER[colour]
            if passes == 2:
                break
