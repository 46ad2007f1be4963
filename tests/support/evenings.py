"""Evenings of a web server without a network: begun, joined and played by requests."""

import re

from tests.support.web_tools import ORIGIN, heading

NAMES = ["Ann", "Bob", "Cho", "Dai", "Eva", "Fay", "Gus", "Hal", "Ida"]


async def begin(site, **fields):
    """Begin an evening; the path of its organiser."""
    answer = await site.post("/evenings", **{"size": "3", "minutes": "0"} | fields)
    assert answer.status == 303, answer.text
    return answer.header("location")


def link(page, role):
    """The path of a role, where a page links to it."""
    found = re.search(rf'href="(?:{ORIGIN})?(/evening/\d+/{role}/[^"]*)"', page)
    assert found is not None, role
    return found[1]


async def press(site, base, what, **fields):
    return await site.post(base + "/do", do=what, **fields)


async def joined(site, organiser, names):
    """The pages of players who join."""
    join = link((await site.get(organiser)).text, "join")
    answers = [await press(site, join, "join", name=name) for name in names]
    assert [answer.status for answer in answers] == [303] * len(names)
    return [answer.header("location") for answer in answers]


async def start(site, organiser):
    """Start the next round, as the button does it."""
    page = (await site.get(organiser)).text
    known = re.search(r'name="known" value="(\d+)"', page)
    assert known is not None, page
    return await press(site, organiser, "start", known=known[1])


async def at_tables(site, players):
    """The seats of those who play this round, by their pages."""
    seats = {}
    for player in players:
        if "you play" in heading((await site.get(player)).text):
            answer = await press(site, player, "sit")
            assert answer.status == 303
            seats[player] = answer.header("location")
    return seats


async def first_round(site, **fields):
    """The organiser of a new evening, the pages of Ann and Bob, and their seats by these."""
    organiser = await begin(site, **fields)
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    return organiser, players, await at_tables(site, players)


async def lose(site, seat):
    """The player at this seat resigns, at their turn."""
    room = site.room(seat)
    if room.game.outcome is None and "/white/" in seat:
        await site.do(room.link("black"), "pass")
    await site.do(seat, "resign")
    await site.settle()
    assert room.game.outcome is not None


async def lose_all(site, seats):
    """Every game ends."""
    for seat in seats.values():
        if site.room(seat).game.outcome is None:
            await lose(site, seat)


async def site_evening(site, base):
    """The evening behind a link, as the server has it."""
    _, _, number, role, token = base.split("/")
    server = next(r for r in site.app._app.routes if r.path == "/evenings").endpoint.__self__
    return await server._club.enter(int(number), role, token)
