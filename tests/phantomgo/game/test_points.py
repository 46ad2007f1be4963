from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo import values
from phantomgo.errors import BadText
from phantomgo.game.points import (
    PASS,
    RESIGN,
    Colour,
    grid,
    members,
    parse_colour,
    parse_move,
    parse_points,
    vertex,
)


@given(size=st.integers(2, 19), data=st.data())
def test_vertices_round_trip_in_any_case(size, data):
    point = data.draw(st.integers(0, size * size - 1))
    assert parse_move(vertex(point, size).lower(), size) == point


def test_columns_skip_i_and_rows_count_from_the_bottom():
    assert vertex(0, 9) == "A1"
    assert vertex(8, 9) == "J1"
    assert vertex(18 * 19 + 18, 19) == "T19"
    assert parse_move("PASS", 9) == PASS
    assert vertex(PASS, 9) == "pass"
    assert vertex(RESIGN, 9) == "resign"


@pytest.mark.parametrize("text", ["", "I5", "K1", "A0", "A10", "D", "4D", "D4x", "D٤", "resign"])
def test_no_vertex_of_a_9x9_board(text):
    with pytest.raises(BadText, match=r"is not a vertex of a 9x9 board \(A1 to J9, or pass"):
        parse_move(text, 9)


HUGE = (10**40, -(10**40), 10**5000, -(10**5000))
"""Numbers that fit no machine word, and some that Python writes in no decimal digits."""


@pytest.mark.parametrize("number", [*HUGE, -1, 0, 1, 26], ids=lambda n: f"{n:x}"[:9])
def test_no_board_has_such_a_size(number):
    for call in (partial(parse_move, "A1"), partial(vertex, 0)):
        with pytest.raises(BadText):
            call(number)


@pytest.mark.parametrize("number", [*HUGE, 26], ids=lambda n: f"{n:x}"[:9])
def test_no_board_has_such_a_point(number):
    with pytest.raises(BadText, match="is not a point of a 5x5 board"):
        vertex(number, 5)


@pytest.mark.parametrize("number", HUGE, ids=lambda n: f"{n:x}"[:9])
def test_an_error_shows_any_number(number):
    for check in (values.checked_int, values.checked_number):
        with pytest.raises(
            BadText, match=r"^komi -?(1000|0x)[0-9a-f.]* is not a (whole )?number f"
        ):
            check("komi", number, 0, 5)


def test_sets_of_points():
    assert parse_points(["C3", "a1"], 5) == 1 << 12 | 1
    assert parse_points([], 5) == 0
    for wrong in (["C3", "c3"], ["pass"], ["F1"]):
        with pytest.raises(BadText):
            parse_points(wrong, 5)


def test_a_complement_is_no_set():
    for points in (~5, ~(1 << 20_000)):
        with pytest.raises(BadText, match=r"^-(6|0x1[0.]*) is not a set of points"):
            next(members(points))


def test_colours():
    assert parse_colour("B") is parse_colour("black") is Colour.BLACK
    assert parse_colour("White").other is Colour.BLACK
    with pytest.raises(BadText, match="'blue' is not a colour"):
        parse_colour("blue")


@given(size=st.integers(2, 19), data=st.data())
def test_neighbours_and_diagonals(size, data):
    point = data.draw(st.integers(0, size * size - 1))
    row, column = divmod(point, size)

    def near(other, distances):
        r, c = divmod(other, size)
        return tuple(sorted((abs(r - row), abs(c - column)))) == distances

    geometry = grid(size)
    every = range(size * size)
    assert list(members(geometry.neighbours[point])) == [q for q in every if near(q, (0, 1))]
    assert list(members(geometry.diagonals[point])) == [q for q in every if near(q, (1, 1))]
