"""An evening over the web, by requests: how its rounds are paired, played and decided."""

import asyncio
import re
import sqlite3
import threading
from contextlib import closing

import pytest

from phantomgo.app.web.evening import MOST, REST
from phantomgo.app.web.hall import Limits
from phantomgo.app.web.journal import Journal, back_up
from phantomgo.errors import BadStore
from tests.support.evenings import (
    NAMES,
    at_tables,
    begin,
    first_round,
    joined,
    link,
    lose,
    lose_all,
    press,
    site_evening,
    start,
)
from tests.support.waiting import PATIENCE
from tests.support.web_tools import Site, heading


def rows(page):
    """The rows of the last table of a page, as texts."""
    table = page.rpartition("<tbody>")[2]
    return [re.findall(r"<td>(.*?)</td>", row) for row in table.split("</tr>")[:-1]]


async def test_an_evening_of_nine_with_a_restart_in_the_middle(tmp_path):
    path = tmp_path / "tables.db"
    site = Site(path)
    organiser = await begin(site, pairing="swiss")
    players = await joined(site, organiser, NAMES[:8])
    assert "Wait for round 1" in heading((await site.get(players[0])).text)
    await start(site, organiser)
    seats = await at_tables(site, players)
    assert len(seats) == 8
    await lose(site, seats[players[0]])
    # The server is killed in the first round; somebody comes late; the links are good.
    site.hall.close()
    site.journal.close()
    site = Site(path, numbers=range(1000, 2000))
    players += await joined(site, organiser, NAMES[8:])
    again = await at_tables(site, players)
    assert again.items() <= seats.items()
    assert len(again) == 6
    await lose_all(site, again)
    for number in (2, 3):
        await start(site, organiser)
        seats = await at_tables(site, players)
        assert len(seats) == 8
        [bye] = set(players) - set(seats)
        assert f"bye in round {number}" in heading((await site.get(bye)).text)
        await lose_all(site, seats)
    evening = await site_evening(site, organiser)
    met = [frozenset(game[1:3]) for game in evening.games]
    assert len(met) == len(set(met)) == 12
    assert sum(row.points for row in evening.standings()) == 12 + 2
    table = rows((await site.get(organiser)).text)
    assert sorted(row[1] for row in table) == sorted(NAMES)
    assert [float(row[2]) for row in table] == sorted(
        (float(row[2]) for row in table), reverse=True
    )
    site.journal.close()


async def test_a_player_sees_where_to_be_and_how_it_ended():
    site = Site()
    _, players, seats = await first_round(site)
    page = (await site.get(players[0])).text
    assert re.match(r"Table 1: you play (Black|White) against Bob", heading(page))
    seat = (await site.get(seats[players[0]])).text
    assert f'href="{players[0]}">Back to the evening' in seat
    await lose(site, seats[players[0]])
    page = (await site.get(players[0])).text
    assert heading(page) == "Wait for round 2"
    assert "You lost against Bob." in page
    assert "You won against Ann." in (await site.get(players[1])).text
    over = (await site.get(seats[players[1]])).text
    assert "Rematch" not in over
    assert f'href="{players[1]}">Back to the evening' in over


async def test_clocks_start_when_both_have_sat_down():
    site = Site()
    organiser = await begin(site, minutes="10")
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    first = (await press(site, players[0], "sit")).header("location")
    assert not site.room(first).table.turn.running
    await press(site, players[1], "sit")
    await site.settle()
    assert site.room(first).table.turn.running


async def test_a_bot_plays_whoever_is_left_over():
    site = Site()
    organiser = await begin(site, odd="novice")
    players = await joined(site, organiser, NAMES[:5])
    for number in (1, 2, 3):
        await start(site, organiser)
        seats = await at_tables(site, players)
        assert len(seats) == 5
        evening = await site_evening(site, organiser)
        assert evening.bot in evening.rounds[-1][-1][1:3]
        assert evening.rests[-1] == []
        for game in evening.rounds[-1]:  # so whoever met the bot is the last of the table
            bots = {
                evening.players[game.black].bot: "black",
                evening.players[game.white].bot: "white",
            }
            result = bots.get("random", "draw")
            await press(site, organiser, "correct", table=game.table, result=result)
        assert len(evening.rounds) == number
    bot = evening.bot
    met = [{game.black, game.white} - {bot} for game in evening.games if bot in game[1:3]]
    assert len(set(map(min, met))) == 3  # nobody twice


async def test_whoever_is_free_plays():
    site = Site()
    organiser = await begin(site, pairing="free")
    ann, bob, cho = await joined(site, organiser, ["Ann", "Bob", "Cho"])
    await press(site, ann, "ready")
    assert heading((await site.get(ann)).text).startswith("Wait: you play the next")
    await press(site, cho, "ready")
    seats = await at_tables(site, [ann, bob, cho])
    assert set(seats) == {ann, cho}
    await press(site, ann, "ready")  # not offered while they play
    await lose(site, seats[ann])
    await press(site, ann, "ready")
    await press(site, bob, "ready")
    assert set(await at_tables(site, [ann, bob, cho])) == {ann, bob}
    assert (await press(site, organiser, "start", known="2")).status == 400


async def test_a_round_robin_is_closed_once_it_has_begun():
    site = Site()
    organiser = await begin(site, pairing="round robin")
    players = await joined(site, organiser, ["Ann", "Bob", "Cho"])
    join = link((await site.get(organiser)).text, "join")
    for _ in range(3):
        await start(site, organiser)
        seats = await at_tables(site, players)
        assert len(seats) == 2
        await lose_all(site, seats)
    assert (await press(site, join, "join", name="Dai")).status == 400
    evening = await site_evening(site, organiser)
    assert len({frozenset(game[1:3]) for game in evening.games}) == 3
    assert sorted(evening.rested) == [0, 1, 2]
    await press(site, players[2], "leave")
    for _ in range(3):  # Cho's opponents have a bye; the two others meet once more
        await start(site, organiser)
        await lose_all(site, await at_tables(site, players))
    assert sorted(map(len, evening.rounds[3:])) == [0, 0, 1]
    assert sorted(evening.rested[3:]) == [0, 0, 1, 1]


async def four_are_free(site):
    """An evening where whoever is free plays, and the pages of four who are ready."""
    organiser = await begin(site, pairing="free")
    players = await joined(site, organiser, NAMES[:4])
    for player in players:
        await press(site, player, "ready")
    return await site_evening(site, organiser), players


async def test_two_who_have_met_wait_for_those_who_play():
    site = Site()
    evening, players = await four_are_free(site)
    first, second = evening.games
    seats = await at_tables(site, players)
    for number in first[1:3]:
        if site.room(seats[players[number]]).game.outcome is None:
            await lose(site, seats[players[number]])
        await press(site, players[number], "ready")
    assert len(list(evening.games)) == 2, "they wait for the other table"
    assert "Wait" in heading((await site.get(players[first.black])).text)
    # The others go home: nobody is left whom the two could meet.
    await lose(site, seats[players[second.black]])
    await press(site, players[second.black], "leave")
    assert "Wait" in heading((await site.get(players[first.black])).text)
    site.time += REST
    assert "you play" in heading((await site.get(players[first.black])).text)
    assert [{*game[1:3]} for game in evening.games][2:] == [{*first[1:3]}]


async def test_those_who_come_from_a_game_meet_those_who_wait():
    site = Site()
    evening, players = await four_are_free(site)
    for _ in range(2):  # three rounds have no two who meet twice
        games = list(evening.games)[-2:]
        await lose_all(site, await at_tables(site, players))
        for game in games:
            for number in game[1:3]:
                await press(site, players[number], "ready")
                await site.get(players[number])
    met = [frozenset(game[1:3]) for game in evening.games]
    assert len(met) == len({*met}) == 6


async def test_nobody_has_a_bye_where_whoever_is_free_plays():
    site = Site()
    evening, players = await four_are_free(site)
    first, second = evening.games
    seats = await at_tables(site, players)
    await lose_all(site, {page: seats[page] for page in seats if players.index(page) in first[1:3]})
    for number in first[1:3]:
        await press(site, players[number], "ready")  # and wait for one of the others
    await lose(site, seats[players[second.black]])
    await press(site, players[second.black], "ready")
    assert len(list(evening.games)) == 3
    assert evening.rested == []


async def test_two_who_are_alone_meet_again_at_once():
    site = Site()
    organiser = await begin(site, pairing="free")
    players = await joined(site, organiser, ["Ann", "Bob"])
    for _ in range(2):
        for player in players:
            await press(site, player, "ready")
        seats = await at_tables(site, players)
        assert len(seats) == 2
        await lose_all(site, seats)


async def test_the_games_of_an_evening_are_rated_as_those_of_a_match():
    site = Site()
    organiser = await begin(site)
    players = await joined(site, organiser, NAMES[:5])
    assert (await site.get(organiser + "/ratings")).status == 404
    for _ in range(2):
        await start(site, organiser)
        await lose_all(site, await at_tables(site, players))
    evening = await site_evening(site, organiser)
    first, *_, last = evening.games
    await press(site, organiser, "correct", table=last.table, result="neither")
    await press(site, organiser, "correct", table=first.table, result="draw")
    await start(site, organiser)
    page = await site.get(organiser + "/ratings")
    assert page.status == 200
    assert "adjudication 1, resign 2" in page.text
    assert ("has a bye" in page.text, "±" in page.text) == (True, True)
    games = (await site.get(organiser + "/games.pgn")).text
    assert games.count("[Event ") == 3, "one has no winner, two are being played"
    assert games.count('[Result "1/2-1/2"]') == 1
    for other in (players[0], link((await site.get(organiser)).text, "join")):
        assert (await site.get(other + "/ratings")).status == 404


async def test_the_organiser_decides_a_game():
    site = Site()
    organiser = await begin(site)
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    evening = await site_evening(site, organiser)
    [game] = evening.games
    assert (await press(site, organiser, "start", known="1")).status == 400
    referee = re.search(r'href="([^"]+)">Referee<', (await site.get(organiser)).text)[1]
    assert referee == site.hall.room(game.table).link("referee")
    answer = await press(site, organiser, "correct", table=game.table, result="draw")
    assert answer.status == 303
    await site.settle()
    assert [row.points for row in evening.standings()] == [0.5, 0.5]
    assert "0.5 : 0.5 (decided)" in (await site.get(organiser)).text
    assert site.hall.room(game.table).game.outcome.result == "Void"
    await press(site, organiser, "correct", table=game.table, result="black")
    assert {row.player: row.points for row in evening.standings()}[game.black] == 1
    for fields in ({"table": "999"}, {"table": "x"}, {"result": "won"}):
        sent = {"table": str(game.table), "result": "black"} | fields
        assert (await press(site, organiser, "correct", **sent)).status == 400
    assert "Wait for round 2" in (await site.get(players[0])).text


async def test_a_void_game_waits_for_the_organiser():
    site = Site()
    organiser = await begin(site)
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    [game] = (await site_evening(site, organiser)).games
    room = site.hall.room(game.table)
    await site.do(room.link("referee"), "abandon")
    await site.settle()
    assert "Ask the organiser." in (await site.get(players[0])).text
    assert "Start round" not in (await site.get(organiser)).text


async def test_names_are_refused_that_are_missing_taken_or_too_long():
    site = Site()
    organiser = await begin(site)
    join = link((await site.get(organiser)).text, "join")
    assert (await press(site, join, "join", name="<b>Ann</b>")).status == 303
    for name in ("", "  ", "<B>ann</b>", "x" * 31, "a\0b"):
        assert (await press(site, join, "join", name=name)).status == 400, name
    page = (await site.get(organiser)).text
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    "fields", [{"pairing": "x"}, {"odd": "x"}, {"size": "99"}, {"watching": "x"}, {"minutes": "-1"}]
)
async def test_an_evening_that_cannot_be_is_refused(fields):
    site = Site()
    answer = await site.post("/evenings", **fields)
    assert answer.status == 400


@pytest.mark.parametrize("watching", ["nothing", "all"])
async def test_a_projector_shows_boards_or_only_results(watching):
    site = Site()
    organiser = await begin(site, watching=watching)
    await joined(site, organiser, NAMES[:4])
    await start(site, organiser)
    site.hall.close()
    page = (await site.get(link((await site.get(organiser)).text, "projector"))).text
    boards = 2 if watching == "all" else 0
    assert page.count('class="board n3 small"') == len(site.hall.rooms) == boards
    assert all(name in page for name in NAMES[:4])
    assert "<form" not in page


async def test_a_file_of_an_older_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "tables.db"
    Journal(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            "ALTER TABLE tables DROP COLUMN result; DROP TABLE evenings; PRAGMA user_version = 1"
        )
    assert back_up(path, tmp_path / "copy.db") == 0
    site = Site(path)
    await joined(site, await begin(site), ["Ann"])
    site.journal.close()


async def test_an_evening_that_is_too_old_is_deleted():
    site = Site()
    site.hall._keep = 100.0
    organiser = await begin(site)
    [ann] = await joined(site, organiser, ["Ann"])
    site.time += 50
    site.hall.forget_old()
    assert (await site.get(ann)).status == 200
    site.time += 60
    site.hall.forget_old()
    await site.settle()
    assert (await site.get(ann)).status == 404


async def test_tables_and_players_are_bounded():
    site = Site(limits=Limits(tables=2, own=1, presses=10**6, laid=3))
    organiser = await begin(site)
    names = [f"P{n}" for n in range(MOST)]
    await joined(site, organiser, names)
    join = link((await site.get(organiser)).text, "join")
    site.time += 60
    assert (await press(site, join, "join", name="late")).status == 400
    assert (await start(site, organiser)).status == 503  # 32 tables, and one is allowed
    assert not site.hall.rooms
    assert not (await site_evening(site, organiser)).rounds
    for _ in range(3):
        await begin(site)
    assert (await site.post("/evenings")).status == 429


async def test_a_round_is_started_once_however_often_the_button_is_pressed():
    site = Site()
    organiser = await begin(site)
    await joined(site, organiser, NAMES)
    await asyncio.gather(*(press(site, organiser, "start", known="0") for _ in range(5)))
    evening = await site_evening(site, organiser)
    assert len(evening.rounds) == 1
    assert len(site.hall.rooms) == 4
    for game in evening.games:
        await press(site, organiser, "correct", table=game.table, result="draw")
    assert (await press(site, organiser, "start", known="0")).status == 303  # an old page
    assert len(evening.rounds) == 1
    await start(site, organiser)
    assert len(evening.rounds) == 2


async def test_what_cannot_be_kept_has_not_happened(monkeypatch):
    site = Site()
    organiser = await begin(site)
    players = await joined(site, organiser, ["Ann", "Bob"])

    def full(*_writes):
        raise BadStore("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(site.journal._file, "write", full)
        assert (await start(site, organiser)).status == 503
    assert not site.hall.rooms
    assert heading((await site.get(players[0])).text) == "Wait for round 1"
    await start(site, organiser)
    assert len(await at_tables(site, players)) == 2


async def both_join(site, monkeypatch, first, second):
    """Two players join: the write of the first fails, while that of the second waits for it."""
    waits, honest, first_write = threading.Event(), site.journal._file.write, [True]

    def write(*writes):
        if first_write:
            first_write.clear()
            assert waits.wait(PATIENCE)
            raise BadStore("disk full")
        honest(*writes)

    monkeypatch.setattr(site.journal._file, "write", write)
    ann = asyncio.create_task(press(site, first, "join", name="Ann"))
    while site.journal._writing is None or site.journal._queue:
        await asyncio.sleep(0)
    bob = asyncio.create_task(press(site, second, "join", name="Bob"))
    while not site.journal._queue:
        await asyncio.sleep(0)
    waits.set()
    return [(await answer).status for answer in (ann, bob)]


async def test_nothing_is_kept_without_what_came_before_it(tmp_path, monkeypatch):
    site = Site(tmp_path / "tables.db")
    organiser = await begin(site)
    join = link((await site.get(organiser)).text, "join")
    assert await both_join(site, monkeypatch, join, join) == [503, 503]
    await joined(site, organiser, ["Cho", "Dai"])
    page = (await site.get(organiser)).text
    assert [name in page for name in ("Ann", "Bob", "Cho", "Dai")] == [False, False, True, True]
    site.journal.close()


async def test_a_failed_write_fails_nobody_else(tmp_path, monkeypatch):
    site = Site(tmp_path / "tables.db")
    joins = [link((await site.get(await begin(site))).text, "join") for _ in range(2)]
    assert await both_join(site, monkeypatch, *joins) == [503, 303]
    site.journal.close()
