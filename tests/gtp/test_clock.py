"""The clock against a strict timekeeper, over whole games with refused attempts."""

import math
import random
from functools import partial

import pytest

from gtp.clock import Clock, Limit, gtp_clock, named_clock
from phantomgo.game.points import BLACK, WHITE


def attempts(points: int, seed: int) -> list[int]:
    """Attempts of a side for each of its moves, in a game of common length and refusals."""
    chance = random.Random(seed)
    tries = []
    for _ in range(round(points * chance.uniform(0.45, 0.8))):
        tries.append(1)
        while chance.random() < 0.43:
            tries[-1] += 1
    return tries


def play(clock: Clock, points: int, tries: list[int], told=None, late=None) -> list[list[float]]:
    """The seconds of each attempt by move: a twentieth more than it is given, and `late()`.

    `told(used)` makes the controller's `time_left` before each attempt: what was used, by move.
    """
    used: list[list[float]] = []
    for turn, count in enumerate(tries):
        used.append([])
        for _ in range(count):
            if told is not None:
                clock = clock.corrected(BLACK, *told(used))
            clock = clock.asked(BLACK, turn)
            seconds = clock.budget(BLACK, points, turn)
            assert seconds is not None
            assert seconds >= 0
            used[-1].append(1.05 * seconds + (late() if late else 0))
            clock = clock.thought(BLACK, used[-1][-1], seconds)
    return used


def total(used: list[list[float]]) -> float:
    return sum(map(sum, used))


QUICK = [(main, points, (0,), 40, 0.73) for main in (10, 1800) for points in (25, 81, 361)]


@pytest.mark.parametrize("telling", [False, True])
@pytest.mark.parametrize(
    ("main", "points", "late", "games", "least"), [*QUICK, (10, 81, (0, 0.1), 200, 0.65)]
)
def test_main_time_is_used_and_never_overstepped(main, points, late, games, least, telling):
    """Also where half of the attempts begin 0.1 s late, but for very long games."""
    shares = []
    for seed in range(games):
        chance, tries = random.Random(seed), attempts(points, seed)
        told = (lambda used: (main - total(used), 0)) if telling else None
        delay = partial(chance.choice, late)
        used = play(gtp_clock([str(main), "0", "0"]), points, tries, told, delay)
        assert total(used) < main or (any(late) and sum(tries) > 140)
        shares.append(total(used) / main)
    assert sum(shares) / len(shares) > least


def test_a_long_game_on_a_short_clock_is_not_lost():
    """Many attempts come late, and each takes 6 ms at least: 7 s on 13x13."""
    clock, left = gtp_clock(["7", "0", "0"]), 7.0
    for turn, count in enumerate([1] * 60 + [5] * 60):
        for _ in range(count):
            clock = clock.corrected(BLACK, left, 0).asked(BLACK, turn)
            seconds = clock.budget(BLACK, 169, turn)
            assert seconds is not None
            spent = max(seconds, 0.006)
            clock, left = clock.thought(BLACK, spent, seconds), left - spent - 0.0005
    assert left > 0


def test_time_that_passes_beside_decisions_makes_later_ones_shorter():
    clock = gtp_clock(["60", "0", "0"]).asked(BLACK, 0).thought(BLACK, 1, 1)
    assert clock.corrected(BLACK, 58.84, 0).left[BLACK].late == pytest.approx(0.02)
    assert clock.corrected(BLACK, 50.5, 0).left[BLACK].late == pytest.approx(0.025), "at most"
    for seconds, stones in ((58, 0), (59.5, 0), (9.5, 3)):
        assert clock.corrected(BLACK, seconds, stones).left[BLACK].late == 0


@pytest.mark.parametrize("clock", ["byoyomi 20 5 3", "byoyomi 0 5 1", "canadian 0 5 1"])
def test_no_period_is_overstepped(clock):
    main = int(clock.split()[1])
    used = play(named_clock(clock.split()), 81, attempts(81, 4))
    late = [sum(move) for i, move in enumerate(used) if total(used[:i]) > main]
    assert late
    assert max(late) < 5
    assert total(used) > main + 0.5 * 5 * len(late)


@pytest.mark.parametrize(
    ("clock", "turn", "seconds"),
    [
        ("absolute 100", 0, (0.9837, 0.9275)),  # 99.6 s for 101.25 attempts
        ("absolute 100", 60, (4.9184, 4.7811)),
        ("fischer 10 2", 0, (1.0948, 1.0386)),
        ("fischer-capped 600 9 0 3", 0, (2.8, 2.7641)),
        ("byoyomi 0 5 3", 0, (3.84, 3.1641)),
        ("canadian 60 30 5", 0, (4.768, 4.7321)),
        ("canadian 0 30 5", 7, (4.768, 4.6041)),
    ],
)
def test_what_a_decision_may_take(clock, turn, seconds):
    """On 9x9, at once and after two decisions that were late, by a tenth and by 0.4 s."""
    asked = named_clock(clock.split()).asked(BLACK, turn)
    late = asked.thought(BLACK, 0.3, 0.2).thought(BLACK, 0.5, 0.1)
    budgets = [one.budget(BLACK, 81, turn) for one in (asked, late)]
    assert budgets == pytest.approx(seconds, abs=1e-4)


def test_canadian_stones_share_their_period():
    used = play(named_clock(["canadian", "0", "30", "5"]), 81, attempts(81, 5))
    for first in range(0, len(used), 5):
        assert total(used[first : first + 5]) < 30
    assert total(used) > 0.5 * 30 * len(used) / 5
    told = named_clock(["canadian", "0", "30", "5"]).corrected(BLACK, 30, 5)
    assert told.asked(BLACK, 0).budget(BLACK, 81, 0) == pytest.approx(0.8 * 29.8 / 5)
    assert told.corrected(BLACK, -1, 0).left[BLACK].seconds == 0


def test_increments_are_used_and_not_before_they_come():
    used = play(named_clock(["fischer", "5", "2"]), 81, attempts(81, 6))
    for i in range(len(used)):
        assert total(used[: i + 1]) < 5 + 2 * i
    assert total(used) > 0.8 * (5 + 2 * (len(used) - 1))
    clock = named_clock(["fischer", "0", "2"]).asked(BLACK, 0).asked(BLACK, 1)
    assert clock.allowed(BLACK) == 2


def test_the_sides_have_clocks_of_their_own():
    clock = gtp_clock(["100", "0", "0"]).asked(BLACK, 0).thought(BLACK, 60, 60)
    black, white = (clock.asked(side, 0).budget(side, 81, 0) or 0 for side in (BLACK, WHITE))
    assert white > 2 * black > 0
    assert clock.restarted().asked(BLACK, 0).budget(BLACK, 81, 0) == white


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (Limit(60), "60 s a side"),
        (Limit(60, increment=1.5), "60 s a side + 1.5 s a move"),
        (Limit(60, 10, 5), "60 s a side, then 10 s for 5 moves"),
        (Limit(0, 0.5), "0.5 s a move"),
    ],
)
def test_a_time_control_in_words(limit, text):
    assert str(limit) == text


def test_when_a_decision_loses_on_time():
    """Main time and a whole period are allowed at first, then what is left of the period."""
    clock = Clock(Limit(10, 5, 2))
    assert clock.allowed(BLACK) == math.inf, "nobody was asked"
    clock = clock.asked(BLACK, 0)
    assert clock.allowed(BLACK) == 15
    clock = clock.thought(BLACK, 12, 12).asked(BLACK, 0)  # refused, two seconds into the period
    assert clock.allowed(BLACK) == 3
    clock = clock.thought(BLACK, 1, 1).asked(BLACK, 1)
    assert clock.allowed(BLACK) == 2, "the second move of the period"
    assert clock.thought(BLACK, 1, 1).asked(BLACK, 2).allowed(BLACK) == 5, "the next period"
    assert Clock(Limit(10, longest=4)).asked(BLACK, 0).allowed(BLACK) == 4
