"""Law 3 on the web: what a client is sent depends on nothing but what they may know.

Two servers run side by side, with the same secret key, the same clock, and at their tables two
games whose hidden attempts differ. As long as a client may know the same of both, every byte sent
to them has to be the same: frames, headers, pages, their number and their order.
"""

import pytest

from phantomgo.game.rules import PROFILES
from tests.support.leaks import POLICIES, bots, seats, spectators

PLACES = [("person", profile) for profile in sorted(PROFILES)]
PLACES += [(kind, "olympiad") for kind in ("referee", "rematch")]


def quick_and_slow(quick, slow):
    """Seeds and how many pairs are looked at with them, in the usual run and in the slow one."""
    return pytest.mark.parametrize(
        ("seeds", "least"),
        [pytest.param(*quick, id="quick"), pytest.param(*slow, id="slow", marks=pytest.mark.slow)],
    )


@quick_and_slow(((3, 5), 4), (range(5, 65), 40))
@pytest.mark.parametrize(("kind", "profile"), PLACES)
async def test_equal_views_get_equal_bytes(kind, profile, seeds, least):
    assert await seats(seeds, profile, kind) >= least, "too few pairs to say anything"


@quick_and_slow(((0, 6, 8), 4), (range(5, 80), 60))
async def test_equal_views_get_equal_bytes_against_bots(seeds, least):
    assert await bots(seeds) >= least


@quick_and_slow((range(1, 5), 3), (range(5, 106), 3))
@pytest.mark.parametrize("policy", POLICIES)
async def test_spectators_get_what_the_policy_lets_them_know(policy, seeds, least):
    assert await spectators(policy, seeds) >= least
