"""The eight symmetries form a group, and a mapped view is the view of a mapped game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.game.points import PASS, RESIGN, Colour, grid, parse_move, vertex
from phantomgo.game.symmetry import IDENTITY, SYMMETRIES, images, inverse, map_move, map_points
from phantomgo.game.view import View, map_message, map_view, symmetries_of_view
from tests.support.strategies import played, profiles, seeds

symmetries = st.sampled_from(SYMMETRIES)
sizes = st.integers(2, 7)


def test_they_are_the_eight_known_maps():
    # Where A1 and its right-hand neighbour B1 go decides a symmetry.
    found = {(vertex(images(s, 5)[0], 5), vertex(images(s, 5)[1], 5)): s for s in SYMMETRIES}
    assert set(found) == {
        ("A1", "B1"), ("A1", "A2"), ("E1", "D1"), ("E1", "E2"),
        ("A5", "B5"), ("A5", "A4"), ("E5", "D5"), ("E5", "E4"),
    }  # fmt: skip
    assert found["A1", "B1"] == IDENTITY


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_they_form_a_group(size):
    maps = {images(s, size): s for s in SYMMETRIES}
    assert len(maps) == 8
    for a in maps:
        for b in maps:
            assert tuple(a[p] for p in b) in maps
    for a, s in maps.items():
        assert [images(inverse(s), size)[p] for p in a] == list(range(size * size))


@given(symmetries, sizes, st.data())
def test_neighbours_stay_neighbours(symmetry, size, data):
    point = data.draw(st.integers(0, size * size - 1))
    mapped = map_points(symmetry, grid(size).neighbours[point], size)
    assert mapped == grid(size).neighbours[images(symmetry, size)[point]]


def test_only_points_of_the_board_move():
    for move in (PASS, RESIGN, 25, 10**6):
        assert map_move(5, move, 5) == move
    assert map_move(1, parse_move("A1", 5), 5) == parse_move("E1", 5)


@given(symmetries, sizes, seeds, st.integers(0, 40), profiles, st.sampled_from(Colour))
def test_a_mapped_view_comes_back(symmetry, size, seed, count, profile, colour):
    view = played(size, seed, count, profile).view(colour)
    mapped = map_view(symmetry, view)
    assert map_view(inverse(symmetry), mapped) == view
    assert mapped == View.replay(view.rules, colour, mapped.events)


@given(symmetries, sizes, seeds, profiles)
def test_the_referee_judges_a_mapped_game_alike(symmetry, size, seed, profile):
    referee = played(size, seed, 60, profile)
    mirror = type(referee)(referee.rules)
    for colour, move, _ in referee.log:
        mirror.attempt(colour, map_move(symmetry, move, size))
    for colour in Colour:
        view = mirror.view(colour)
        events = [map_message(symmetry, m, size) for m in referee.view(colour).events]
        assert list(view.events) == events
        assert view == View.replay(referee.rules, colour, events)
        assert view == map_view(symmetry, referee.view(colour))


@given(sizes, seeds, st.integers(0, 12), profiles, st.sampled_from(Colour))
def test_a_view_stays_the_same_under_these_symmetries_and_no_other(
    size, seed, count, profile, colour
):
    view = played(size, seed, count, profile).view(colour)
    kept = symmetries_of_view(view)
    assert IDENTITY in kept
    for symmetry in SYMMETRIES:
        told = [map_message(symmetry, message, size) for message in view.events]
        assert (told == list(view.events)) == (symmetry in kept)
