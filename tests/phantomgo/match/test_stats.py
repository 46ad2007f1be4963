"""The statistics of a match, against published values and by simulation."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.match.report import Report
from phantomgo.match.schedule import Schedule
from phantomgo.match.stats import (
    elo,
    elo_interval,
    superiority,
    wilson,
)
from tests.support.results import expected, result


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(wins, games, low, high):
    interval = wilson(wins, games)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    assert wilson(games - wins, games).low == pytest.approx(1 - high, abs=1e-4)


def test_certain_results_leave_no_rounding():
    """Else ten wins of ten would be an Elo of at most 6261."""
    for games in range(1, 100):
        assert wilson(0, games).low == 0
        assert wilson(games, games).high == 1
    assert elo_interval((0, 0, 0, 0, 5)).high == math.inf


def test_elo():
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.64) == pytest.approx(100, abs=0.1)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    assert expected(elo(0.3)) == pytest.approx(0.3)


def test_no_games_say_nothing():
    none = (0, 0, 0, 0, 0)
    for interval, bounds in ((wilson(0, 0), (0, 1)), (elo_interval(none), (-math.inf, math.inf))):
        assert math.isnan(interval.value)
        assert interval[1:] == bounds
    assert superiority(none) == 0.5


@given(st.tuples(*[st.integers(0, 40)] * 5).filter(lambda counts: sum(map(bool, counts)) > 1))
def test_the_score_of_pairs_is_normal(counts):
    """Elo and superiority against Python's own statistics."""
    scores = [place / 4 for place, count in enumerate(counts) for _ in range(count)]
    mean = statistics.fmean(scores)
    error = math.sqrt(statistics.pvariance(scores) / len(scores))
    normal = statistics.NormalDist()
    z = normal.inv_cdf(0.975)
    assert superiority(counts) == pytest.approx(normal.cdf((mean - 0.5) / error))
    for found, score in zip(
        elo_interval(counts), (mean, mean - z * error, mean + z * error), strict=True
    ):
        assert expected(found) == pytest.approx(min(max(score, 0), 1), abs=1e-12)


def test_pairs_that_all_ended_alike_vary_as_games_do():
    normal = statistics.NormalDist()
    assert superiority((0, 0, 0, 0, 3)) == pytest.approx(normal.cdf(0.5 / math.sqrt(1 / 8 / 3)))
    assert superiority((0, 3, 0, 0, 0)) == pytest.approx(normal.cdf(-0.25 / math.sqrt(1 / 8 / 3)))
    even = elo_interval((0, 0, 4, 0, 0))
    assert even.value == 0
    assert expected(even.low) == pytest.approx(wilson(4, 8).low)
    assert expected(even.high) == pytest.approx(wilson(4, 8).high)


# The report


def test_a_table():
    schedule = Schedule(2, 6, 0)
    games = [result(schedule, n, w, d) for n, w, d in zip(
        range(6), ["b", "w", "b", "b", None, "w"], "abcdea", strict=True)]  # fmt: skip
    report = Report(["one", "two"], "5x5", schedule, games)
    assert str(report).split("\n") == [
        "5x5: 6 of 6 games",
        "",
        "player  games  won  drawn  lost  rate          95 %  as Black  as White  refused",
        "one         6    4      1     1  75.0  36.5 to 94.0     2-1-0     2-0-1     1.50",
        "two         6    1      1     4  25.0   6.0 to 63.5     1-0-2     0-1-2     1.50",
        "",
        "Elo            +191 (+13 to +685) for one",
        "LOS            98.3 %",
        "pentanomial    0, 0, 1, 1, 1 (pairs that scored 0, 0.5, 1, 1.5, 2)",
        "colours        Black won 3, White 2, drawn 1",
        "moves a game   12.5, from 10 to 15",
        "endings        score 6",
        "duplicates     1: games 5",
    ]


def test_who_stalled_or_crashed_is_named():
    schedule = Schedule(2, 8, 0)
    ends = ["stall", "stall", "score", "crash", "crash", "resign", "score", "attempts"]
    winners = ["b", "w", "b", "b", "b", "w", None, "w"]
    games = [result(schedule, n, winner) for n, winner in enumerate(winners)]
    games = [game._replace(ending=end) for game, end in zip(games, ends, strict=True)]
    text = str(Report(["one", "two"], "5x5", schedule, games))
    # Players swap colours: of games 0 and 1, won by Black and by White, player two lost both.
    assert (
        "endings        attempts 1 (two), crash 2 (one 1, two 1), resign 1, score 2, stall 2 (two)"
        in text
    )


def test_the_pace_of_a_player_who_never_attempted():
    schedule = Schedule(2, 2, 0)
    game = result(schedule, 0, "b")._replace(white_asked=0, white_seconds=0.0)
    report = Report(["one", "two"], "5x5", schedule, [game])
    assert report.pace(0) == "0.1000 s per attempt"
    assert report.pace(1) == "no timed attempts"
    assert report.as_dict()["measured"] == {"seconds_per_attempt": [0.1, None]}
