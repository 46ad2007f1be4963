"""The full board against the oracle, and against published counts."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.game.board import Board, Played
from phantomgo.game.messages import Reason
from phantomgo.game.points import BLACK, WHITE, Colour, grid, members, point_set
from phantomgo.rng import Stream
from tests.support.naive import NaiveGo


def board_of(diagram: str) -> Board:
    """Read a diagram, top row first: X Black, O White, . empty."""
    rows = [line.split() for line in diagram.strip().splitlines()][::-1]
    size = len(rows)
    cells = [(r * size + c, rows[r][c]) for r in range(size) for c in range(size)]
    black = point_set(p for p, cell in cells if cell == "X")
    white = point_set(p for p, cell in cells if cell == "O")
    return Board(size, black, white)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), (3, 12675)])
def test_number_of_legal_positions(size, count):
    """Tromp and Farnebäck's counts: positions in which every chain has a liberty."""
    legal = 0
    for cells in itertools.product((0, 1, 2), repeat=size * size):
        black = point_set(p for p, cell in enumerate(cells) if cell == BLACK)
        white = point_set(p for p, cell in enumerate(cells) if cell == WHITE)
        board = Board(size, black, white)
        empty = grid(size).full & ~(black | white)
        chains = board.chains(BLACK) + board.chains(WHITE)
        legal += all(grid(size).grow(chain) & empty for chain in chains)
    assert legal == count


@given(size=st.integers(2, 7), seed=st.integers(0, 2**32))
def test_random_play_equals_the_oracle(size, seed):
    board, naive, stream = Board(size), NaiveGo(size), Stream(seed)
    for _ in range(3 * size * size):
        colour = Colour(1 + stream.below(2))
        point = stream.below(size * size)
        played = board.play(colour, point)
        theirs = naive.attempt(colour.letter, divmod(point, size))
        if isinstance(theirs, str):
            assert played == Reason(theirs)
            continue
        assert isinstance(played, Played)
        assert {divmod(p, size) for p in members(played.captured)} == theirs
        board = played.board
        ko = None if board.ko is None else (divmod(board.ko, size), board.ko_colour.letter)
        assert ko == naive.ko
        assert (board.ko is None) == (board.ko_colour is None)
        for side in Colour:
            stones = {divmod(p, size) for p in members(board.stones(side))}
            assert stones == {q for q, c in naive.stones.items() if c == side.letter}
            ataris = {q for chain in board.in_atari(side) for q in members(chain)}
            expected = {q for q in stones if len(naive.chain(q)[1]) == 1}
            assert {divmod(p, size) for p in ataris} == expected
        assert board.area_score() == naive.score()
        assert board_of(board.diagram()) == board._replace(ko=None, ko_colour=None)


def test_ko_forbids_retaking_at_once_only():
    board = board_of("""
        . X O .
        X O . O
        . X O .
        . . . .
    """)
    taken = board.play(BLACK, 2 * 4 + 2)
    assert isinstance(taken, Played)
    assert list(members(taken.captured)) == [2 * 4 + 1]
    assert taken.board.play(WHITE, 2 * 4 + 1) is Reason.KO
    assert isinstance(taken.board.play(BLACK, 2 * 4 + 1), Played)  # filling is no retaking
    assert isinstance(taken.board.passed().play(WHITE, 2 * 4 + 1), Played)
