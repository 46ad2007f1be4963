"""Every page of games that ended early, in every way a game can end."""

import json
import logging

import pytest

from phantomgo.app.web import client
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
