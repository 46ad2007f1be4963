"""The lessons, each played from its first page to its last."""

import asyncio
import re
from html import unescape

import pytest

from phantomgo.app.web.lesson import LESSONS
from tests.support.web_tools import Site

SAID = {
    "Phantom Go in 60 seconds": [
        "C3 is accepted", "D3 is refused.", "is accepted", "is accepted", "Captured 1 stone: D3.",
        "over: B+1.5",
    ],
    "A refusal costs nothing": ["refused", "refused", "is accepted. White has moved"],
    "What a refusal tells": ["refused", "refused", "refused", "is accepted. White has moved"],
    "Try again later": ["refused", "is accepted. White has moved", "Captured 3 stones: B1 A2 B2"],
    "When your stone is taken": [
        "White has moved. Black loses E1.", "is accepted", "is accepted", "Captured 1 stone: D1",
    ],
    "What White learns from you": ["refused", "Captured 1 stone: D3"],
    "Ko": ["Black loses D3", "refused", "is accepted", "Captured 1 stone: C3"],
    "Eyes that you cannot see": ["refused", "refused", "White has passed. The game is over"],
    "Read the counts": ["refused", "refused", "is accepted. White has moved"],
    "When to pass": [
        "refused", "is accepted", "is accepted", "Captured 1 stone: A3", "The game is over",
    ],
}  # fmt: skip
"""By lesson, what the referee says after each attempt."""


def get(path, status=200):
    answer = asyncio.run(Site().get(path))
    assert answer.status == status
    return answer.text


def told(page):
    """The point that the page tells to attempt."""
    return re.search(r"<strong>(?:Attempt )?(\w+)\.</strong>", page)[1].replace("Pass", "pass")


def played(number):
    """The pages of a lesson, each attempt made as it is told."""
    pages = [get(f"/lesson/{number}")]
    for step in range(len(LESSONS[number - 1].steps)):
        page = pages[-1]
        assert re.search(r'name="step" value="(\d+)"', page)[1] == str(step)
        assert told(page) == LESSONS[number - 1].steps[step].attempt
        assert f'value="{told(page)}"' in page  # there is a button for it
        pages.append(get(f"/lesson/{number}?step={step}&point={told(page)}"))
    return pages


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_lesson_is_played_as_it_tells(number):
    pages, lesson = played(number), LESSONS[number - 1]
    for page, expected in zip(pages[1:], SAID[lesson.title], strict=True):
        assert expected in unescape(re.search(r'class="news">(.*?)</p>', page)[1])
    for page, step in zip(pages, lesson.steps, strict=False):
        assert step.words in unescape(re.sub("<.*?>", "", page))
    assert lesson.end in unescape(pages[-1])
    assert pages[-1].count('class="board n5 small"') == 3
    following = number + 1
    assert (f'href="/lesson/{following}">Next' in pages[-1]) == (following <= len(LESSONS))


@pytest.mark.parametrize("point", ["A1", "pass", "Z9", "<b>"])
def test_a_wrong_point_stays_at_the_step(point):
    page = get(f"/lesson?step=2&point={point}")
    assert "Not there yet." in page
    assert "<b>" not in page


@pytest.mark.parametrize("step", ["7", "-1", "x", "99999999999", "", "1.0"])
def test_an_unknown_step_shows_the_first(step):
    assert told(get(f"/lesson?step={step}")) == "C3"


@pytest.mark.parametrize("number", ["0", "11", "99999999999999999999"])
def test_an_unknown_lesson_is_not_found(number):
    assert "There are lessons 1 to 10." in get(f"/lesson/{number}", 404)
