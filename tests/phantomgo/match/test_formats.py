"""Swiss and knockout, played with results that nobody played."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.match import formats
from phantomgo.match.attendance import sift
from phantomgo.match.formats import MOST_EXTRA, Knockout, Swiss, seeded
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Fixtures, Ticket
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


@settings(max_examples=25)
@given(st.integers(2, 7), st.integers(1, 4), st.booleans())
def test_players_join_later_and_earlier_rounds_stay(players, joins, knockout):
    """Those who join leave everything as it is that was played before."""
    fewer = Knockout(players, 2, 5) if knockout else Swiss(players, 2, 5, rounds=4)
    more = replace(fewer, players=players + 1, joins=(*[1] * players, joins))
    before, after = (meetings(played(schedule, stronger)) for schedule in (fewer, more))
    kept = min(joins - 1, len(before))
    assert after[:kept] == before[:kept]
    there = [[p for pair in stage for p in pair].count(players) for stage in after]
    if knockout:
        assert sum(there) == 1, "the weakest loses at once"
        assert (after[-1] == [(0, players)]) >= (joins > len(before)), "or the winner of the others"
    else:
        assert there == [0] * (joins - 1) + [1] * (5 - joins)
    assert sum(len(stage) for stage in after) >= sum(len(stage) for stage in before)


@pytest.mark.parametrize("kind", [Swiss, Knockout])
def test_the_round_that_has_begun(kind):
    schedule = kind(4, 2, 0, rounds=2) if kind is Swiss else kind(4, 2, 0)
    found = sift(schedule, {}, None)
    assert found.begun == 0
    games = {number: result(schedule, number, "b") for number in found.open[:1]}
    assert sift(schedule, games, None).begun == 1
    assert played(schedule, stronger).begun == 2


def test_a_swiss_of_many_is_walked_through_quickly():
    """Pairings are drawn once; a report takes no longer for all the rounds it has."""
    schedule = Swiss(64, 2, 0, rounds=3)
    found = played(schedule, stronger)
    drawn = formats._swiss.cache_info()
    games = {game.number: game for game in found.counted}
    assert sift(schedule, games, None).rounds == found.rounds
    assert formats._swiss.cache_info().misses == drawn.misses


def test_a_swiss_goes_on_without_those_who_are_set_aside():
    found = played(Swiss(5, 4, 0, rounds=4), stronger, failing={2})
    assert found.aside == {2}
    later = [p for stage in meetings(found)[2:] for pair in stage for p in pair]
    assert 2 not in later
    assert {0, 1, 3, 4} <= {*later}


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_the_best_could_meet_in_the_last_round_only(size):
    places = seeded(size)
    assert sorted(places) == [*range(size)]
    while len(places) > 1:
        pairs = [*zip(places[::2], places[1::2], strict=True)]
        assert {sum(pair) for pair in pairs} == {len(places) - 1}
        places = [min(pair) for pair in pairs]


@given(st.integers(2, 17))
def test_in_a_knockout_the_strongest_wins(players):
    found = played(Knockout(players, 2, 0), stronger)
    assert found.rounds[-1].name == "final"
    (last,) = found.rounds[-1].meetings
    assert (last.one, last.other, last.points) == (0, 1, 2)
    assert len(found.counted) == 2 * (players - 1)
    losers = [max(m.one, m.other) for stage in found.rounds for m in stage.meetings]
    assert sorted(losers) == [*range(1, players)], "everybody but one loses once"


def test_a_tied_meeting_is_continued():
    """Black always wins, so all pairs are tied, but for one."""

    def winner(ticket: Ticket) -> int:
        return max(ticket.black, ticket.white) if ticket.round == 3 else ticket.black

    found = played(Knockout(2, 4, 0), winner)
    assert [stage.name for stage in found.rounds] == ["final", *["final, more games"] * 2]
    assert found.rounds[-1].meetings[0].others == 2
    assert len(found.counted) == 8
    found = played(Knockout(4, 2, 0), lambda ticket: ticket.black)
    assert meetings(found)[-1] == [(0, 1)], "in the end the first of the file"
    assert len(found.rounds) == 2 * (1 + MOST_EXTRA)


def test_whoever_does_not_begin_is_out():
    found = played(Knockout(4, 4, 0), stronger, failing={0})
    assert meetings(found) == [[(0, 3), (1, 2)], [(1, 3)]]
    assert found.forfeits == {0: 4}
