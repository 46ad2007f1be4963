"""Bots and pages while others ask for all they can get. Times are printed, not judged."""

import asyncio
import contextlib
import sys

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from phantomgo.rng import Stream
from tests.support.browsing import CHROMIUM
from tests.support.web_load import Connection, one_turn, serving

TURNS = 80
CROWD = 20
"""Tables of those who ask for much, all from one other address."""

pytestmark = pytest.mark.slow


async def waits(port, turns, found, *, source="127.0.0.1", others=(), **fields):
    """Add to `found`, for each turn against a bot, the seconds and what `others` got meanwhile."""
    stream, fields = Stream(turns), {"colour": "black", "size": "9"} | fields
    while len(found) < turns:
        async with Connection(port, source) as http:
            status, base, _ = await http.ask("POST", "/tables", fields)
            if status != 303:  # so many tables at once
                await asyncio.sleep(1)
                continue
            address, origin = f"ws://127.0.0.1:{port}{base}/live", f"http://127.0.0.1:{port}"
            async with connect(
                address, origin=Origin(origin), compression=None, local_addr=(source, 0)
            ) as page:
                for _ in range(int(fields["size"]) ** 2 // 4):
                    before = len(others)
                    turn = await one_turn(http, base, page, stream)
                    if turn is not None:
                        found.append((turn[2], len(others) - before))
    return found


@contextlib.asynccontextmanager
async def beside(*players):
    """A block in which others play, without a pause and to its end."""
    tasks = [asyncio.create_task(player) for player in players]
    try:
        yield
        assert not any(task.done() for task in tasks), "they have stopped"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wrong_tokens(port):
    async with Connection(port) as http:
        for number in range(1, 41):
            await http.ask("GET", f"/table/{number}/black/{'x' * 22}")


def percentile(seconds, share):
    return sorted(seconds)[int(share * len(seconds))]


def test_a_crowd_of_one_address_does_not_come_first(tmp_path):
    """None of its tables gets much more than one turn in each of ours."""
    usual, endless, crowd = {"opponent": "medium", "minutes": "10"}, 10**9, []
    long = usual | {"minutes": "1440"}
    slow = {"opponent": "expert", "size": "19", "minutes": "1440", "source": "127.0.0.2"}

    async def test(port):
        await waits(port, 5, [], **usual)  # the workers are there
        found = {"alone": await waits(port, TURNS, [], **usual)}
        await wrong_tokens(port)
        found["wrong tokens"] = await waits(port, TURNS, [], **usual)
        async with beside(waits(port, endless, [], **long)):
            found["1440 minutes"] = await waits(port, TURNS, [], **usual)
        async with beside(*(waits(port, endless, crowd, **slow) for _ in range(CROWD))):
            found["a crowd"] = await waits(port, TURNS, [], others=crowd, **usual)
        return found

    with serving(tmp_path) as port:
        found = asyncio.run(test(port))
    for what, turns in found.items():
        middle, high = (percentile([seconds for seconds, _ in turns], at) for at in (0.5, 0.99))
        sys.stderr.write(f"{what}: median {middle:.3f} s, 99 % within {high:.3f} s\n")
    served = percentile([count for _, count in found["a crowd"]], 0.5)
    sys.stderr.write(f"turns of the crowd in one of ours: median {served}\n")
    assert len(crowd) > CROWD
    assert served < 1.5 * CROWD


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
def test_a_page_is_fetched_at_once_in_a_browser(tmp_path):
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    fetch = """async () => {
        const path = document.querySelector(".table").dataset.base + "/part", times = [];
        for (let n = 0; n < 200; n++) {
            const began = performance.now();
            await (await fetch(path)).text();
            times.push(performance.now() - began);
        }
        return times;
    }"""
    with serving(tmp_path) as port, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.click("button.main")
        page.wait_for_selector(".table")
        times = page.evaluate(fetch)
        browser.close()
    middle, high = percentile(times, 0.5), percentile(times, 0.99)
    sys.stderr.write(f"a page fetch: median {middle:.1f} ms, 99 % within {high:.1f} ms\n")
    assert len(times) == 200
