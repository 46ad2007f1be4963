"""Tables over the web, played by requests: what each page says, who may do what."""

import asyncio
import gc
import gzip
import re

import pytest

from phantomgo.app.web.actions import ACTIONS, CHANGING
from phantomgo.app.web.client_state import BUTTONS
from phantomgo.app.web.png import board_png
from phantomgo.errors import BadStore
from phantomgo.game.points import WHITE
from phantomgo.game.recording import verify
from phantomgo.records.record_json import read_record
from phantomgo.records.sgf import read_sgf
from phantomgo.rng import Stream
from tests.support.web_tools import (
    ORIGIN,
    Answer,
    Site,
    Socket,
    answered,
    heading,
    known_of,
    said,
    two,
)


async def test_two_people_play_a_game():
    site = Site()
    black, white = await two(site)
    assert heading((await site.get(black)).text) == "Your turn"
    assert heading((await site.get(white)).text) == "Ann is to move"
    await site.attempt(black, "C3")
    await site.attempt(white, "C3")
    page = (await site.get(white)).text
    assert heading(page) == "Your turn"
    assert said(page) == "White's move C3 is refused. Try again."
    assert (
        'aria-label="C3: Black stone, refused just now"' in page
    )  # the one stone there is: certain
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
    file = await site.get(black + "/game.sgf")
    read_sgf(file.body)
    assert file.header("content-disposition").endswith("''Ann-Bob-1970-01-01-game.sgf")


async def test_actions_out_of_turn_change_nothing():
    site = Site()
    black, white = await two(site)
    await site.attempt(black, "C3")
    before = site.session(black).game.record()
    impossible = ("undo", "rematch", "nonsense", "hint")
    for path, what, point, answer in [
        (black, "attempt", "D4", "It is not your turn."),
        (white, "attempt", "Z9", "'Z9' is not a vertex of a 5x5 board (A1 to E5, or pass)."),
        *((white, what, "", "That is not possible now.") for what in impossible),
    ]:
        await site.do(path, what, point=point)
        assert answered((await site.get(path)).text) == answer
        assert site.session(black).game.record() == before
    await site.post(white + "/do", do="attempt", point="D4", known="99")
    assert answered((await site.get(white)).text).startswith("The position has changed")
    await site.attempt(white, "D4")
    await site.attempt(black, "C3")
    assert answered((await site.get(black)).text) == "Your own stone is at C3."
    assert len(site.session(black).game.steps) == 2


async def test_a_double_click_is_one_attempt():
    site = Site()
    black, white = await two(site)
    await site.attempt(black, "C3")
    known = site.session(white).client("white").state.known
    fields = {"do": "attempt", "point": "C3", "known": known}
    await asyncio.gather(*(site.post(white + "/do", **fields) for _ in range(5)))
    assert [step.reason for step in site.session(white).game.steps] == [None, "occupied"]
    fields |= {"point": "D4", "known": known + 1}
    await asyncio.gather(*(site.post(white + "/do", **fields) for _ in range(5)))
    assert len(site.session(white).game.steps) == 3


async def test_a_failed_write_undoes_the_attempt(monkeypatch, caplog):
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
        assert (await site.post("/tables", opponent="person")).status == 503
    await site.settle()
    gc.collect()  # a task that failed unheard of is logged when it is forgotten
    assert {record.getMessage() for record in caplog.records} == {"disk full"}
    assert page.frames == seen
    assert len(site.session(black).game.steps) == 1
    await site.attempt(white, "D4")
    assert len(site.session(black).game.steps) == 2


async def test_a_page_whose_link_has_become_void_is_told_nothing_more():
    site = Site()
    referee = await site.lay(opponent="referee", size="5")
    black = await site.invited(referee)
    page = Socket(site, black)
    await site.settle()
    await site.do(referee, "free-black")
    await site.settle()
    assert page.task.done()
    seen = list(page.frames)
    black = await site.invited(referee)
    await site.attempt(black, "C3")
    await site.settle()
    assert page.frames == seen


async def test_a_link_that_becomes_void_while_a_form_arrives_does_nothing():
    site = Site()
    referee = await site.lay(opponent="referee", size="5")
    black = await site.invited(referee)
    asked, arrives, sent = asyncio.Event(), asyncio.Event(), []

    async def receive():
        asked.set()
        await arrives.wait()
        return {"type": "http.request", "body": b"do=attempt&point=C3&known=0", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = site.scope("http", black + "/do", {}, "POST")
    slow = asyncio.ensure_future(site.app(scope, receive, send))
    await asked.wait()
    await site.do(referee, "free-black")
    arrives.set()
    await slow
    assert Answer(sent).status == 404
    assert not site.session(referee).game.steps


async def test_a_socket_tells_the_version_and_nothing_else():
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
    ann.say("")  # a heartbeat
    await site.settle()
    assert ann.frames == before + before[-1:]
    ann.say("let me in")
    bob.leave()
    await site.settle()
    assert ann.task.done()
    assert bob.task.done()
    assert not too.task.done()
    assert len(site.session(black).clients["white"].pages) == 1
    too.leave()


async def test_a_link_is_for_one_role_at_one_table():
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
    assert len(site.session(black).game.steps) == 0


@pytest.mark.parametrize(
    ("fields", "komi"),
    [
        ({}, 5.5),
        ({"handicap": "0"}, 5.5),
        ({"handicap": "4"}, 0.5),
        ({"handicap": "4", "komi": "2"}, 2),
    ],
)
async def test_komi_follows_the_handicap(fields, komi):
    site = Site()
    assert site.session(await site.lay(opponent="person", size="9", **fields)).terms.komi == komi


async def test_an_invitation_is_used_once():
    site = Site()
    black = await site.lay(opponent="person", colour="black", name="Ann & Co")
    invite = re.search(r'href="(/table/\d+/invite-white/[^"]*)"', (await site.get(black)).text)[1]
    page = await site.get(invite)
    assert (page.status, heading(page.text)) == (200, "Ann &amp; Co invites you to play White")
    assert 'og:title" content="Ann &amp; Co invites you to play White"' in page.text
    assert 'og:description" content="9x9, komi 5.5, usual rules. Go in which' in page.text
    assert 'content="http://localhost:8080/static/icon.png"' in page.text  # chats preview it
    assert site.session(black).free_seats == [WHITE]  # who looks has not sat down
    long = await site.post(invite, name="x" * 31)
    assert (long.status, heading(long.text)) == (400, "Ann &amp; Co invites you to play White")
    assert f'value="{"x" * 31}" aria-invalid="true"' in long.text
    seat = await site.post(invite, name="<b>Bob</b>")
    assert seat.status == 303
    assert (await site.get(invite)).status == 410
    assert (await site.post(invite, name="Eve")).status == 410
    page = (await site.get(black)).text
    assert "&lt;b&gt;Bob&lt;/b&gt;" in page
    assert "<b>Bob" not in page
    assert "invite-white" not in page


async def test_a_link_to_a_finished_game_tells_chats_who_played_and_how_it_ended():
    site = Site()
    black, white = await two(site, watching="black")
    session = site.session(black)
    await site.attempt(black, "C3")
    watch = session.link("watch")
    page = (await site.get(watch)).text
    assert "<title>Table - phantomgo</title>" in page
    assert "og:" not in page
    assert (await site.get(f"{watch}/final.png")).status == 404
    await site.do(white, "resign")
    page = (await site.get(watch)).text
    assert "<title>Ann against Bob - phantomgo</title>" in page
    assert 'og:title" content="Ann against Bob"' in page
    ended = f"Black wins by resignation. {session.rules}."
    assert f'og:description" content="{ended}"' in page
    assert f'og:image" content="http://localhost:8080{watch}/final.png"' in page
    picture = await site.get(f"{watch}/final.png")
    assert picture.header("content-type") == "image/png"
    board = session.game.moments[-1].board
    assert board.black
    assert picture.body == board_png(board, False)


async def test_other_sites_and_other_names_are_refused():
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
        assert answer.text == "A form of another site is not accepted."
        assert (await site.request("POST", "/tables", b"", **headers)).status == 403
        socket = Socket(site, black, **headers)
        await site.settle()
        assert (socket.accepted, socket.closed) == (False, 1008), "a violation of policy"
    for host in ("evil.example:8080", "", "localhost.evil.example", "["):
        assert (await site.request("GET", "/", host=host)).status in (400, 403), host
    assert "--names" in (await site.request("GET", "/", host="club.local:8080")).text
    assert site.session(black).game.outcome is None


EVIL = "http://evil.example"


@pytest.mark.parametrize("origins", [[ORIGIN, EVIL], [EVIL, ORIGIN], [ORIGIN, ORIGIN], []])
async def test_a_page_of_ours_says_once_that_it_is_one(origins):
    site = Site()
    black, _ = await two(site)
    plain = site.scope

    def scope(*words):
        made = plain(*words)
        headers = [pair for pair in made["headers"] if pair[0] != b"origin"]
        return made | {"headers": [*headers, *((b"origin", it.encode()) for it in origins)]}

    site.scope = scope
    assert (await site.request("POST", black + "/do", b"do=resign&known=0")).status == 403
    socket = Socket(site, black)
    await site.settle()
    assert (socket.accepted, socket.closed) == (False, 1008)
    assert (await site.get(black)).status == 200


@pytest.mark.parametrize(("refereed", "most"), [(False, 2500), (True, 4000)])
async def test_an_attempt_on_19x19_takes_few_bytes(refereed, most):
    site, stream = Site(), Stream(7)
    referee = [await site.lay(opponent="referee", size="19")]
    base, *_ = referee if refereed else await two(site, size="19")
    session = site.session(base)
    while len(session.game.turn_ends()) < 200:
        site.time += stream.below(19_000) / 1000  # the seconds of an attempt need bytes
        session.table.attempt(stream.below(361))
    await site.settle()
    known = known_of((await site.get(base)).text)
    script = {"x_part": "1", "accept_encoding": "gzip"}
    done = await site.request("POST", base + "/do", b"do=attempt&point=T1", **script)
    part = await site.get(f"{base}/part?heard={known}", **script)
    assert len(repr((done.headers, part.headers))) + len(part.body) < most
    text = gzip.decompress(part.body).decode()
    assert 'name="point"' not in text  # its script makes the buttons
    assert text.count("<li>") == 10  # and has the lines before
    assert f'start="{int(known) - 9}"' in text
    assert (await site.get(base)).text.count('name="point"') == 361


async def test_headers_keep_paths_secret():
    site = Site()
    black, _ = await two(site)
    packed = await site.get(black, accept_encoding="gzip")
    assert packed.header("content-encoding") == "gzip"
    assert gzip.decompress(packed.body) == (await site.get(black)).body
    for path in ("/", black, black + "/part", "/lesson", "/nothing", "/static/style.css"):
        answer = await site.get(path)
        assert answer.header("referrer-policy") == "strict-origin"
        assert answer.header("content-security-policy").startswith("default-src 'none'")
        assert answer.header("cache-control") in ("no-store", "no-cache")
        assert answer.header("set-cookie") is None
        assert "http://" not in answer.text.replace("http://localhost:8080/table", "")
        assert " style=" not in answer.text
    assert re.search("<title>(.*?)</title>", (await site.get(black)).text)[1] == "Table - phantomgo"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"size": "20"}, "20 is not possible: from 2 to 19"),
        ({"komi": "inf"}, "inf is not possible: from -400 to 400"),
        ({"rules": "chess"}, "rules 'chess' is not one of olympiad"),
        ({"opponent": "gtp:rm"}, "no opponent 'gtp:rm'; there are person"),
        ({"colour": "green"}, "colour 'green' is not one of black, white, either"),
        ({"handicap": "1"}, "1 is not possible: from 2 to 9"),
        ({"minutes": "99999"}, "99999 is not possible: from 0 to 1440"),
        ({"increment": "5"}, "an increment needs minutes to be added to"),
        ({"period": "3601"}, "3601 is not possible: from 0 to 3600"),
        ({"watching": "me"}, "watching 'me' is not one of nothing, black, white, all"),
        ({"komi": "high"}, "high is not a number"),
        ({"name": "a\x07b"}, "a name is up to 30 characters that can be shown"),
    ],
)
async def test_a_wrong_form_is_shown_again_with_its_values_and_what_is_wrong(fields, error):
    answer = await Site().post("/tables", **{"size": "11", "helped": "on"} | fields)
    [wrong] = fields
    assert answer.status == 400
    found = re.search(f'<em id="{wrong}-error">(.*?)</em>', answer.text)
    assert found is not None
    assert found[1].replace("&#x27;", "'").startswith(error)
    assert f'aria-describedby="{wrong}-error"' in answer.text
    assert 'name="helped" checked' in answer.text
    if wrong != "size":
        assert 'name="size" type="number" value="11"' in answer.text


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "20 ist nicht möglich: von 2 bis 19"), ("ja", "2 から 19 まで"), ("zh", "2 到 19")],
)
async def test_what_is_wrong_is_said_in_the_readers_language(language, words):
    answer = await Site().request("POST", "/tables", b"size=20", accept_language=language)
    assert words in answer.text


async def test_two_bots_play_for_whoever_watches():
    site = Site()
    path = await site.lay(opponent="bots", size="5")
    assert "/watch/" in path
    assert (await site.get(path)).text.count('class="board n5') == 3
    await site.settle()
    session = site.session(path)
    assert (session.game.outcome is not None, session.people) == (True, frozenset())
    page = (await site.get(path)).text
    assert re.fullmatch(r"(Black|White) wins by [\d.]+\.", heading(page))
    assert 'name="do"' not in page


def test_every_button_does_something():
    assert ACTIONS.keys() == BUTTONS.keys() - {"yes", "no"} | {"attempt"}
    assert set(CHANGING) <= ACTIONS.keys()
