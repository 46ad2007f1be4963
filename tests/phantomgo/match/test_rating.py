"""Ratings, against a maximum likelihood of the tests' own, and by simulation."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from phantomgo.match.rating import rate
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Fixtures, round_robin
from phantomgo.match.stats import elo, elo_interval, expected
from phantomgo.rng import Stream
from tests.support.results import result


def played(strengths: Sequence[float], games: int, seed: int, advantage: float = 40, draws=0.0):
    """A round robin of players whose strengths are known."""
    schedule = Fixtures(len(strengths), games, seed, round_robin(len(strengths)))
    stream = Stream(seed)

    def draw() -> float:
        return stream.below(1 << 30) / (1 << 30)

    found = []
    for number in schedule.numbers():
        scheduled = schedule.game(number)
        chance = expected(strengths[scheduled.black] - strengths[scheduled.white] + advantage)
        winner = None if draw() < draws else "b" if draw() < chance else "w"
        found.append(result(schedule, number, winner))
    return found


def likeliest(games: Sequence[MatchGame], players: int) -> tuple[list[float], float]:
    """The maximum likelihood by its equations: everybody scores what is expected of them.

    One number after the other, the ratings and Black's advantage, is moved to where that holds, by
    bisection. No code is shared with ours.
    """
    numbers = [0.0] * (players + 1)  # the last one is the advantage
    count = Counter((game.black, game.white) for game in games)
    points: Counter[tuple[int, int]] = Counter()
    for game in games:
        points[game.black, game.white] += {"b": 2, "w": 0, None: 1}[game.winner]

    def excess(which: int) -> float:
        """The points of a player, or of Black, beyond those that are expected."""
        total = 0.0
        for (black, white), played in count.items():
            difference = numbers[black] - numbers[white] + numbers[-1]
            missing = points[black, white] / 2 - played / (1 + 10 ** (-difference / 400))
            total += missing * ((which in (black, players)) - (which == white))
        return total

    for _ in range(200):
        for which in range(1, players + 1):  # the first player stays at 0
            low, high = numbers[which] - 400, numbers[which] + 400
            for _ in range(22):
                numbers[which] = (low + high) / 2
                low, high = (numbers[which], high) if excess(which) > 0 else (low, numbers[which])
    mean = sum(numbers[:-1]) / players
    return [value - mean for value in numbers[:-1]], numbers[-1]


@pytest.mark.parametrize(("seed", "draws"), [(1, 0.0), (2, 0.3)])
def test_ratings_are_those_of_the_maximum_likelihood(seed, draws):
    """Within a point on a thousand games; the prior is too wide to move them further."""
    games = played((300, 150, 50, 0, -200), 100, seed, draws=draws)
    assert len(games) == 1000
    found = rate(games, 5)
    ratings, advantage = likeliest(games, 5)
    assert found.elo == pytest.approx(ratings, abs=1)
    assert found.advantage.value == pytest.approx(advantage, abs=1)


def test_two_players_have_the_usual_elo():
    games = played((120, 0), 2000, 3, advantage=0)
    score = sum(g.black_score if g.black == 0 else 1 - g.black_score for g in games) / len(games)
    found = rate(games, 2)
    assert found.elo[0] - found.elo[1] == pytest.approx(elo(score), abs=1)
    # Games are independent here, so the interval from pairs has about the same width.
    counts = [0] * 5
    for one, other in zip(games[::2], games[1::2], strict=True):
        counts[round(2 * (one.black_score + 1 - other.black_score))] += 1
    interval = elo_interval(counts)
    width = 2 * 1.96 * math.sqrt(found.covariance[0, 0] * 4)
    assert width == pytest.approx(interval.high - interval.low, rel=0.1)


def test_the_errors_hold_what_they_say():
    """The true ratings, and the true advantage, lie in 95 % of the intervals."""
    truth = np.array((200.0, 50.0, -50.0, -200.0))
    inside, advantages, tournaments = 0, 0, 120
    for seed in range(tournaments):
        found = rate(played(list(truth), 30, seed), 4)
        errors = np.array([found.error(player) for player in range(4)])
        inside += int(np.sum(np.abs(found.elo - truth) < errors))
        advantages += found.advantage.low < 40 < found.advantage.high
    assert 0.92 < inside / (4 * tournaments) < 0.98
    assert 0.89 < advantages / tournaments <= 1


def test_superiority():
    found = rate(played((100, 0, -100), 40, 5), 3)
    assert found.order == [0, 1, 2]
    assert 0.9 < found.superiority(0, 2) <= 1
    assert found.superiority(0, 2) + found.superiority(2, 0) == pytest.approx(1)
    assert found.superiority(0, 2) > found.superiority(0, 1)


def test_whoever_won_every_game_has_a_finite_rating():
    schedule = Fixtures(3, 20, 0, round_robin(3))
    games = []
    for number in schedule.numbers():
        scheduled = schedule.game(number)
        games.append(result(schedule, number, "b" if scheduled.black < scheduled.white else "w"))
    found = rate(games, 3)
    assert found.order == [0, 1, 2]
    assert 400 < found.elo[0] < 2000
    assert found.error(0) > 200, "and nobody knows it well"


def test_whoever_has_not_played_has_no_rating():
    schedule = Fixtures(3, 4, 0, ((0, 2),))
    found = rate([result(schedule, n, "bwbb"[n % 4]) for n in schedule.numbers()], 3)
    assert found.order == [0, 2, 1]
    assert math.isnan(found.elo[1])
    assert math.isnan(found.superiority(0, 1))
    assert found.elo[0] == pytest.approx(-found.elo[2])
    assert math.isnan(rate([], 2).elo[0])
