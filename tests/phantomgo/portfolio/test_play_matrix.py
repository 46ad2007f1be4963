"""Matrices of any game, played by a function."""

import pytest

import phantomgo as pg
from phantomgo.errors import BadText


def play(black, white):
    """The greater seed wins, but 0 beats 5; equal seeds draw."""
    if (black, white) == (0, 5):
        return 1
    return 0.5 if black == white else int(black > white)


def test_a_matrix_is_played():
    asked = []

    def noted(black, white):
        asked.append((black, white))
        return play(black, white)

    matrix = pg.play_matrix(noted, 6)
    assert len(asked) == len(set(asked)) == 36
    assert matrix.white is matrix.black
    assert matrix.black.tolist() == [[play(i, j) for j in range(6)] for i in range(6)]


def test_a_rectangle_takes_fewer_games():
    asked = []

    def noted(black, white):
        asked.append((black, white))
        return play(black, white)

    matrix = pg.play_matrix(noted, 6, 2)
    assert len(asked) == len(set(asked)) == 2 * 6 * 2 - 4
    assert matrix.black.tolist() == [[play(i, j) for j in range(2)] for i in range(6)]
    assert matrix.white.tolist() == [[play(i, j) for j in range(6)] for i in range(2)]


def test_methods_learn_from_it():
    matrix = pg.play_matrix(play, 40)
    best = pg.learn_portfolio(matrix, "bestseed")
    assert [int(side.argmax()) for side in best] == [39, 39]
    table = pg.evaluate(matrix, methods=["uniform", "bestseed"], repeats=4)
    assert table.mean[1, 0] > table.mean[0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((play, 0), "seeds 0 is not a whole number from 1"),
        ((play, 3, 4), "opponent seeds 4 is not a whole number from 1 to 3"),
        ((lambda *_: 2, 3), "score 2 is not a number from 0 to 1"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(BadText, match=message):
        pg.play_matrix(*arguments)
