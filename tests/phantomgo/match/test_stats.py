"""The statistics of a match, against published values and by simulation."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.errors import BadText
from phantomgo.estimates import wilson
from phantomgo.match.report import Report
from phantomgo.match.schedule import Schedule
from phantomgo.match.scores import RunningSprt
from phantomgo.match.stats import (
    Sprt,
    Verdict,
    elo,
    elo_interval,
    expected,
    log_likelihood_ratio,
    superiority,
)
from phantomgo.rng import Stream
from tests.support.results import result


@pytest.mark.parametrize("errors", [(0, 0.05), (0.05, 0), (0.6, 0.6), (math.nan, 0.05)])
def test_errors_of_a_sequential_test(errors):
    with pytest.raises(BadText, match=r"both have to be above 0, their sum below 1"):
        Sprt(0, 5, *errors)


def test_certain_results_leave_no_rounding():
    """Else ten wins of ten would be an Elo of at most 6261."""
    assert elo_interval((0, 0, 0, 0, 5)).high == math.inf


def test_elo():
    assert elo(0.5) == 0
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.64) == pytest.approx(100, abs=0.1)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    assert expected(elo(0.3)) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [
        # From the tests of fastchess, which agree with fishtest. A win and a loss count as two
        # draws: 1 point either way.
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_ratio_is_the_published_one(counts, elo0, elo1, ratio):
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((200, 0, 0, 0, 0), Verdict.H0),
        ((0, 0, 0, 0, 200), Verdict.H1),
        ((0, 0, 400, 0, 0), Verdict.H0),
        ((0, 0, 0, 0, 0), Verdict.OPEN),
        ((3, 0, 5, 0, 4), Verdict.OPEN),
    ],
    ids=["all lost", "all won", "all even", "none", "few"],
)
def test_the_test_works_without_draws_and_with_one_sided_results(counts, verdict):
    assert Sprt(0, 30).verdict(counts) is verdict


def test_the_test_errs_as_seldom_as_it_says():
    """60 simulated matches at each hypothesis, no draws; 5 % errors would be 3."""
    wrong = {}
    for name, elo1, bad in (("h0", 0, Verdict.H1), ("h1", 150, Verdict.H0)):
        stream, wrong[name] = Stream(elo1), 0
        bound = round(expected(elo1) * 10**6)
        for _ in range(60):
            counts, sprt = [0] * 5, Sprt(0, 150)
            while sprt.verdict(counts) is Verdict.OPEN:
                points = sum(stream.below(10**6) < bound for _ in range(2))
                counts[2 * points] += 1
            wrong[name] += sprt.verdict(counts) is bad
    assert max(wrong.values()) <= 8


def test_no_games_say_nothing():
    none = (0, 0, 0, 0, 0)
    for interval, bounds in ((wilson(0, 0), (0, 1)), (elo_interval(none), (-math.inf, math.inf))):
        assert math.isnan(interval.value)
        assert interval[1:] == bounds
    assert (superiority(none), log_likelihood_ratio(none, 0, 5)) == (0.5, 0)


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


def test_what_the_test_says():
    sprt = Sprt(0, 30)
    assert sprt.sentence((0, 0, 0, 0, 200)).startswith("H1 accepted (Elo 30 rather than 0): LLR ")
    assert sprt.sentence((200, 0, 0, 0, 0)).startswith("H0 accepted (Elo 0 rather than 30): LLR -")
    assert sprt.sentence((200, 0, 0, 0, 0)).endswith(" reached -2.94 after 200 pairs")


def test_how_often_the_test_may_err_is_asked_of_each_side():
    bounds = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


@pytest.mark.parametrize(
    ("elo0", "elo1"), [(5, 0), (3, 3), (math.nan, 0), (0, math.inf), (-2001, 0), (0, 2001)]
)
def test_an_sprt_of_nonsense(elo0, elo1):
    with pytest.raises(BadText, match=r"is not (below|a number from -2000 to 2000)"):
        Sprt(elo0, elo1)
    assert Sprt(-2000, 2000).verdict((0, 0, 1, 0, 0)) is Verdict.OPEN


# The report


def test_the_test_looks_at_pairs_in_order_only():
    schedule = Schedule(2, 100, 0)
    games = {n: result(schedule, n, "wb"[n % 2]) for n in range(100)}  # player 1 wins all
    late = {n: game for n, game in games.items() if n not in (2, 3)}
    watch = RunningSprt(Sprt(0, 100), range(100))
    assert watch.decided_after(late) is None
    decided = watch.decided_after(games)
    assert decided == RunningSprt(Sprt(0, 100), range(100)).decided_after(games)
    verdicts = [Sprt(0, 100).verdict([pairs, 0, 0, 0, 0]) for pairs in range(51)]
    assert decided == 2 * verdicts.index(Verdict.H0)
    assert 10 < decided < 60


def test_a_table():
    schedule = Schedule(2, 6, 0)
    games = [result(schedule, n, w, d) for n, w, d in zip(
        range(6), ["b", "w", "b", "b", None, "w"], "abcdea", strict=True)]  # fmt: skip
    report = Report(["one", "two"], "5x5", schedule, games, sprt=Sprt(0, 100))
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
        "SPRT           undecided: LLR 0.74 is between -2.94 and 2.94 after 3 pairs",
        "colours        Black won 3, White 2, drawn 1",
        "moves per game 12.5, from 10 to 15",
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
