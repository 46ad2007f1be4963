"""Tables over the web, played by requests: what each page says, who may do what."""

import asyncio
import os
import re
import signal
from concurrent.futures.process import BrokenProcessPool

import pytest

from phantomgo.app.web.actions import ACTIONS, CHANGING
from phantomgo.app.web.hall import Limits
from phantomgo.app.web.journal import Journal
from phantomgo.app.web.sight import BUTTONS
from phantomgo.app.web.thinkers import PooledPlayers, Thinkers
from phantomgo.errors import BadStore, BadText
from phantomgo.outcome import Ending, Fault
from phantomgo.points import BLACK, PASS, WHITE
from phantomgo.record import verify
from phantomgo.record_json import read_record
from phantomgo.sgf import read_sgf
from tests.support.play_tools import new_game
from tests.support.web_tools import (
    Answer,
    Inline,
    Site,
    Socket,
    answered,
    buttons,
    get_advice_ready,
    heading,
    said,
)


async def two(site, **fields):
    """A table of two persons; the paths of Black and White."""
    black = await site.lay(**{"opponent": "person", "size": "5", "name": "Ann"} | fields)
    return black, await site.invited(black, name="Bob")


def test_two_people_play_a_game():
    async def test():
        site = Site()
        black, white = await two(site)
        assert heading((await site.get(black)).text) == "Your turn"
        assert heading((await site.get(white)).text) == "Ann is to move"
        await site.attempt(black, "C3")
        await site.attempt(white, "C3")
        page = (await site.get(white)).text
        assert heading(page) == "Your turn"
        assert said(page) == "White's move C3 is refused."
        assert 'aria-label="C3: Black stone"' in page  # the one stone there is: certain
        assert "C3 is refused" not in (await site.get(black)).text
        await site.attempt(white, "D4")
        await site.do(black, "pass")
        await site.do(white, "pass")
        page = (await site.get(black)).text
        assert heading(page) == "You lost by 2.5."
        assert heading((await site.get(white)).text) == "You won by 2.5."
        assert page.count('class="board n5"') == 1
        assert "White: C3 is refused (occupied)" in page
        record = read_record((await site.get(black + "/game.json")).text)
        verify(record)
        assert (record.black.name, record.white.name) == ("Ann", "Bob")
        for name in ("game", "black", "white"):
            assert (await site.get(f"{black}/{name}.sgf")).text.startswith("(;GM[1]")
        read_sgf((await site.get(black + "/game.sgf")).body)

    asyncio.run(test())


def test_what_is_not_for_now_changes_nothing():
    async def test():
        site = Site()
        black, white = await two(site)
        await site.attempt(black, "C3")
        before = site.room(black).game.record()
        for path, what, fields, answer in [
            (black, "attempt", {"point": "D4"}, "It is not your turn."),
            (
                white,
                "attempt",
                {"point": "Z9"},
                "'Z9' is not a vertex of a 5x5 board (A1 to E5, or pass).",
            ),
            (white, "attempt", {}, "'' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
            (white, "undo", {}, "That is not possible now."),
            (white, "rematch", {}, "That is not possible now."),
            (white, "nonsense", {}, "That is not possible now."),
            (white, "hint", {}, "That is not possible now."),
        ]:
            await site.do(path, what, **fields)
            assert answered((await site.get(path)).text) == answer
            assert site.room(black).game.record() == before
        await site.post(white + "/do", do="attempt", point="D4", known="99")
        assert answered((await site.get(white)).text).startswith("The position has changed")
        await site.attempt(white, "D4")
        await site.attempt(black, "C3")
        assert answered((await site.get(black)).text) == "Your own stone is at C3."
        assert len(site.room(black).game.steps) == 2

    asyncio.run(test())


def test_every_button_does_something():
    assert ACTIONS.keys() == BUTTONS.keys() - {"yes", "no"} | {"attempt"}
    assert set(CHANGING) <= ACTIONS.keys()


def test_a_button_pressed_twice_is_one_attempt():
    async def test():
        site = Site()
        black, white = await two(site)
        await site.attempt(black, "C3")
        known = site.room(white).guest("white").sight.known
        fields = {"do": "attempt", "point": "C3", "known": known}
        await asyncio.gather(*(site.post(white + "/do", **fields) for _ in range(5)))
        assert [step.reason for step in site.room(white).game.steps] == [None, "occupied"]
        fields |= {"point": "D4", "known": known + 1}
        await asyncio.gather(*(site.post(white + "/do", **fields) for _ in range(5)))
        assert len(site.room(white).game.steps) == 3

    asyncio.run(test())


def test_what_cannot_be_kept_has_not_happened(monkeypatch):
    async def test():
        site = Site()
        black, white = await two(site)
        await site.attempt(black, "C3")
        page = Socket(site, black)
        await site.settle()
        seen = list(page.frames)

        def full(*_writes):
            raise BadStore("disk full")

        with monkeypatch.context() as broken:
            broken.setattr(site.journal._file, "write", full)
            answer = await site.attempt(white, "D4")
            assert answer.status == 503
            assert "nothing was done" in answer.text
        await site.settle()
        assert page.frames == seen
        assert len(site.room(black).game.steps) == 1
        await site.attempt(white, "D4")
        assert len(site.room(black).game.steps) == 2

    asyncio.run(test())


def test_a_socket_tells_the_version_and_nothing_else():
    async def test():
        site = Site()
        black, white = await two(site)
        ann, bob, too = Socket(site, black), Socket(site, white), Socket(site, white)
        await site.settle()
        await site.attempt(black, "C3")
        await site.settle()
        before = list(ann.frames)
        await site.attempt(white, "C3")  # refused: Black hears nothing
        await site.settle()
        assert ann.frames == before
        assert bob.frames == too.frames
        assert len(bob.frames) == len(before) + 1
        ann.say("let me in")
        bob.leave()
        await site.settle()
        assert ann.task.done()
        assert bob.task.done()
        assert not too.task.done()
        assert len(site.room(black).guests["white"].screens) == 1
        too.leave()

    asyncio.run(test())


def test_a_link_is_for_one_role_at_one_table():
    async def test():
        site = Site()
        black, white = await two(site)
        other = await site.lay(opponent="person", size="5")
        token = black.rpartition("/")[2]
        for path in (
            black[:-1],
            black + "x",
            white.rpartition("/")[0] + "/" + token,
            other.rpartition("/")[0] + "/" + token,
            black.replace("/black/", "/referee/"),
            black.replace("/black/", "/both/"),
            black.replace("/black/", "/invite-white/"),
            "/table/0/black/" + token,
            f"/table/{2**70}/black/{token}",
            "/table/1/black/" + "ä" * 22,
            "/nowhere",
        ):
            for where in (path, path + "/part", path + "/game.json"):
                assert (await site.get(where)).status == 404, where
            assert (await site.post(path + "/do", do="pass")).status in (404, 405)
            socket = Socket(site, path)
            await site.settle()
            assert not socket.accepted
        assert len(site.room(black).game.steps) == 0

    asyncio.run(test())


def test_an_invitation_is_used_once():
    async def test():
        site = Site()
        black = await site.lay(opponent="person", colour="black")
        invite = re.search(r'href="(/table/\d+/invite-white/[^"]*)"', (await site.get(black)).text)[
            1
        ]
        page = await site.get(invite)
        assert (page.status, heading(page.text)) == (200, "You are invited to play White")
        assert site.room(black).free_seats == [WHITE]  # who looks has not sat down
        assert (await site.post(invite, name="x" * 31)).status == 400
        seat = await site.post(invite, name="<b>Bob</b>")
        assert seat.status == 303
        assert (await site.get(invite)).status == 410
        assert (await site.post(invite, name="Eve")).status == 410
        page = (await site.get(black)).text
        assert "&lt;b&gt;Bob&lt;/b&gt;" in page
        assert "<b>Bob" not in page
        assert "invite-white" not in page

    asyncio.run(test())


def test_other_sites_and_other_names_are_refused():
    async def test():
        site = Site()
        black, _ = await two(site)
        for headers in (
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"origin": ""},
            {"origin": "http://localhost:9999"},
        ):
            answer = await site.request("POST", black + "/do", b"do=resign&known=0", **headers)
            assert answer.status == 403
            assert (await site.request("POST", "/tables", b"", **headers)).status == 403
            socket = Socket(site, black, **headers)
            await site.settle()
            assert not socket.accepted
        for host in ("evil.example:8080", "", "localhost.evil.example", "["):
            assert (await site.request("GET", "/", host=host)).status in (400, 403), host
        assert site.room(black).game.outcome is None

    asyncio.run(test())


def test_every_answer_keeps_its_path_to_itself():
    async def test():
        site = Site()
        black, _ = await two(site)
        for path in ("/", black, black + "/part", "/games", "/nothing", "/static/style.css"):
            answer = await site.get(path)
            assert answer.header("referrer-policy") == "strict-origin"
            assert answer.header("content-security-policy").startswith("default-src 'none'")
            assert answer.header("cache-control") in ("no-store", "no-cache")
            assert answer.header("set-cookie") is None
            assert "http://" not in answer.text.replace("http://localhost:8080/table", "")
            assert " style=" not in answer.text
        assert re.search("<title>(.*?)</title>", (await site.get(black)).text)[1] == "phantomgo"

    asyncio.run(test())


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"size": "20"}, "size 20 is not a whole number from 2 to 19"),
        ({"size": "x"}, "size 'x' is not a whole number"),
        ({"komi": "inf"}, "komi inf is not a number from -400 to 400"),
        ({"komi": "nan"}, "komi nan is not a number from -400 to 400"),
        ({"komi": "seven"}, "komi 'seven' is not a number"),
        ({"rules": "chess"}, "rules 'chess' is not one of olympiad"),
        ({"opponent": "gtp:rm"}, "no opponent 'gtp:rm'; there are person"),
        ({"colour": "green"}, "colour 'green' is not one of black, white, either"),
        ({"handicap": "1"}, "handicap 1 is not 0 or from 2 to 9"),
        ({"minutes": "99999"}, "minutes 99999 is not a whole number from 0 to 1440"),
        ({"increment": "5"}, "increment 5 needs minutes that it is added to"),
        ({"period": "3601"}, "period 3601 is not a whole number from 0 to 3600"),
        ({"delay": "51"}, "delay 51 is not a whole number from 0 to 50"),
        ({"watching": "me"}, "watching 'me' is not one of nothing, black, white, all"),
        ({"name": "a\x07b"}, "a name is up to 30 characters that can be shown"),
    ],
)
def test_a_wrong_form_is_told_what_is_wrong(fields, error):
    async def test():
        answer = await Site().post("/tables", **fields)
        assert answer.status == 400
        assert error in answer.text.replace("&#x27;", "'")

    asyncio.run(test())


def test_limits():
    async def test():
        site = Site(limits=Limits(tables=2, laid=3, presses=5, screens=2, body=100, idle=60))
        black = await site.lay(opponent="person")
        await site.lay(opponent="person")
        full = await site.post("/tables", opponent="person")
        assert full.status == 503
        assert "2 tables are open" in full.text
        assert (await site.post("/tables", opponent="person")).status == 429
        sockets = [Socket(site, black) for _ in range(3)]
        await site.settle()
        assert [socket.accepted for socket in sockets] == [True, True, False]
        assert (await site.post(black + "/do", do="x" * 200)).status == 413
        answers = [(await site.post(black + "/do", do="adjourn")).status for _ in range(6)]
        assert answers == [303] * 5 + [429]
        site.time += 61
        third = await site.lay(opponent="person")  # the idle one was closed
        assert len(site.hall.rooms) == 2
        assert (await site.get(third)).status == 200
        for socket in sockets:
            socket.leave()
        await site.settle()

    asyncio.run(test())


def test_a_form_that_does_not_come_is_given_up(monkeypatch):
    monkeypatch.setattr("phantomgo.app.web.request.SLOW", 0.01)

    async def test():
        site, messages = Site(), []

        async def send(message):
            messages.append(message)

        never = asyncio.get_running_loop().create_future
        await site.app(site.scope("http", "/tables", {}, "POST"), never, send)
        assert Answer(messages).status == 408
        assert "The form did not arrive in time." in Answer(messages).text

    asyncio.run(test())


def test_a_bot_answers():
    get_advice_ready(5)

    async def test():
        site = Site()
        white = await site.lay(opponent="novice", colour="white", size="5")
        await site.settle()
        game = site.room(white).game
        assert game.to_move is WHITE
        assert game.name(BLACK) == "random"
        await site.do(white, "hint")
        assert answered((await site.get(white)).text).startswith("phantom would ")
        await site.do(white, "belief")
        assert 'class="heat"' in (await site.get(white)).text
        await site.do(white, "mark", point="A1")
        assert "A1: your guess" in (await site.get(white)).text
        await site.do(white, "clear")
        assert "your guess" not in (await site.get(white)).text

    asyncio.run(test())


class Failing(Inline):
    def __init__(self, *errors):
        super().__init__()
        self.errors = list(errors)

    def ask(self, task, *arguments, **fair):
        if self.errors:
            return super().ask(self._fail, self.errors.pop(0))
        return super().ask(task, *arguments, **fair)

    def _fail(self, error):
        raise error


def test_guesses_are_noted_at_any_time():
    async def test():
        site = Site()
        black, white = await two(site)
        await site.do(white, "mark", point="D4")
        page = (await site.get(white)).text
        assert heading(page) == "Ann is to move"
        assert "D4: your guess" in page
        assert 'name="do" value="mark"' in page
        assert 'value="attempt"' not in page
        assert "your guess" not in (await site.get(black)).text
        assert site.room(black).game.steps == []

    asyncio.run(test())


def test_a_bot_that_fails_can_be_asked_again_and_one_at_fault_loses():
    async def test():
        site = Site(thinkers=Failing(ZeroDivisionError("secret")))
        white = await site.lay(opponent="novice", colour="white", size="5")
        await site.settle()
        page = (await site.get(white)).text
        assert answered(page).startswith("The bot failed.")
        assert "secret" not in page
        await site.do(white, "ask")
        await site.settle()
        assert site.room(white).game.to_move is WHITE
        site = Site(thinkers=Failing(Fault(Ending.TIME, "ran out of time")))
        white = await site.lay(opponent="novice", colour="white", size="5", minutes="1")
        await site.settle()
        assert heading((await site.get(white)).text) == "You won on time."

    asyncio.run(test())


def test_clocks():
    async def test():
        site = Site()
        black = await site.lay(opponent="person", size="5", minutes="1")
        site.time += 500  # nobody is there yet
        white = await site.invited(black, name="Bob")
        site.time += 10
        await site.attempt(black, "C3")
        site.time += 20
        await site.attempt(white, "C3")
        page = (await site.get(black)).text
        assert re.findall(r'data-left="([\d.]+)"', page) == ["50", "40"]
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
        site.time += 51
        site.hall.tick()
        assert heading((await site.get(white)).text) == "You won on time."
        verify(site.room(white).game.record())

    asyncio.run(test())


def offered(page):
    """What is asked of whom, and which answers there are."""
    found = re.search(r'class="offer"[^>]*>(.*?)</p>', page)
    answers = {"adjourn", "resume", "accept", "decline", "withdraw"}
    return found[1], [name for name in buttons(page) if name in answers]


def test_adjourning_is_an_offer_that_survives_a_kill(tmp_path):
    async def test():
        site = Site(tmp_path / "tables.db")
        black, white = await two(site, minutes="1")
        await site.attempt(black, "C3")

        async def sights():
            return [offered((await site.get(path)).text) for path in (black, white)]

        asked = [
            ("You have asked Bob to adjourn the game.", ["withdraw"]),
            ("Ann asks you to adjourn the game.", ["accept", "decline"]),
        ]
        await site.do(black, "accept")  # nothing is asked yet
        assert await sights() == [("", ["adjourn"])] * 2
        await site.do(black, "adjourn")
        await site.do(black, "adjourn")
        await site.do(black, "accept")  # nobody agrees with themselves
        assert await sights() == asked
        site.time += 5
        assert lefts((await site.get(black)).text) == ([60, 55], 1)
        await site.do(white, "decline")
        assert await sights() == [("", ["adjourn"])] * 2
        assert answered((await site.get(black)).text) == "Bob has declined."
        await site.do(black, "adjourn")
        await site.attempt(white, "C3")  # a refusal changes nothing about it
        assert await sights() == asked
        await site.do(black, "withdraw")
        assert await sights() == [("", ["adjourn"])] * 2
        await site.do(black, "adjourn")
        for answer, adjourned in (("accept", True), ("resume", True), ("accept", False)):
            site.journal.close()  # as if it had been killed
            site = Site(tmp_path / "tables.db")
            await site.do(white if answer != "accept" or adjourned else black, answer)
            assert site.room(black).adjourned is adjourned
            assert lefts((await site.get(black)).text)[1] == (not adjourned)
        assert await sights() == [("", ["adjourn"])] * 2
        site.journal.close()

    asyncio.run(test())


@pytest.mark.parametrize("opponent", ["novice", "here"])
def test_where_no_other_person_plays_a_game_is_adjourned_at_once(opponent):
    async def test():
        site = Site()
        path = await site.lay(opponent=opponent, size="5")
        for what, adjourned in (("adjourn", True), ("resume", False)):
            await site.do(path, what)
            assert site.room(path).adjourned is adjourned

    asyncio.run(test())


def test_nobody_is_asked_to_adjourn_before_they_sit_down():
    async def test():
        site = Site()
        black = await site.lay(opponent="person", size="5")
        assert "adjourn" not in buttons((await site.get(black)).text)
        await site.do(black, "adjourn")
        assert answered((await site.get(black)).text) == "That is not possible now."

    asyncio.run(test())


def lefts(page):
    """What the clocks show, in seconds, and how many of them run."""
    found = re.findall(r'data-left="([\d.-]+)"', page)
    return [float(left) for left in found], page.count("data-running")


def test_who_lost_on_time_has_no_time_left():
    async def test():
        site = Site()
        black, white = await two(site, minutes="1")
        site.time += 10
        await site.attempt(black, "C3")
        site.time += 61
        site.hall.tick()
        for path in (black, white, site.room(black).link("watch")):
            assert lefts((await site.get(path)).text) == ([50, 0], 0)

    asyncio.run(test())


@pytest.mark.parametrize(
    ("clock", "seconds", "shown"),
    [
        ({"minutes": "1", "increment": "5"}, [10, 40, 14], [55, 20, 11]),
        ({"minutes": "1", "period": "20"}, [10, 40, 14], [70, 30, 20]),
        ({"period": "20"}, [19, 1, 20], [20, 20, 20]),
    ],
)
def test_time_is_added_after_moves(clock, seconds, shown):
    async def test():
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
        site.hall.tick()
        assert heading((await site.get(white)).text) == "You lost on time."

    asyncio.run(test())


def test_who_has_used_the_last_period_loses_on_time():
    async def test():
        site = Site()
        black, white = await two(site, minutes="1", period="20")
        assert "1 minutes each, 20 s byo-yomi" in (await site.get(black)).text
        site.time += 79
        site.hall.tick()
        await site.attempt(black, "C3")
        await site.attempt(white, "D3")
        assert lefts((await site.get(white)).text)[0] == [20, 80]
        site.time += 21
        site.hall.tick()
        page = (await site.get(black)).text
        assert heading(page) == "You lost on time."
        assert "ran out of time (W+T)" in page

    asyncio.run(test())


def test_after_a_resignation_the_clocks_show_what_was_left():
    async def test():
        site = Site()
        black, white = await two(site, minutes="1")
        await site.attempt(black, "C3")
        site.time += 20
        await site.do(white, "resign")
        assert lefts((await site.get(white)).text) == ([60, 40], 0)

    asyncio.run(test())


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_referees_clocks_wait_for_both_players_or_the_referee(by_hand):
    async def test():
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

    asyncio.run(test())


def test_a_pass_that_ends_the_game_is_asked_about():
    async def test():
        site = Site()
        black, white = await two(site)
        game = site.room(black).game
        await site.press(black, "pass")  # the first pass ends nothing
        assert len(game.steps) == 1
        for _ in range(3):  # also if the button is pressed again
            await site.press(white, "pass")
            page = (await site.get(white)).text
            assert answered(page) == "Your opponent has passed. Pass too, and end the game?"
            assert buttons(page) == ["no", "yes"]
            assert "end the game" not in (await site.get(black)).text
        await site.press(white, "no")
        page = (await site.get(white)).text
        assert (answered(page), "yes" in buttons(page)) == ("", False)
        await site.press(white, "yes")  # nothing is asked any more
        assert len(game.steps) == 1
        await site.press(white, "pass")
        await site.attempt(white, "C3")  # drops the question
        await site.press(black, "pass")
        await site.press(white, "pass")
        assert game.outcome is None
        await site.press(white, "yes")
        assert game.outcome is not None

    asyncio.run(test())


def test_a_referee_is_asked_before_a_pass_ends_the_game():
    async def test():
        site = Site()
        referee = await site.lay(opponent="referee", size="5")
        await site.press(referee, "pass")
        await site.press(referee, "pass")
        assert "end the game?" in answered((await site.get(referee)).text)
        await site.press(referee, "yes")
        assert site.room(referee).game.outcome is not None

    asyncio.run(test())


@pytest.mark.parametrize("what", ["resign", "undo", "abandon", "free-white"])
def test_what_cannot_be_made_undone_is_asked_about(what):
    async def test():
        site = Site()
        referee = await site.lay(opponent="referee", size="5")
        for _ in range(2):
            await site.invited(referee)
        await site.attempt(referee, "C3")
        await site.settle()
        events = site.journal.events(1)
        for word in (what, what, "no", "yes", what, "mark", "yes", what):
            await site.press(referee, word)
            assert site.journal.events(1) == events
        assert "?" in answered((await site.get(referee)).text)
        await site.press(referee, "yes")
        room = site.room(referee)
        changed = site.journal.events(1) != events or room.game.outcome is not None
        assert changed

    asyncio.run(test())


def test_the_heading_says_who_is_awaited():
    async def test():
        site = Site()
        black = await site.lay(opponent="person", size="5")
        assert heading((await site.get(black)).text) == "Waiting for White to sit down"
        await site.invited(black)
        assert heading((await site.get(black)).text) == "Your turn"

    asyncio.run(test())


def test_a_curtain_between_two_people_at_one_device():
    async def test():
        site = Site()
        both = await site.lay(opponent="here", size="5")
        await site.attempt(both, "C3")
        assert heading((await site.get(both)).text) == "Your turn is over"
        await site.do(both, "seats")
        page = (await site.get(both)).text
        assert heading(page) == "White, take your seat"
        # A seat's own link is random letters, which may well spell C3.
        assert "C3" not in re.sub(r"/table/[^\"]*", "", page)
        await site.do(both, "seats")
        page = (await site.get(both)).text
        assert heading(page) == "White: your turn"
        assert "C3: empty" in page
        await site.do(both, "resign")
        assert heading((await site.get(both)).text) == "Black wins by resignation."

    asyncio.run(test())


def test_a_referee_enters_attempts_takes_them_back_and_frees_a_seat():
    async def test():
        site = Site()
        referee = await site.lay(opponent="referee", size="5")
        page = (await site.get(referee)).text
        assert page.count("/invite-") >= 2
        await site.attempt(referee, "C3")
        await site.attempt(referee, "C3")
        page = (await site.get(referee)).text
        assert said(page) == "To White: White's move C3 is refused."
        assert "White: C3 is refused (occupied)" in page
        await site.do(referee, "undo")
        await site.do(referee, "undo")
        assert site.room(referee).game.steps == []
        events = site.journal.events(1)
        assert [next(iter(event)) for event in events] == ["attempt", "attempt", "undo", "undo"]
        white = await site.invited(referee, name="Bob")  # the first invitation is Black's
        assert "/black/" in white
        await site.do(referee, "free-black")
        assert (await site.get(white)).status == 404
        await site.do(referee, "abandon")
        assert heading((await site.get(referee)).text) == "There is no result."

    asyncio.run(test())


def test_the_clocks_are_the_referees():
    async def test():
        site = Site()
        referee = await site.lay(opponent="referee", size="5", minutes="1")
        black, _ = [await site.invited(referee) for _ in range(2)]
        assert 'value="adjourn"' not in (await site.get(black)).text
        await site.do(black, "adjourn")
        assert answered((await site.get(black)).text) == "That is not possible now."
        await site.do(referee, "stop")
        assert heading((await site.get(black)).text) == "The clocks stand."
        site.time += 1000
        for what in ("resume", "start", "pass"):
            await site.do(black, what)
        for what in ("pass", "resign", "attempt"):
            await site.do(referee, what, point="C3")
        assert site.room(black).game.steps == []
        await site.do(referee, "start")
        site.time += 20
        await site.attempt(black, "C3")
        assert re.findall(r'data-left="([\d.]+)"', (await site.get(black)).text) == ["40", "60"]

    asyncio.run(test())


def test_a_rematch_changes_colours_and_keeps_the_players():
    async def test():
        site = Site()
        black, white = await two(site)
        await site.do(black, "resign")
        await site.do(white, "rematch")
        await site.do(black, "rematch")  # asked for twice is one
        nexts = [
            re.search(r'class="next"><a href="([^"]*)"', (await site.get(path)).text)[1]
            for path in (black, white)
        ]
        assert ["/white/" in nexts[0], "/black/" in nexts[1]] == [True, True]
        assert heading((await site.get(nexts[1])).text) == "Your turn"
        for path, words in (
            (black, "You lost by resignation."),
            (white, "You won by resignation."),
        ):
            page = (await site.get(path)).text  # the address of a game stays that of this game
            assert (heading(page), f'data-base="{path}"' in page) == (words, True)
            assert "/table/1/" in path
            assert 'class="points"' not in page
        assert "Ann is to move" not in (await site.get(nexts[0])).text
        assert "Bob is to move" in (await site.get(nexts[0])).text
        assert site.journal.count() == 2

    asyncio.run(test())


def test_earlier_games_are_listed_unless_that_was_not_wanted():
    async def test():
        site = Site()
        black, _ = await two(site)
        assert "No game has ended yet." in (await site.get("/games")).text
        assert (await site.get("/games/1")).status == 404
        await site.do(black, "resign")
        secret, _ = await two(site, unlisted="on")
        await site.do(secret, "resign")
        page = (await site.get("/games")).text
        assert "● Ann - ○ Bob, 5x5: W+R" in page
        assert page.count("/games/") == 1
        shared = (await site.get("/games/1")).header("location")
        game = (await site.get(shared + "?at=0")).text
        assert heading(game) == "White wins by resignation."
        assert "0 of 1" in game
        assert black not in game
        assert (await site.get(shared + "/game.sgf")).status == 200
        assert (await site.get("/games/2")).status == 404

    asyncio.run(test())


def test_a_qr_code_is_of_a_path_of_this_server():
    async def test():
        site = Site()
        black = await site.lay(opponent="person")
        code = await site.get("/qr" + black)
        assert 'xmlns="http://www.w3.org/2000/svg"' in code.text  # without it no browser shows it
        assert (await site.get("/qr/evil")).status == 404

    asyncio.run(test())


# Kept


def test_a_killed_server_goes_on_with_every_table(tmp_path):
    async def test():
        moves = ["C3", "C3", "B2", "D4", "C4", "A1", "pass", "resign"]
        site = Site(tmp_path / "tables.db")
        black, white = await two(site, minutes="5")
        key = site.journal.key
        for where, point in ((black, "E5"), (white, "E1"), (white, "E2"), (white, "E1")):
            await site.do(where, "mark", point=point)
        for move in moves:
            path = white if site.room(black).game.to_move is WHITE else black
            if move in ("pass", "resign"):
                await site.do(path, move)
            else:
                await site.attempt(path, move)
            before = [(await site.get(where + "/part")).text for where in (black, white)]
            record = site.room(black).game.record()
            site.journal.close()  # as the kernel closes what a killed process had open
            site = Site(tmp_path / "tables.db")
            assert site.journal.key == key
            assert site.room(black).game.record() == record
            after = [(await site.get(where + "/part")).text for where in (black, white)]
            strip = r'data-left="[\d.]+"|[\d:]+ left|<p class="answer.*?</p>'
            assert [re.sub(strip, "", page) for page in after] == [
                re.sub(strip, "", page) for page in before
            ]
            assert site.room(black).marks == {BLACK: 1 << 24, WHITE: 1 << 9}
        assert site.room(black).game.outcome is not None
        assert (await site.get("/games")).text.count("/games/") == 1
        site.journal.close()

    asyncio.run(test())


def test_two_servers_do_not_share_a_file(tmp_path):
    journal = Journal(tmp_path / "tables.db")
    with pytest.raises(BadStore, match="another run is using it"):
        Journal(tmp_path / "tables.db")
    journal.close()


def test_the_lock_of_a_server_that_was_killed_is_free(tmp_path):
    journal = Journal(tmp_path / "tables.db")
    reader, writer = os.pipe()
    child = os.fork()  # as the workers of Python 3.11 are made, who may outlive the server
    if child == 0:
        os.write(writer, b"x")  # it has begun, so it has closed its copy of the lock
        signal.pause()
    try:
        os.read(reader, 1)
        journal.close()
        Journal(tmp_path / "tables.db").close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reader)
        os.close(writer)


def test_a_worker_that_died_is_replaced():
    thinkers = Thinkers(1)
    first = thinkers.ask(pow, 2, 3)
    assert first.result(60) == 8
    process = next(iter(thinkers._idle[0]._processes.values()))
    process.kill()
    process.join()
    assert thinkers.ask(pow, 2, 5).result(60) == 32
    with pytest.raises(BrokenProcessPool):
        thinkers.ask(signal.raise_signal, signal.SIGKILL).result(60)
    thinkers.close()


@pytest.mark.parametrize("named", [True, False])
def test_only_who_starts_the_server_names_modules(named, tmp_path, monkeypatch):
    """A file of tables may come from elsewhere."""
    monkeypatch.chdir(tmp_path)
    name, spec = f"stranger{named}", f"stranger{named}:Bot"
    (tmp_path / f"{name}.py").write_text(
        f"from pathlib import Path\nPath('started').touch()\n{BOT}"
    )
    game = new_game("human", spec)
    game.attempt(3, 0.1)
    thinkers = Inline()
    thinkers.named = {spec} if named else {"random"}
    players = PooledPlayers(1, game, thinkers, {}, "")
    if named:
        assert players.ask(WHITE).result()[0] == PASS
    else:
        with pytest.raises(BadText, match="is a module's bot, whose code is run only where you"):
            players.ask(WHITE).result()
    assert (tmp_path / "started").exists() is named


BOT = """
from dataclasses import dataclass
import phantomgo as pg

@dataclass(frozen=True)
class Bot(pg.Bot):
    def propose(self, view):
        return pg.PASS
"""
