"""Players who go away from a game: what the others are told."""

import re

from tests.support.web_tools import Site, Socket, two


async def wait(site, seconds):
    site.time += seconds
    site.hall.tick()
    await site.settle()


async def offer(site, seat):
    return re.search(r'class="offer"[^>]*>(.*?)</p>', (await site.get(seat)).text)[1]


async def leave(site, page):
    page.leave()
    await site.settle()


async def test_who_has_no_page_open_for_half_a_minute_is_away_until_they_come_back():
    site = Site()
    black, white = await two(site)
    here, other = Socket(site, black), Socket(site, white)
    await wait(site, 300)
    assert await offer(site, white) == "", "they think, and that takes time"
    await leave(site, here)
    for seconds, words in ((29, ""), (2, "Ann is away."), (10_000, "Ann is away.")):
        await wait(site, seconds)
        assert await offer(site, white) == words
        assert len(other.frames) == 1 + bool(words)
    assert site.room(white).game.outcome is None, "the game waits"
    again = Socket(site, black)
    await site.settle()
    await wait(site, 1)
    assert await offer(site, white) == ""
    for page in (again, other):
        await leave(site, page)


async def test_whoever_does_not_come_back_after_a_kill_is_away(tmp_path):
    site = Site(tmp_path / "tables.db")
    black, white = await two(site)
    for seat in (black, white):
        Socket(site, seat)
    await site.settle()
    site.journal.close()
    again = Site(tmp_path / "tables.db")
    other = Socket(again, white)
    await again.settle()
    await wait(again, 20)
    assert await offer(again, white) == "", "they may come back at any moment"
    await wait(again, 20)
    assert await offer(again, white) == "Ann is away."
    await leave(again, other)
    again.journal.close()


async def test_a_page_without_a_script_is_not_away_after_a_kill(tmp_path):
    site = Site(tmp_path / "tables.db")
    _, white = await two(site)
    page = Socket(site, white)
    await site.settle()
    await leave(site, page)
    site.journal.close()
    again = Site(tmp_path / "tables.db")
    await wait(again, 300)
    assert await offer(again, white) == ""
    again.journal.close()
