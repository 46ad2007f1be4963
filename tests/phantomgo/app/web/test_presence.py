"""Players who go away from a game: what the others are told and may claim."""

import re

from phantomgo.points import Colour
from phantomgo.record import verify
from phantomgo.record_json import read_record
from tests.support.evenings import first_round, press
from tests.support.web_tools import Site, Socket


async def seated(site, **fields):
    """The organiser, and the seats of two players of an evening, in the order of their colours."""
    organiser, _, seats = await first_round(site, size="5", **fields)
    return organiser, sorted(seats.values(), key=lambda seat: seat.split("/")[3])


async def wait(site, seconds):
    site.time += seconds
    site.hall.tick()
    await site.settle()


def offer(page):
    return re.search(r'class="offer"[^>]*>(.*?)</p>', page)[1]


async def test_who_stays_away_at_their_turn_may_lose_by_it_and_the_organiser_may_decide_otherwise():
    site = Site()
    organiser, (black, white) = await seated(site)
    absent = site.room(black).names[Colour.BLACK]
    away = f"{absent} is away. After 2 minutes of their turn you may claim the game."
    here, other = Socket(site, black), Socket(site, white)
    await wait(site, 300)
    assert offer((await site.get(white)).text) == "", "they think, and that takes time"
    here.leave()
    await site.settle()
    for seconds, words, may in ((29, "", False), (2, away, False), (90, away, True)):
        await wait(site, seconds)
        page = (await site.get(white)).text
        assert offer(page) == words
        assert ('value="claim"' in page) == may
        assert len(other.frames) == 1 + bool(words) + may
        if not may:
            await site.do(white, "claim")
            assert site.room(white).game.outcome is None
    await site.press(white, "claim")
    assert site.room(white).game.outcome is None, "it is asked about first"
    await site.press(white, "yes")
    await site.settle()
    outcome = site.room(white).game.outcome
    assert (outcome.result, outcome.sentence) == ("W+F", "Black stayed away")
    verify(read_record((await site.get(white + "/game.json")).text))
    await press(site, organiser, "correct", table=white.split("/")[2], result="draw")
    assert "0.5 : 0.5 (decided)" in (await site.get(organiser)).text


async def test_who_comes_back_or_is_not_to_move_loses_nothing():
    site = Site()
    _, (black, white) = await seated(site)
    pages = {seat: Socket(site, seat) for seat in (black, white)}
    await site.settle()
    pages[black].leave()
    await site.settle()
    await wait(site, 150)
    assert 'value="claim"' in (await site.get(white)).text
    again = Socket(site, black)
    await site.settle()
    await wait(site, 1)
    assert offer((await site.get(white)).text) == ""
    await site.do(white, "claim")
    assert site.room(white).game.outcome is None
    pages[white].leave()
    await site.settle()
    await wait(site, 150)
    page = (await site.get(black)).text
    assert "is away." in offer(page)
    assert 'value="claim"' not in page, "it is Black's turn"
    await site.attempt(black, "C3")
    for seconds, may in ((119, False), (2, True)):
        await wait(site, seconds)
        assert ('value="claim"' in (await site.get(black)).text) == may, "two minutes of their turn"
    again.leave()
    await site.settle()


async def test_whoever_does_not_come_back_after_a_kill_is_away(tmp_path):
    site = Site(tmp_path / "tables.db")
    _, (black, white) = await seated(site)
    for seat in (black, white):
        Socket(site, seat)
    await site.settle()
    site.journal.close()
    again = Site(tmp_path / "tables.db")
    other = Socket(again, white)
    await again.settle()
    await wait(again, 20)
    assert offer((await again.get(white)).text) == "", "they may come back at any moment"
    await wait(again, 110)
    assert 'value="claim"' in (await again.get(white)).text
    here = Socket(again, black)
    await again.settle()
    await wait(again, 1)
    assert offer((await again.get(white)).text) == ""
    for page in (here, other):
        page.leave()
    await again.settle()
    again.journal.close()


async def test_a_page_without_a_script_is_not_away_after_a_kill(tmp_path):
    site = Site(tmp_path / "tables.db")
    _, (_, white) = await seated(site)
    page = Socket(site, white)
    await site.settle()
    page.leave()
    await site.settle()
    site.journal.close()
    again = Site(tmp_path / "tables.db")
    await again.get(white)
    await wait(again, 300)
    assert offer((await again.get(white)).text) == ""
    again.journal.close()


async def test_elsewhere_a_player_is_away_and_the_game_waits():
    site = Site()
    black = await site.lay(opponent="person", size="5", name="Ann")
    white = await site.invited(black)
    page = Socket(site, black)
    await site.settle()
    page.leave()
    await site.settle()
    await wait(site, 10_000)
    text = (await site.get(white)).text
    assert offer(text) == "Ann is away."
    assert 'value="claim"' not in text
