"""Somebody who has never heard of Phantom Go: a lesson to its end, then a whole game on 7x7."""

import random
import re
import sys
import time

import pytest

from tests.support.browsing import NEEDS_CHROMIUM, lay, press
from tests.support.web_load import serving

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.slow]

SIZE = 7
LABELS = """
    Object.fromEntries([...document.querySelectorAll(".points button")].map((button) =>
        [button.value, button.ariaLabel.split(": ")[1]]))
"""


def take_the_lesson(page):
    """Do what the page says until it leads to the next lesson."""
    while page.locator("form.attempt").count():
        told = page.locator("p[role=status] strong").inner_text()
        point = re.fullmatch(r"Attempt (\w\d)\.", told)
        if point:
            press(page, point[1])
        else:
            page.click("button[value=pass]")
    page.wait_for_selector(".next a")


def neighbours(point):
    column, row = "ABCDEFG".index(point[0]), int(point[1])
    around = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return ["ABCDEFG"[c] + str(r) for c, r in around if 0 <= c < SIZE and 1 <= r <= SIZE]


def worth_a_try(points):
    """The points that nothing is known of and that are no eye of one's own."""
    stones = {point for point, state in points.items() if state.startswith("Black stone")}
    empty = [point for point, state in points.items() if state in ("empty", "captured here")]
    return [point for point in empty if not stones.issuperset(neighbours(point))]


def play_to_the_end(page, chance):
    """Attempt points at random, then pass, until the game is over."""
    while True:
        page.wait_for_selector("form.attempt, .table.over")
        if page.locator(".table.over").count():
            return
        version = page.locator(".table").get_attribute("data-version")
        points = worth_a_try(page.evaluate(LABELS))
        if page.locator("button[value=yes]").count():
            page.click("button[value=yes]")
        elif points:
            press(page, chance.choice(points))
        else:
            page.click("button[value=pass]")
        page.wait_for_function(
            "(version) => document.querySelector('.table').dataset.version !== version",
            arg=version,
        )


def test_a_beginner_learns_and_plays_a_game_in_five_minutes(visit, tmp_path):
    with serving(tmp_path) as port:
        began = time.monotonic()
        page = visit(f"http://127.0.0.1:{port}")
        page.click("a[href='/lesson']")
        take_the_lesson(page)
        page.click("header .home")
        lay(page, opponent="novice", size=str(SIZE))
        play_to_the_end(page, random.Random(1))
        page.wait_for_selector("h1:has-text('You ')")
        seconds = time.monotonic() - began
        attempts = page.locator(".log li").count()
        page.wait_for_selector(".graph")
    sys.stderr.write(f"a lesson and a game of {attempts} attempts in {seconds:.0f} s\n")
    assert seconds < 300
