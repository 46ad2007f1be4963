"""The lesson, played from its first page to its last."""

import asyncio
import re

import pytest

from phantomgo.app.web.lesson import STEPS, TITLE
from phantomgo.rules import PROFILES
from tests.support.web_tools import Site


def get(path):
    answer = asyncio.run(Site().get(path))
    assert answer.status == 200
    return answer.text


def told(page):
    """The point that the page tells to attempt."""
    return re.search(r"<strong>(?:Attempt )?(\w+)\.</strong>", page)[1].replace("Pass", "pass")


def test_the_lesson_is_played_as_it_tells():
    page, said = get("/lesson"), []
    for number in range(len(STEPS)):
        assert re.search(r'name="step" value="(\d+)"', page)[1] == str(number)
        assert told(page) == STEPS[number].attempt
        assert f'value="{told(page)}"' in page  # there is a button for it
        page = get(f"/lesson?step={number}&point={told(page)}")
        said += re.findall(r'class="news">(.*?)</p>', page)
    assert "Black's move D3 is refused." in said[1]
    assert "Captured 1 stone: D3." in said[4]
    assert "Black wins by 1.5" in page
    assert page.count('class="board n5 small"') == 3
    assert all(f"<dt>{name}</dt>" in page for name in PROFILES)


def test_the_white_stone_is_seen_after_the_refusal_only():
    assert 'aria-label="D3: White stone"' not in get("/lesson?step=1")
    assert 'aria-label="D3: White stone"' in get("/lesson?step=2")
    assert 'aria-label="B5: White stone"' not in get("/lesson?step=5")


@pytest.mark.parametrize("point", ["A1", "pass", "Z9", "<b>"])
def test_another_point_stays_at_the_step(point):
    page = get(f"/lesson?step=2&point={point}")
    assert "Not there yet: attempt D4." in page
    assert "<b>" not in page


@pytest.mark.parametrize("step", ["7", "-1", "x", "99999999999", "", "1.0"])
def test_a_step_that_there_is_not_is_the_first(step):
    assert told(get(f"/lesson?step={step}")) == "C3"


def test_the_front_page_leads_to_it():
    assert f'<a href="/lesson">{TITLE}</a>' in get("/")
