"""An evening over the web, by requests: a whole one, with a restart, and what each link can do."""

import asyncio
import re
import sqlite3
from contextlib import closing

import pytest

from phantomgo.app.web.evening import MOST, REST
from phantomgo.app.web.hall import Limits
from phantomgo.app.web.journal import Journal, back_up
from phantomgo.errors import BadStore
from phantomgo.points import Colour
from phantomgo.record import verify
from phantomgo.record_json import read_record
from tests.support.web_tools import Site, Socket

NAMES = ["Ann", "Bob", "Cho", "Dai", "Eva", "Fay", "Gus", "Hal", "Ida"]


async def begin(site, **fields):
    """Begin an evening; the path of its organiser."""
    answer = await site.post("/evenings", **{"size": "3", "minutes": "0"} | fields)
    assert answer.status == 303, answer.text
    return answer.header("location")


def link(page, role):
    """The path of a role, where a page links to it."""
    found = re.search(rf'href="(?:{"http://localhost:8080"})?(/evening/\d+/{role}/[^"]*)"', page)
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
        if "you play" in heading_of((await site.get(player)).text):
            answer = await press(site, player, "sit")
            assert answer.status == 303
            seats[player] = answer.header("location")
    return seats


def heading_of(page):
    return re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]


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


def rows(page):
    """The rows of the last table of a page, as texts."""
    table = page.rpartition("<tbody>")[2]
    return [re.findall(r"<td>(.*?)</td>", row) for row in table.split("</tr>")[:-1]]


def test_an_evening_of_nine_with_a_restart_in_the_middle(tmp_path):
    async def test():
        path = tmp_path / "tables.db"
        site = Site(path)
        organiser = await begin(site, pairing="swiss")
        players = await joined(site, organiser, NAMES[:8])
        assert "Wait for round 1" in heading_of((await site.get(players[0])).text)
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
            assert f"bye in round {number}" in heading_of((await site.get(bye)).text)
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

    asyncio.run(test())


async def site_evening(site, base):
    """The evening behind a link, as the server has it."""
    _, _, number, role, token = base.split("/")
    server = next(r for r in site.app._app.routes if r.path == "/evenings").endpoint.__self__
    return await server._club.enter(int(number), role, token)


def test_a_player_sees_where_to_be_and_how_it_ended():
    async def test():
        site = Site()
        organiser = await begin(site)
        players = await joined(site, organiser, ["Ann", "Bob"])
        await start(site, organiser)
        seats = await at_tables(site, players)
        page = (await site.get(players[0])).text
        assert re.match(r"Table 1: you play (Black|White) against Bob", heading_of(page))
        seat = (await site.get(seats[players[0]])).text
        assert f'href="{players[0]}">Back to the evening' in seat
        await lose(site, seats[players[0]])
        page = (await site.get(players[0])).text
        assert heading_of(page) == "Wait for round 2"
        assert "You lost against Bob." in page
        assert "You won against Ann." in (await site.get(players[1])).text
        over = (await site.get(seats[players[1]])).text
        assert "Rematch" not in over
        assert f'href="{players[1]}">Back to the evening' in over

    asyncio.run(test())


def test_clocks_start_when_both_have_sat_down():
    async def test():
        site = Site()
        organiser = await begin(site, minutes="10")
        players = await joined(site, organiser, ["Ann", "Bob"])
        await start(site, organiser)
        first = (await press(site, players[0], "sit")).header("location")
        assert not site.room(first).table.turn.running
        await press(site, players[1], "sit")
        await site.settle()
        assert site.room(first).table.turn.running

    asyncio.run(test())


def test_a_bot_plays_whoever_is_left_over():
    async def test():
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

    asyncio.run(test())


def test_whoever_is_free_plays():
    async def test():
        site = Site()
        organiser = await begin(site, pairing="free")
        ann, bob, cho = await joined(site, organiser, ["Ann", "Bob", "Cho"])
        await press(site, ann, "ready")
        assert heading_of((await site.get(ann)).text).startswith("Wait: you play the next")
        await press(site, cho, "ready")
        seats = await at_tables(site, [ann, bob, cho])
        assert set(seats) == {ann, cho}
        await press(site, ann, "ready")  # not offered while they play
        await lose(site, seats[ann])
        await press(site, ann, "ready")
        await press(site, bob, "ready")
        assert set(await at_tables(site, [ann, bob, cho])) == {ann, bob}
        assert (await press(site, organiser, "start", known="2")).status == 400

    asyncio.run(test())


def test_a_round_robin_is_closed_once_it_has_begun():
    async def test():
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

    asyncio.run(test())


def test_two_who_have_met_wait_for_those_who_play():
    async def test():
        site = Site()
        organiser = await begin(site, pairing="free")
        players = await joined(site, organiser, NAMES[:4])
        for player in players:
            await press(site, player, "ready")
        evening = await site_evening(site, organiser)
        first, second = evening.games
        seats = await at_tables(site, players)
        for number in first[1:3]:
            if site.room(seats[players[number]]).game.outcome is None:
                await lose(site, seats[players[number]])
            await press(site, players[number], "ready")
        assert len(list(evening.games)) == 2, "they wait for the other table"
        assert "Wait" in heading_of((await site.get(players[first.black])).text)
        # The others go home: nobody is left whom the two could meet.
        await lose(site, seats[players[second.black]])
        await press(site, players[second.black], "leave")
        assert "Wait" in heading_of((await site.get(players[first.black])).text)
        site.time += REST
        assert "you play" in heading_of((await site.get(players[first.black])).text)
        assert [{*game[1:3]} for game in evening.games][2:] == [{*first[1:3]}]

    asyncio.run(test())


def test_those_who_come_from_a_game_meet_those_who_wait():
    async def test():
        site = Site()
        organiser = await begin(site, pairing="free")
        players = await joined(site, organiser, NAMES[:4])
        for player in players:
            await press(site, player, "ready")
        evening = await site_evening(site, organiser)
        for _ in range(2):  # three rounds have no two who meet twice
            games = list(evening.games)[-2:]
            await lose_all(site, await at_tables(site, players))
            for game in games:
                for number in game[1:3]:
                    await press(site, players[number], "ready")
                    await site.get(players[number])
        met = [frozenset(game[1:3]) for game in evening.games]
        assert len(met) == len({*met}) == 6

    asyncio.run(test())


def test_the_games_of_an_evening_are_rated_as_those_of_a_match():
    async def test():
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

    asyncio.run(test())


def test_the_organiser_decides_a_game():
    async def test():
        site = Site()
        organiser = await begin(site)
        players = await joined(site, organiser, ["Ann", "Bob"])
        await start(site, organiser)
        evening = await site_evening(site, organiser)
        [game] = evening.games
        assert (await press(site, organiser, "start", known="1")).status == 400
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

    asyncio.run(test())


def test_a_void_game_waits_for_the_organiser():
    async def test():
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

    asyncio.run(test())


def test_a_new_link_makes_the_old_one_void():
    async def test():
        site = Site()
        organiser = await begin(site)
        ann, _ = await joined(site, organiser, ["Ann", "Bob"])
        await press(site, organiser, "renew", player="0")
        assert (await site.get(ann)).status == 404
        again = link((await site.get(organiser)).text, "again-0")
        new = (await press(site, again, "again")).header("location")
        assert (await site.get(new)).status == 200
        assert (await site.get(again)).status == 404
        assert "again-0" not in (await site.get(organiser)).text

    asyncio.run(test())


def test_a_new_link_makes_the_seat_of_a_lost_phone_void():
    async def test():
        site = Site()
        organiser = await begin(site)
        players = await joined(site, organiser, ["Ann", "Bob"])
        await start(site, organiser)
        seats = await at_tables(site, players)
        await press(site, organiser, "renew", player="0")
        assert (await site.get(seats[players[0]])).status == 404
        assert (await site.get(seats[players[1]])).status == 200
        again = link((await site.get(organiser)).text, "again-0")
        ann = (await press(site, again, "again")).header("location")
        seat = (await press(site, ann, "sit")).header("location")
        assert seat != seats[players[0]]
        assert (await site.get(seat)).status == 200

    asyncio.run(test())


def test_names_are_refused_that_are_missing_taken_or_too_long():
    async def test():
        site = Site()
        organiser = await begin(site)
        join = link((await site.get(organiser)).text, "join")
        assert (await press(site, join, "join", name="<b>Ann</b>")).status == 303
        for name in ("", "  ", "<B>ann</b>", "x" * 31, "a\0b"):
            assert (await press(site, join, "join", name=name)).status == 400, name
        page = (await site.get(organiser)).text
        assert "&lt;b&gt;Ann&lt;/b&gt;" in page
        assert "<b>" not in page

    asyncio.run(test())


@pytest.mark.parametrize(
    "fields", [{"pairing": "x"}, {"odd": "x"}, {"size": "99"}, {"watching": "x"}, {"minutes": "-1"}]
)
def test_an_evening_that_cannot_be_is_refused(fields):
    async def test():
        site = Site()
        answer = await site.post("/evenings", **fields)
        assert answer.status == 400

    asyncio.run(test())


@pytest.mark.parametrize("watching", ["nothing", "all"])
def test_a_projector_shows_boards_or_only_results(watching):
    async def test():
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

    asyncio.run(test())


def test_a_file_of_an_older_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "tables.db"
    Journal(path).close()
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            "ALTER TABLE tables DROP COLUMN result; DROP TABLE evenings; PRAGMA user_version = 1"
        )
    assert back_up(path, tmp_path / "copy.db") == 0

    async def test():
        site = Site(path)
        await joined(site, await begin(site), ["Ann"])
        site.journal.close()

    asyncio.run(test())


def test_an_evening_that_is_too_old_is_deleted():
    async def test():
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

    asyncio.run(test())


# Who may do what


def test_a_link_is_for_one_role_of_one_evening():
    async def test():
        site = Site()
        organiser, other = await begin(site), await begin(site)
        [ann] = await joined(site, organiser, ["Ann"])
        token = organiser.rpartition("/")[2]
        for path in (
            organiser[:-1],
            organiser + "x",
            f"{other.rpartition('/')[0]}/{token}",
            organiser.replace("organiser", "projector"),
            organiser.replace("organiser", "player-0"),
            organiser.replace("organiser", "nobody"),
            ann.replace("player-0", "player-00"),
            ann.replace("player-0", "player-1"),
            ann.replace("player-0", "again-0"),
            ann.replace("/evening/", "/table/"),
            f"/evening/{2**70}/organiser/{token}",
            f"/evening/0/organiser/{token}",
            f"/evening/1/organiser/{'ä' * 22}",
        ):
            assert (await site.get(path)).status == 404, path
            assert (await press(site, path, "start", known="0")).status == 404, path

    asyncio.run(test())


def test_each_role_does_only_what_is_its_own():
    async def test():
        site = Site()
        organiser = await begin(site)
        ann, bob = await joined(site, organiser, ["Ann", "Bob"])
        page = (await site.get(organiser)).text
        for base in (ann, link(page, "join"), link(page, "projector")):
            for what in ("start", "correct", "renew", "again", "nonsense", ""):
                answer = await press(site, base, what, known="0", player="1")
                assert answer.status == 400, (base, what)
        await press(site, ann, "leave", player="1")  # it is about Ann, whatever the form says
        assert heading_of((await site.get(ann)).text) == "You have left"
        assert heading_of((await site.get(bob)).text) == "Wait for round 1"
        for player in ("7", "-1", "x", ""):
            assert (await press(site, organiser, "leave", player=player)).status == 400

    asyncio.run(test())


def test_a_wrong_token_opens_no_evening_and_no_table():
    async def test():
        site = Site()
        organiser = await begin(site)
        players = await joined(site, organiser, ["Ann", "Bob"])
        await start(site, organiser)
        site.hall.close()
        assert not site.hall.rooms
        for path in (organiser, *players):
            for answer in (await site.get(path[:-1]), await press(site, path[:-1], "sit")):
                assert answer.status == 404
        assert not site.hall.rooms

    asyncio.run(test())


def test_tables_and_players_are_bounded():
    async def test():
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

    asyncio.run(test())


def test_a_round_is_started_once_however_often_the_button_is_pressed():
    async def test():
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

    asyncio.run(test())


def test_what_cannot_be_kept_has_not_happened(monkeypatch):
    async def test():
        site = Site()
        organiser = await begin(site)
        players = await joined(site, organiser, ["Ann", "Bob"])

        def full(*_writes):
            raise BadStore("disk full")

        with monkeypatch.context() as broken:
            broken.setattr(site.journal._file, "write", full)
            assert (await start(site, organiser)).status == 503
        assert not site.hall.rooms
        assert heading_of((await site.get(players[0])).text) == "Wait for round 1"
        await start(site, organiser)
        assert len(await at_tables(site, players)) == 2

    asyncio.run(test())


# Presence


async def seated(site, **fields):
    """The organiser, and the seats of two players of an evening, in the order of their colours."""
    organiser = await begin(site, size="5", **fields)
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    seats = (await at_tables(site, players)).values()
    return organiser, sorted(seats, key=lambda seat: seat.split("/")[3])


async def wait(site, seconds):
    site.time += seconds
    site.hall.tick()
    await site.settle()


def offer(page):
    return re.search(r'class="offer"[^>]*>(.*?)</p>', page)[1]


def test_who_stays_away_at_their_turn_may_lose_by_it_and_the_organiser_may_decide_otherwise():
    async def test():
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

    asyncio.run(test())


def test_who_comes_back_or_is_not_to_move_loses_nothing():
    async def test():
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
        again.leave()
        await site.settle()

    asyncio.run(test())


def test_whoever_does_not_come_back_after_a_kill_is_away(tmp_path):
    async def test():
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

    asyncio.run(test())


def test_a_page_without_a_script_is_not_away_after_a_kill(tmp_path):
    async def test():
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

    asyncio.run(test())


def test_elsewhere_a_player_is_away_and_the_game_waits():
    async def test():
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

    asyncio.run(test())
