"""Trails against tuples, and that growing them costs nothing."""

import pickle
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.trail import Trail


@given(st.lists(st.tuples(st.integers(0, 20), st.integers()), max_size=30))
def test_trails_are_as_tuples_whichever_way_they_part(steps):
    """Each step follows any of the trails there are so far."""
    trails, tuples = [Trail()], [()]
    for any_number, item in steps:
        which = any_number % len(trails)
        trails.append(trails[which].then(item))
        tuples.append((*tuples[which], item))
    for trail, expected in zip(trails, tuples, strict=True):
        assert trail == expected
        assert (len(trail), bool(trail), list(trail)) == (
            len(expected),
            bool(expected),
            [*expected],
        )
        assert list(reversed(trail)) == [*reversed(expected)]
        assert [trail[i] for i in range(-len(trail), len(trail))] == [*expected, *expected]
        assert (trail[2:], trail[-3:], trail[:5], trail[::-1]) == (
            expected[2:], expected[-3:], expected[:5], expected[::-1],
        )  # fmt: skip
        assert hash(trail) == hash(expected)
        assert pickle.loads(pickle.dumps(trail)) == trail
    assert [[a == b for a in trails] for b in trails] == [[a == b for a in tuples] for b in tuples]


@pytest.mark.parametrize("index", [0, -1, 5])
def test_there_is_nothing_beyond_the_end(index):
    begun = Trail()
    begun.then(1).then(2)
    with pytest.raises(IndexError):
        begun[index]


def test_what_equals_a_trail():
    assert Trail([1]) == [1]
    assert Trail([1]) != {1}
    assert Trail([1]) == Trail([1])


def test_all_trails_on_the_way_share_their_items():
    """Else these would take 16 GB."""
    trails = [Trail()]
    for number in range(65_000):
        trails.append(trails[-1].then(number))
    assert [trails[n][-1] for n in (1, 1000, 65_000)] == [0, 999, 64_999]


def test_threads_that_follow_one_trail_do_not_meet():
    start: Trail[object] = Trail(range(100))
    found = {}

    def follow(name):
        for number in range(300):
            trail = start.then((name, number))
            for further in range(5):
                trail = trail.then((name, number, further))
            found[name, number] = trail

    threads = [threading.Thread(target=follow, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (name, number), trail in found.items():
        assert trail[100:] == ((name, number), *((name, number, n) for n in range(5)))
