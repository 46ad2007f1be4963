"""The clocks of tables over the web."""

import re

import pytest

from phantomgo.game.recording import verify
from tests.support.web_tools import Site, answered, heading, lefts, two


async def test_clocks():
    site = Site()
    black = await site.lay(opponent="person", size="5", minutes="1")
    site.time += 500  # nobody is there yet
    white = await site.invited(black, name="Bob")
    site.time += 500  # nothing is attempted yet
    assert lefts((await site.get(white)).text) == ([60, 60], 0)
    await site.attempt(black, "C3")
    assert lefts((await site.get(black)).text) == ([60, 60], 1)
    site.time += 20
    await site.attempt(white, "C3")
    page = (await site.get(black)).text
    assert re.findall(r'data-left="([\d.]+)"', page) == ["60", "40"]
    await site.do(black, "adjourn")
    await site.do(white, "accept")
    assert heading((await site.get(white)).text) == "The game is adjourned."
    site.time += 1000
    await site.attempt(white, "D4")
    assert answered((await site.get(white)).text) == "It is not your turn."
    await site.do(white, "resume")
    site.time += 1000
    await site.do(black, "accept")
    site.time += 39
    await site.attempt(white, "D5")
    site.time += 61
    site.registry.tick()
    assert heading((await site.get(white)).text) == "You won on time."
    verify(site.session(white).game.record())


@pytest.mark.parametrize(
    ("clock", "seconds", "shown"),
    [
        ({"minutes": "1", "increment": "5"}, [10, 50, 14], [65, 20, 11]),
        ({"minutes": "1", "period": "20"}, [10, 50, 14], [80, 30, 20]),
        ({"period": "20"}, [19, 1, 20], [20, 20, 20]),
    ],
)
async def test_time_is_added_after_moves(clock, seconds, shown):
    site = Site()
    black, white = await two(site, **clock)
    for number, (used, left) in enumerate(zip(seconds, shown, strict=True)):
        stone = f"{'ABCD'[number]}1"
        if number:
            await site.attempt(white, stone)
        site.time += used / 2
        if number:  # it is refused
            await site.attempt(black, stone)
        site.time += used / 2
        await site.attempt(black, f"{'ABCD'[number]}5")
        assert lefts((await site.get(white)).text)[0][0] == left
    site.time += 100
    site.registry.tick()
    assert heading((await site.get(white)).text) == "You lost on time."


@pytest.mark.parametrize("by_hand", [False, True])
async def test_a_referees_clocks_wait_for_both_players_or_the_referee(by_hand):
    site = Site()
    referee = await site.lay(opponent="referee", size="5", minutes="1")
    site.time += 500
    black = await site.invited(referee)
    site.time += 500
    assert lefts((await site.get(black)).text) == ([60, 60], 0)
    assert 'value="start"' in (await site.get(referee)).text
    if by_hand:
        await site.do(referee, "start")
    else:
        await site.invited(referee)
    site.time += 5
    assert lefts((await site.get(black)).text) == ([55, 60], 1)
    assert 'value="stop"' in (await site.get(referee)).text
    await site.do(referee, "free-black")  # they come back by the new link
    assert lefts((await site.get(referee)).text)[1] == by_hand


async def test_only_the_referee_starts_and_stops_the_clocks():
    site = Site()
    referee = await site.lay(opponent="referee", size="5", minutes="1")
    black, _ = [await site.invited(referee) for _ in range(2)]
    assert 'value="adjourn"' not in (await site.get(black)).text
    await site.do(black, "adjourn")
    assert answered((await site.get(black)).text) == "That is not possible now."
    await site.do(referee, "stop")
    assert heading((await site.get(black)).text) == "The clocks are stopped."
    site.time += 1000
    for what in ("resume", "start", "pass"):
        await site.do(black, what)
    for what in ("pass", "resign", "attempt"):
        await site.do(referee, what, point="C3")
    assert site.session(black).game.steps == []
    await site.do(referee, "start")
    site.time += 20
    await site.attempt(black, "C3")
    assert re.findall(r'data-left="([\d.]+)"', (await site.get(black)).text) == ["40", "60"]
