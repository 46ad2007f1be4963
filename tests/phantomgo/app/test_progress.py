"""What long work says of how far it is."""

import sys

from phantomgo.app.progress import ProgressLines, TimedLines


def test_progress_lines(capsys):
    """The first game waits for the compiler, which the estimate leaves out; it may never end."""
    times = iter([100.0, 110.0, 120.0, 121.0, 130.0, 131.0, 140.0, 150.5])
    lines = ProgressLines("games", 50, sys.stderr, lambda: next(times))
    for number in (0, 1, 9, 9, 1, 4, 26):
        lines.advance(number)
    assert capsys.readouterr().err.splitlines() == [
        "games: 0 of 50, 0 per second",
        "games: 1 of 50, 0.05 per second",
        "games: 19 of 50, 0.633 per second, 0:17 left",
        "games: 24 of 50, 0.6 per second, 0:23 left",
        "games: 50 of 50, 0.99 per second, done in 0:50",
    ]


def test_nothing_is_left_of_work_that_takes_longer_than_planned(capsys):
    times = iter([0.0, 10.0, 40.0])
    lines = ProgressLines("attempts", 15, sys.stderr, lambda: next(times))
    for number in (10, 30):
        lines.advance(number)
    assert capsys.readouterr().err.splitlines() == [
        "attempts: 10 of 15, 1 per second",
        "attempts: 40 of 15, 1 per second",
    ]


def test_work_that_ends_after_a_time_shows_the_time(capsys):
    times = iter([0.0, 5.0, 12.0, 3723.4])
    lines = TimedLines("learning", 3600, sys.stderr, lambda: next(times), lambda: "3 seeds")
    for number in (0, 3600, 1):
        lines.advance(number)
    assert capsys.readouterr().err.splitlines() == [
        "learning: 0:12 of 1:00:00, 3 seeds",
        "learning: 1:02:03 of 1:00:00, 3 seeds",
    ]
