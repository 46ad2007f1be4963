"""Logs against tuples, and that growing them costs nothing."""

import pickle
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.game.log import Log


@given(st.lists(st.tuples(st.integers(0, 20), st.integers()), max_size=30))
def test_trails_are_as_tuples_whichever_way_they_part(steps):
    """Each step follows any of the logs there are so far."""
    logs, tuples = [Log()], [()]
    for any_number, item in steps:
        which = any_number % len(logs)
        logs.append(logs[which].then(item))
        tuples.append((*tuples[which], item))
    for log, expected in zip(logs, tuples, strict=True):
        assert log == expected
        assert (len(log), bool(log), list(log)) == (
            len(expected),
            bool(expected),
            [*expected],
        )
        assert list(reversed(log)) == [*reversed(expected)]
        assert [log[i] for i in range(-len(log), len(log))] == [*expected, *expected]
        assert (log[2:], log[-3:], log[:5], log[::-1]) == (
            expected[2:], expected[-3:], expected[:5], expected[::-1],
        )  # fmt: skip
        assert hash(log) == hash(expected)
        assert pickle.loads(pickle.dumps(log)) == log
    assert [[a == b for a in logs] for b in logs] == [[a == b for a in tuples] for b in tuples]


@pytest.mark.parametrize("index", [0, -1, 5])
def test_there_is_nothing_beyond_the_end(index):
    begun = Log()
    begun.then(1).then(2)
    with pytest.raises(IndexError):
        begun[index]


def test_all_trails_on_the_way_share_their_items():
    """Else these would take 16 GB."""
    logs = [Log()]
    for number in range(65_000):
        logs.append(logs[-1].then(number))
    assert [logs[n][-1] for n in (1, 1000, 65_000)] == [0, 999, 64_999]


def test_threads_that_follow_one_trail_do_not_meet():
    start: Log[object] = Log(range(100))
    found = {}

    def follow(name):
        for number in range(300):
            log = start.then((name, number))
            for further in range(5):
                log = log.then((name, number, further))
            found[name, number] = log

    threads = [threading.Thread(target=follow, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (name, number), log in found.items():
        assert log[100:] == ((name, number), *((name, number, n) for n in range(5)))
