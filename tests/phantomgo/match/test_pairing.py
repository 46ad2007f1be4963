"""Rounds of a tournament: everybody plays, nobody twice while avoidable."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.match.pairing import Pairs, swiss


def is_a_round(found, players):
    """True if everybody plays one game, or is left over where the number is odd."""
    seated = [player for game in found.games for player in game]
    seated += [] if found.odd is None else [found.odd]
    return sorted(seated) == sorted(players) and (found.odd is None) == (len(players) % 2 == 0)


def test_rounds_of_nobody_and_of_one():
    assert swiss([]) == Pairs((), None)
    assert swiss([4]) == Pairs((), 4)


@settings(max_examples=15)
@given(st.integers(3, 13), st.data())
def test_a_swiss_tournament(count, data):
    """Half as many rounds as players can always be paired without a second meeting."""
    players, played, rested = list(range(count)), [], []
    points = Counter(dict.fromkeys(players, 0.0))
    for seed in range((count + 1) // 2 - 1):
        found = swiss(players, played, rested, points, seed)
        assert is_a_round(found, players)
        for game in found.games:
            points[data.draw(st.sampled_from(game))] += 1
        played += found.games
        if found.odd is not None:
            points[found.odd] += 1
            rested.append(found.odd)
    assert max(Counter(frozenset(game) for game in played).values(), default=0) <= 1
    assert max(Counter(rested).values(), default=0) <= 1


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


def test_players_who_have_met_everybody_play_too():
    """Nobody is dropped because all their opponents would be old ones."""
    played = [(one, other) for one in (0, 1) for other in range(one + 1, 6)]
    assert is_a_round(swiss(range(6), played), range(6))


@pytest.mark.parametrize("count", [64, 121])
def test_a_large_field_is_paired_with_near_ones(count):
    """Players of the same points meet, as far as that comes out even."""
    points = {player: float(player % 4) for player in range(count)}
    found = swiss(range(count), points=points, seed=3)
    assert is_a_round(found, range(count))
    apart = [abs(points[one] - points[other]) for one, other in found.games]
    assert sum(apart) <= 3
    assert found == swiss(range(count), points=points, seed=3)


def test_a_latecomer_may_be_paired_at_once():
    found = swiss([0, 1, 7], [(0, 1)], [], {0: 1, 1: 0})
    assert found.odd is not None
    assert 7 in {*found.games[0], found.odd}
