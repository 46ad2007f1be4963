"""Every page of games that ended early, in every way a game can end."""

import json
import logging

import pytest

from phantomgo.app.table import chances
from phantomgo.app.web import client
from phantomgo.app.web import session as web_session
from phantomgo.game.outcome import Ending
from phantomgo.game.points import PASS
from phantomgo.game.recording import verify
from phantomgo.game.rules import PROFILES
from phantomgo.records.record_json import read_record
from phantomgo.records.sgf import read_sgf
from phantomgo.rng import Stream
from tests.support.web_tools import Inline, Site, answered, heading, said

FILES = ("game.json", "game.sgf", "black.sgf", "white.sgf")
SCORED = "Both players passed; White wins by 2.5"
ENDINGS = {
    "time": ("", "Black ran out of time"),
    "abandon": ("", "The game was abandoned"),
    "resign": ("", "Black resigns"),
    "C3 time": ("", "White ran out of time"),
    "C3 abandon": ("", "The game was abandoned"),
    "C3 resign": ("", "White resigns"),
    "pass time": ("", "White ran out of time"),
    "pass pass": ("", f"{SCORED} (W+2.5)"),
    "pass pass ": ("0", "Both players passed; the game is drawn (0)"),
    "pass resign": ("", "White resigns"),
    "C3 C3 time": ("", "White ran out of time"),
    "C3 D4 time": ("", "Black ran out of time"),
    "C3 C3 abandon": ("", "The game was abandoned"),
    "C3 D4 resign": ("", "Black resigns"),
    "C3 C3 pass pass": ("", "Both players passed; Black wins by 22.5"),
}
"""Attempts and how the game ended, each with its komi and with what the page says."""


async def play(site, words, komi):
    """Play a game at a referee's table, who enters all attempts; the paths of its pages."""
    table = await site.lay(opponent="referee", size="5", komi=komi, minutes="1")
    players = [await site.invited(table) for _ in range(2)]
    for word in words.split():
        if word == "time":
            site.time += 61
            site.registry.tick()
        elif word in ("pass", "resign", "abandon"):
            await site.do(table, word)
        else:
            await site.attempt(table, word)
    await site.settle()
    return [table, *players, site.session(table).link("watch")]


@pytest.mark.parametrize("words", ENDINGS)
async def test_every_page_of_a_short_game_is_shown(words, caplog):
    site, (komi, told) = Site(reviewers=Inline()), ENDINGS[words]
    pages = await play(site, words, komi)
    attempts = len(site.session(pages[0]).game.steps)
    for again in range(2):
        for path in pages:
            page = await site.get(path)
            assert page.status == 200
            assert told in said(page.text)
            await site.settle()  # it is reviewed
            found = [f"{path}?at={at}&side={side}&point=A1" for at in range(attempts + 1)
                     for side in ("truth", "black", "white")]  # fmt: skip
            for address in (path, f"{path}/part", *found, *(f"{path}/{file}" for file in FILES)):
                answer = await site.get(address)
                assert (answer.status, answered(answer.text)) == (200, ""), address
            assert json.loads((await site.get(f"{path}/game.json")).text)["outcome"]
            assert (await site.get(f"{path}/final.png")).status == 200
        assert len(site.session(pages[0]).review.chances.truth) == attempts + 1
        if not again:
            site.session(pages[0]).close()  # as after a restart
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def play_anything(site, number):
    """Play a game of random attempts at a referee's table; its session and the paths of its pages.

    The number of the game says on which board, by which rules, for how long and to which end.
    """
    size, rules = 2 + number % 8, [*PROFILES][number % len(PROFILES)]
    handicap = "2" if size > 6 and number % 3 == 0 else "0"
    table = await site.lay(
        opponent="referee", size=str(size), rules=rules, minutes="5", handicap=handicap
    )
    seats = [await site.invited(table) for _ in range(2)]
    session, stream, way = site.session(table), Stream(number), ENDS[number % len(ENDS)]
    length = 10_000 if way == "to the end" else (0, 1, 2, 5, 12, 30, 80)[number % 7]
    for _ in range(length):
        if session.game.outcome is None:
            view = session.game.view(session.game.to_move)
            tired = view.refusals > 2 * size and not view.opponent_passed
            session.table.attempt(PASS if tired else stream.below(size * size))
    await site.settle()
    if way == "time":
        site.time += 301
        site.registry.tick()
    while session.game.outcome is None:
        await site.do(table, way)
    await site.settle()
    return session, [table, *seats, session.link("watch")]


ENDS = ("pass", "resign", "time", "abandon", "to the end")
"""How random games end: `to the end`, when the rules end them."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 60, 10))
async def test_every_page_of_ten_random_games_is_shown(first, monkeypatch, caplog):
    monkeypatch.setattr(chances, "GAMES", 0)
    endings = set()
    for number in range(first, first + 10):
        site = Site(reviewers=Inline())
        session, pages = await play_anything(site, number)
        endings.add(session.game.outcome.ending)
        await site.get(pages[0])
        await site.settle()  # it is reviewed
        last = len(session.game.steps)
        assert len(session.review.chances.truth) == last + 1
        for path in pages:
            moments = [f"?at={at}&side={side}" for at in (0, last // 2, last)
                       for side in ("truth", "black", "white")]  # fmt: skip
            for query in ("", "/part", *moments):
                answer = await site.get(path + query)
                assert (answer.status, answered(answer.text)) == (200, ""), (number, query)
            verify(read_record((await site.get(f"{path}/game.json")).text))
            for file in FILES[1:]:
                assert read_sgf((await site.get(f"{path}/{file}")).body)
            picture = await site.get(f"{path}/final.png")
            assert (picture.status, picture.header("content-type")) == (200, "image/png")
        watched = (await site.get(pages[-1])).text
        assert 'og:title" content="Black against White"' in watched
        assert f"{pages[-1]}/final.png" in watched
    assert {Ending.SCORE, Ending.RESIGN, Ending.TIME, Ending.VOID} <= endings
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("attempts", [[], ["C3"], ["C3", "C3"]])
async def test_every_page_of_a_short_game_that_is_adjourned_is_shown(attempts):
    site = Site()
    black = await site.lay(opponent="person", size="5", minutes="1")
    white = await site.invited(black)
    for path, point in zip((black, white), attempts, strict=False):
        await site.attempt(path, point)
    await site.do(black, "adjourn")
    await site.do(white, "accept")
    for _ in range(2):
        for path in (black, white):
            assert heading((await site.get(path)).text) == "The game is adjourned."
            assert (await site.get(f"{path}/part")).status == 200
        site.session(black).close()


async def test_a_review_that_fails_leaves_the_page(monkeypatch, caplog):
    site = Site(reviewers=Inline())
    pages = await play(site, "C3 resign", "")
    await site.get(pages[0])
    await site.settle()
    monkeypatch.setattr(client, "decisive", lambda _, review: [1 // 0] if review.best else [])
    site.session(pages[0]).close()
    for path in pages:
        page = await site.get(path)
        assert (page.status, said(page.text)) == (200, "White resigns (B+R).")
        assert answered(page.text) == "The review of this game cannot be shown."
        assert 'class="graph"' in page.text
    assert "table 1: its review cannot be shown" in caplog.text


async def test_the_log_says_where_a_review_failed(monkeypatch, caplog):
    site = Site(reviewers=Inline())
    pages = await play(site, "C3 resign", "")
    monkeypatch.setattr(web_session, "review", lambda _record: 1 // 0)
    page = await site.get(pages[0])
    await site.settle()
    assert "Every position is being evaluated" in page.text
    [record] = caplog.records
    assert record.getMessage() == "table 1 cannot be reviewed"
    assert "1 // 0" in caplog.text


async def test_the_log_names_the_page_that_failed_but_not_its_secret(monkeypatch, caplog):
    site = Site()
    black = await site.lay(opponent="person", size="5")
    monkeypatch.setattr(site.session(black), "tick", lambda: 1 // 0)
    answer = await site.get(f"{black}/part")
    assert answer.status == 500
    assert heading(answer.text) == "Something went wrong here."
    [message] = [record.getMessage() for record in caplog.records]
    assert message.startswith("/table/1/black/.../part: ZeroDivisionError in ")
    assert black.rpartition("/")[2] not in message
