"""What one address, one table or one fault may take from the others: never more than its part."""

import asyncio
import re

from phantomgo.app.web import rate_limits
from phantomgo.app.web.rate_limits import RateLimit, address_key
from phantomgo.app.web.registry import ServerLimits
from tests.support.waiting import PATIENCE
from tests.support.web_tools import Site, Socket, answered, heading

UNLIMITED = {"requests": 10**6, "new_tables": 10**6, "share": 10**6}


def limited(**limits):
    return Site(limits=ServerLimits(**UNLIMITED | limits))


async def in_progress(site, **fields):
    """A table where Black has made a move."""
    black = await site.lay(opponent="person", colour="black", size="5", **fields)
    await site.invited(black)
    await site.attempt(black, "C3")
    return black


# Links


async def test_a_wrong_or_void_token_opens_no_table():
    site = limited()
    referee = await site.lay(opponent="referee", size="5")
    void = await site.invited(referee)
    await site.do(referee, "free-black")
    again = await site.invited(referee)
    site.time += 700
    site.registry.close_idle()
    assert not site.registry.sessions
    wrong = [
        f"/table/1/{role}/{'x' * 22}" for role in ("black", "referee", "invite-white", "watch")
    ]
    for path in (void, *wrong):
        for file in ("", "/part", "/game.json"):
            assert (await site.get(path + file)).status == 404
    assert not site.registry.sessions
    assert (await site.get(again)).status == 200


# Tables


async def test_tables_per_address_are_limited():
    site = limited(tables=10, own=3)
    for _ in range(3):
        await site.lay(opponent="person")
    assert (await site.post("/tables", opponent="person")).status == 503
    here = site.scope
    site.scope = lambda *words: here(*words) | {"client": ("192.0.2.7", 5)}  # somebody else
    assert (await site.post("/tables", opponent="person")).status == 303


async def test_a_game_in_progress_keeps_its_slot():
    site = limited(tables=3)
    game = await in_progress(site)
    site.time += 700
    site.registry.close_idle()  # nobody was there for long
    pages = [Socket(site, await site.lay(opponent="person")) for _ in range(3)]
    await site.settle()
    assert (await site.post("/tables", opponent="person")).status == 503
    assert (await site.get(game)).status == 200
    for page in pages:
        page.leave()
    await site.settle()


async def test_tables_are_closed_early_when_room_is_needed_but_no_game_in_progress():
    site = limited(tables=2, idle=100)
    game = await in_progress(site)
    await site.lay(opponent="person")
    await site.settle()
    site.time += 9.9
    assert (await site.post("/tables", opponent="person")).status == 503
    site.time += 0.2  # a tenth of the time, where room is needed
    assert (await site.post("/tables", opponent="person")).status == 303
    assert list(site.registry.sessions) == [1, 4]
    assert site.session(game).in_progress
    site.registry.close_idle()
    assert list(site.registry.sessions) == [1, 4]


async def test_requests_and_pages_of_a_table_and_sockets_of_an_address_are_limited():
    site = limited(requests=5, pages=2, sockets=3)
    black, other = [await site.lay(opponent="person") for _ in range(2)]
    pages = [Socket(site, base) for base in (black, black, black, other, other)]
    await site.settle()
    assert [page.accepted for page in pages] == [True, True, False, True, False]
    pages[0].leave()
    await site.settle()
    again = Socket(site, other)
    await site.settle()
    assert again.accepted
    answers = [(await site.post(black + "/do", do="adjourn")).status for _ in range(6)]
    assert answers == [303] * 5 + [429]
    for page in (*pages, again):
        page.leave()
    await site.settle()


# Addresses


def test_address_keys():
    assert {*map(address_key, ("192.0.2.7", "::ffff:192.0.2.7"))} == {"192.0.2.7"}
    networks = {*map(address_key, ("2001:db8:1:2:3::4", "2001:db8:1:2:ffff::9"))}
    assert networks == {"2001:db8:1:2::/64"}
    assert address_key("") == ""


def test_rate_limits_forget_inactive_addresses(monkeypatch):
    rate = RateLimit(2, 60)
    assert [rate.allows("a", now) for now in (100, 101, 102, 161)] == [True, True, False, True]
    for number in range(50):
        rate.allows(str(number), 170)
    assert len(rate._times) == 51
    rate.allows("b", 240)
    assert len(rate._times) == 1
    monkeypatch.setattr(rate_limits, "REMEMBERED", 10)
    for number in range(50):
        rate.allows(str(number), 241)
    assert len(rate._times) == 10


# Faults of ours


async def test_a_fault_while_clients_look_is_logged_and_said(monkeypatch, caplog):
    site = limited()
    black = await in_progress(site)
    session = site.session(black)
    with monkeypatch.context() as patch:
        patch.setattr(session.client("white"), "latest_state", lambda: 1 / 0)
        session.changed()
        await session.settled()
    assert caplog.text.count("table 1: ZeroDivisionError") == 1
    assert answered((await site.get(black)).text).startswith("Something went wrong")


async def test_a_fault_at_a_table_stops_that_table_only(monkeypatch, caplog):
    site = limited()
    bad, good = [await in_progress(site, minutes="1") for _ in range(2)]
    broken = site.session(bad).table
    with monkeypatch.context() as patch:
        patch.setattr(broken, "tick", lambda: 1 / 0)
        for _ in range(3):
            site.registry.tick()
        assert "ZeroDivisionError" in caplog.text
        assert caplog.text.count("table 1: ") == 1
        site.time += 61
        site.registry.tick()
        assert site.session(good).game.outcome is not None
        page = (await site.get(bad)).text
        assert answered(page) == "Something went wrong at this table, and its clocks are stopped."
        assert heading(page) == "White is to move"
        left = re.findall(r'data-left="([\d.]+)"', page)
        await site.do(bad, "mark", point="A1")
        site.time += 30
        page = (await site.get(bad)).text
        assert re.findall(r'data-left="([\d.]+)"', page) == left
    await site.do(bad, "ask")  # its clocks go on
    assert answered((await site.get(bad)).text) == ""
    site.time += 61
    site.registry.tick()
    await site.settle()
    assert heading((await site.get(bad)).text) == "You won on time."


async def test_no_request_waits_for_the_writes_of_others():
    site = limited()
    black = await in_progress(site)
    white = site.session(black).link("white")
    disk, honest = asyncio.Event(), site.journal.written

    async def written(added=None):
        await disk.wait()
        await honest(added)

    site.journal.written = written
    before = (await site.get(black + "/part")).text
    refused = asyncio.create_task(site.attempt(white, "C3"))
    while not site.session(black).unsettled:
        await asyncio.sleep(0)
    answer = await asyncio.wait_for(site.get(black + "/part"), PATIENCE)
    assert answer.text == before
    assert not refused.done()
    disk.set()
    await refused
