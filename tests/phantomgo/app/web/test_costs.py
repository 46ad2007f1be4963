"""What each path costs, and that the cost counts against the address that asks.

Work is counted, not timed: lines of Python that the event loop runs.
"""

import asyncio
import sys

import pytest

from phantomgo.app.table.review import Chances, Review
from phantomgo.app.web.rate_limits import AT_ONCE, WorkLimit
from phantomgo.app.web.server import ANY, PATHS, qr_code
from phantomgo.game.points import PASS, RESIGN, WHITE
from phantomgo.rng import Stream
from tests.support.web_tools import Site, Socket, heading

LINES = 8000
"""The lines of Python in a millisecond of work, roughly and at most."""
ATTEMPTS = 300
"""Attempts of a long game on 9x9."""


async def finished(site):
    """The page of a long game that is over and reviewed."""
    base = await site.lay(opponent="here", size="9", minutes="5")
    session, stream = site.session(base), Stream(3)
    game = session.game
    while len(game.steps) < ATTEMPTS:
        view = game.view(game.to_move)
        tired = view.refusals > 40 and not view.opponent_passed
        session.table.attempt(PASS if tired else stream.below(81))
    session.table.attempt(RESIGN)
    moments = ATTEMPTS + 2
    chances = Chances(*(((0.5,) * moments,) * 3))
    beliefs = (("5" * 81,) + ("",) * (moments - 1),) * 2
    steps = len(game.steps)
    session.review = Review(chances, ("C3",) * steps, (0.1,) * steps, beliefs)
    await site.settle()
    return base


async def places():
    """A site, and addresses of each path by the names of the methods that answer."""
    site = Site()
    over = await finished(site)
    black = await site.lay(opponent="person", size="9", minutes="5")
    invite = site.session(black).link("invite-white")
    return site, {
        "part": [f"{black}/part", f"{over}/part", f"{over}/part?at=200&side=white"],
        "do": [f"{black}/do"],
        "live": [black],
        "static": ["/static/style.css", "/static/icon.png"],
        "front": ["/"],
        "set_up": ["/tables"],
        "lesson": ["/lesson/1", "/lesson/10?step=1", "/lesson/10?step=1&point=A1"],
        "qr": [f"/qr{black}", f"/qr{invite}"],
        "invitation": [invite],
        "table": [black, over, f"{over}?at=200"],
        "picture": [f"{over}/final.png"],
        "download": [f"{over}/{file}" for file in ("game.json", "game.sgf", "black.sgf")],
        "sit": [invite],  # and now it is void
    }


async def ask(site, path, address):
    """Ask for an address as its pages do; the status of the answer, or 101 for a socket."""
    if not path.methods:
        page = Socket(site, address)
        await site.settle()
        page.leave()
        await page.task
        return 101 if page.accepted else page.closed
    if path.methods == ("GET",):
        return (await site.get(address)).status
    return (await site.post(address, do="mark", point="A1", opponent="person")).status


async def lines_of(work):
    """The number of lines of Python that run for this in the event loop."""
    lines = 0

    def trace(_frame, event, _argument):
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()  # a coverage run traces too
    sys.settrace(trace)
    try:
        await work
    finally:
        sys.settrace(before)
    return lines


def each(addresses):
    """Every path with each of its addresses."""
    paths = {path.answer: path for path in PATHS} | {
        path.answer: path for path in PATHS if "{number" in path.pattern
    }
    assert {path.answer for path in PATHS} == addresses.keys()
    return [(paths[answer], address) for answer, them in addresses.items() for address in them]


async def test_every_path_costs_what_its_entry_says():
    """Beside what is made once for everybody."""
    site, addresses = await places()
    for path, address in each(addresses):
        if path.answer != "sit":
            assert await asyncio.create_task(ask(site, path, address)) < 400, address
        lines = await asyncio.create_task(lines_of(ask(site, path, address)))
        assert lines <= path.work * LINES, address


async def test_a_cost_that_is_not_said_is_found(monkeypatch):
    """As a QR code, drawn on the event loop for every request, once was."""

    async def here(work, *arguments):
        return work(*arguments)

    monkeypatch.setattr("phantomgo.app.web.server.asyncio.to_thread", here)
    monkeypatch.setattr("phantomgo.app.web.server.qr_code", qr_code.__wrapped__)
    with pytest.raises(AssertionError, match="/qr/table"):
        await test_every_path_costs_what_its_entry_says()


async def test_every_path_counts_against_the_address_that_asks(monkeypatch):
    site, addresses = await places()
    counted, allowed = [], False

    def allows(_limit, who, _now, work):
        counted.append((who, work))
        return allowed

    monkeypatch.setattr(WorkLimit, "allows", allows)
    for path, address in each(addresses):
        assert await ask(site, path, address) in (429, 1013)
        assert counted.pop() == ("127.0.0.1", path.work)
        assert not counted, address
    for path in ("/nothing", "/do", "/table/1/black/x/y/z", "/static/"):
        answer = await site.get(path)
        assert answer.status == 429
        assert heading(answer.text) == "Too many requests. Wait a few seconds."
    assert {work for _, work in counted} == {ANY}
    assert WHITE not in site.session(addresses["do"][0]).sitting
    allowed = True
    for path, address in each(addresses):
        assert await ask(site, path, address) < 400, address


async def test_the_code_of_a_link_is_drawn_for_good_links_only(monkeypatch):
    drawn = []
    monkeypatch.setattr("segno.make", lambda url, **_: drawn.append(url) or 1 // 0)
    site = Site()
    black = await site.lay(opponent="person", size="5")
    for path in (f"{black}x", f"{black[:-1]}", "/table/9/black/x", "/table/0/x/y", "/x", black[1:]):
        assert (await site.get(f"/qr{path}")).status == 404
    assert drawn == []
    assert (await site.get(f"/qr{black}")).status == 500
    assert drawn == [f"http://localhost:8080{black}"]


def test_an_address_has_a_share_of_the_time():
    limit = WorkLimit(0.25)
    burst = 250 * AT_ONCE
    assert limit.allows("a", 100.0, burst)
    assert not limit.allows("a", 100.0, 1)
    assert limit.allows("b", 100.0, burst)
    assert limit.allows("a", 100.125, 31.25)
    assert not limit.allows("a", 100.125, 1)
    assert not limit.allows("a", 200.0, burst + 1)
    assert limit.allows("a", 200.0, burst)
