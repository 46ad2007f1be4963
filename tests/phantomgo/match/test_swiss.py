"""The Swiss system, played with results that nobody played."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.match.attendance import sift
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Fixtures, Ticket
from phantomgo.match.swiss import Pairs, Swiss, next_round
from phantomgo.rng import Stream
from tests.support.results import result

Winner = Callable[[Ticket], int | None]


def stronger(ticket: Ticket) -> int:
    return min(ticket.black, ticket.white)


def played(schedule: Fixtures, winner: Winner, failures: int | None = 3, failing=()):
    """Play what is open until nothing is; the end."""
    games: dict[int, MatchGame] = {}
    for _ in range(200):
        found = sift(schedule, games, failures)
        if not found.open:
            return found
        for number in found.open:
            ticket = schedule.ticket(number)
            won = winner(ticket)
            lost = next((p for p in (ticket.black, ticket.white) if p in failing), None)
            if lost is not None:
                won = ticket.white if lost == ticket.black else ticket.black
            letter = None if won is None else "b" if won == ticket.black else "w"
            game = result(schedule, number, letter)
            games[number] = game if lost is None else game._replace(ending="void")
    raise AssertionError("it never ends")


def meetings(found) -> list[list[tuple[int, int | None]]]:
    return [[(m.one, m.other) for m in stage.meetings] for stage in found.rounds]


@settings(max_examples=25)
@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 1000))
def test_in_a_swiss_nobody_plays_twice_in_a_round_or_is_left_out(players, rounds, seed):
    stream = Stream(seed)
    schedule = Swiss(players, 2, 0, rounds=rounds)
    found = played(schedule, lambda t: (t.black, t.white, None)[stream.below(3)])
    assert len(found.rounds) == rounds
    assert len(found.counted) == schedule.total
    for stage in meetings(found):
        there = [p for pair in stage for p in pair if p is not None]
        assert sorted(there) == [*range(players)]
    if rounds <= players // 2:  # so few rounds need no second meeting and no second bye
        pairs = [frozenset(pair) for stage in meetings(found) for pair in stage]
        assert len({*pairs}) == len(pairs)


def test_in_a_swiss_those_with_the_same_points_meet():
    found = played(Swiss(8, 2, 0, rounds=3), stronger)
    points = Counter[int]()
    for stage in found.rounds:
        for meeting in stage.meetings:
            assert points[meeting.one] == points[meeting.other]
        points.update({m.one: m.points for m in stage.meetings})
        points.update({m.other: m.others for m in stage.meetings})
    assert meetings(found) != meetings(played(Swiss(8, 2, 1, rounds=3), stronger)), "by lot"


def test_a_swiss_of_many_is_walked_through_quickly():
    """Pairings are drawn once; a report takes no longer for all the rounds it has."""
    schedule = Swiss(64, 2, 0, rounds=3)
    found = played(schedule, stronger)
    drawn = next_round.cache_info()
    games = {game.number: game for game in found.counted}
    assert sift(schedule, games, None).rounds == found.rounds
    assert next_round.cache_info().misses == drawn.misses


def test_a_swiss_goes_on_without_those_who_are_set_aside():
    found = played(Swiss(5, 4, 0, rounds=4), stronger, failing={2})
    assert found.aside == {2}
    later = [p for stage in meetings(found)[2:] for pair in stage for p in pair]
    assert 2 not in later
    assert {0, 1, 3, 4} <= {*later}


# One round


def is_a_round(found, players):
    """True if everybody plays one game, or is left over where the number is odd."""
    seated = [player for game in found.games for player in game]
    seated += [] if found.odd is None else [found.odd]
    return sorted(seated) == sorted(players) and (found.odd is None) == (len(players) % 2 == 0)


def test_rounds_of_nobody_and_of_one():
    assert swiss([]) == Pairs((), None)
    assert swiss([4]) == Pairs((), 4)


def swiss(players, met=(), rested=(), points=None, seed=0) -> Pairs:
    scores = tuple((points or {}).get(player, 0.0) for player in players)
    return next_round(tuple(players), tuple(met), tuple(rested), scores, seed)


def test_winners_meet_and_the_last_rests():
    played = [(0, 1), (2, 3)]
    found = swiss([0, 1, 2, 3, 4], played, [4], {0: 1, 2: 1, 4: 1, 1: 0, 3: 0})
    assert found.odd in (1, 3)
    winners = {0, 2, 4}
    assert [len(winners & {*game}) for game in found.games].count(2) == 1


def test_a_second_meeting_only_where_all_others_would_repeat():
    played = [(0, 1), (2, 3), (0, 2), (1, 3)]
    found = swiss([0, 1, 2, 3], played, points={0: 2, 1: 2, 2: 0, 3: 0})
    assert {frozenset(game) for game in found.games} == {frozenset((0, 3)), frozenset((1, 2))}
    played += found.games
    assert is_a_round(swiss([0, 1, 2, 3], played), [0, 1, 2, 3])  # all have met, and play


def test_only_those_meet_again_who_have_to():
    """Player 0 has met everybody; 1 and 2, who would suit each other, have met too."""
    played = [(0, player) for player in range(1, 6)] + [(1, 2)]
    found = swiss(range(6), played, points={0: 0, 1: 2, 2: 2, 3: 0, 4: 0, 5: 0})
    met = {frozenset(game) for game in played}
    assert sum(frozenset(game) in met for game in found.games) == 1


@pytest.mark.parametrize("count", [64, 121])
def test_a_large_field_is_paired_with_near_ones(count):
    """Players of the same points meet, as far as that comes out even."""
    points = {player: float(player % 4) for player in range(count)}
    found = swiss(range(count), points=points, seed=3)
    assert is_a_round(found, range(count))
    apart = [abs(points[one] - points[other]) for one, other in found.games]
    assert sum(apart) <= 3
    assert found == swiss(range(count), points=points, seed=3)
