"""Domineering against the rules read out loud."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.game.points import BLACK, WHITE
from phantomgo.papers.games.domineering import Domineering
from phantomgo.rng import Stream


def room(free, size, upright):
    """The places of a domino, as pairs of cells."""
    step = (1, 0) if upright else (0, 1)
    pairs = (((r, c), (r + step[0], c + step[1])) for r in range(size) for c in range(size))
    return [pair for pair in pairs if set(pair) <= free]


def naive_playout(free, size, upright, random):
    """Whether the upright dominoes win."""
    while places := room(free, size, upright):
        free = free - set(places[random.below(len(places))])
        upright = not upright
    return not upright


@given(st.integers(2, 7), st.randoms(use_true_random=False))
def test_games_go_by_the_rules(size, random):
    state = Domineering(size).start(0)
    free, upright = {(r, c) for r in range(size) for c in range(size)}, True
    while state.result is None:
        places = room(free, size, upright)
        assert state.mover is (BLACK if upright else WHITE)
        assert list(state.moves) == [r * size + c for (r, c), _ in places]
        place = random.choice(places)
        state = state.after(place[0][0] * size + place[0][1])
        free, upright = free - {*place}, not upright
    assert room(free, size, upright) == []
    assert state.result == ("W+" if upright else "B+")


@pytest.mark.parametrize("first", [[], [0], [7, 3], [7, 11]])
def test_playouts_are_those_of_the_oracle(first):
    size, each, key = 4, 30, 2**63 + 12345
    state = Domineering(size).start(0)
    for move in first:
        state = state.after(move)
    free = {divmod(cell, size) for cell in range(size * size) if state.free >> cell & 1}
    upright, random, expected = state.mover is BLACK, Stream(key), []
    for place in room(free, size, upright):
        left = free - set(place)
        won = [naive_playout(left, size, not upright, random) is upright for _ in range(each)]
        expected.append(2 * sum(won))
    assert list(state.points(each, key)) == expected
    assert len(Counter(expected)) > 1
