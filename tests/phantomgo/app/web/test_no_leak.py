"""Law 3 on the web: what a client is sent depends on nothing but what they may know.

Two servers run side by side, with the same secret key, the same clock, and at their tables two
games whose hidden attempts differ. As long as a client may know the same of both, every byte sent
to them has to be the same: frames, headers, pages, their number and their order.
"""

import sys

import pytest

from phantomgo.rules import PROFILES
from tests.support.leaks import POLICIES, bots, seats, spectators


async def many(search, least):
    """Run a search for leaks, and print how many pairs it looked at."""
    pairs = await search
    sys.stderr.write(f"{pairs} times looked at after different games with equal views\n")
    assert pairs >= least


@pytest.mark.parametrize("profile", sorted(PROFILES))
async def test_equal_views_get_equal_bytes(profile):
    assert await seats((3, 5), profile) >= 4, "too few pairs to say anything"


@pytest.mark.parametrize("kind", ["referee", "rematch"])
async def test_equal_views_get_equal_bytes_at_other_tables(kind):
    assert await seats((3, 5), kind=kind) >= 4


async def test_equal_views_get_equal_bytes_against_bots():
    assert await bots((0, 6, 8)) >= 4


@pytest.mark.slow
async def test_equal_views_get_equal_bytes_in_many_games_against_bots():
    await many(bots(range(5, 80)), 60)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["referee", "rematch"])
async def test_equal_views_get_equal_bytes_in_many_games_at_other_tables(kind):
    await many(seats(range(5, 65), kind=kind), 60)


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
async def test_equal_views_get_equal_bytes_in_many_games(profile):
    await many(seats(range(5, 45), profile), 40)


@pytest.mark.parametrize("policy", POLICIES)
async def test_spectators_get_what_the_policy_lets_them_know(policy):
    assert await spectators(policy, range(1, 5)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
async def test_spectators_of_many_games(policy):
    await many(spectators(policy, range(5, 106)), 0)
