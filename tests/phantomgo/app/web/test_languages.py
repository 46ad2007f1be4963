"""Every language has every pattern, and pages have no other words."""

import ast
import re
import string
import tomllib
from html.parser import HTMLParser

import pytest

from phantomgo.app.web import lesson, page, reader
from phantomgo.app.web.lesson import LESSONS
from phantomgo.app.web.reader import FOLDER, LANGUAGES, preferred
from tests.support.places import ROOT
from tests.support.web_tools import Inline, Site, two

OTHERS = [language for language in LANGUAGES if language != "en"]


def patterns():
    """Every pattern in the code, where it has to be written out."""
    found = {words for it in LESSONS for words in (it.title, it.end, *(s.words for s in it.steps))}
    for package in ("phantomgo", "gtp"):
        for file in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "Phrase":
                    pattern = node.args[0]
                    assert isinstance(pattern, ast.Constant), f"{file}:{node.lineno}"
                    found.add(str(pattern.value))
    return found


def fields(pattern):
    return {name for _, name, _, _ in string.Formatter().parse(pattern) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_pattern_and_no_other(language):
    catalogue = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    assert catalogue.keys() ^ patterns() == set()
    for pattern, words in catalogue.items():
        assert fields(words) == fields(pattern), pattern
        assert words, pattern


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("fr, ja;q=0.5, zh-TW;q=0.7", "zh"),
        ("en-GB, de", "en"),
        ("de;q=0, ja;q=0.1", "ja"),
        ("*", "en"),
        ("", "en"),
        (";;q=x,,de;q=nan" * 100, "en"),
    ],
)
def test_a_browser_asks_for_a_language(accepted, language):
    assert preferred(accepted) == language


async def test_a_choice_is_remembered_by_a_cookie_and_keeps_the_page():
    site = Site()
    page = await site.get("/lesson/2?step=1", accept_language="ja")
    assert '<html lang="ja"' in page.text
    assert 'href="?step=1&amp;language=de"' in page.text
    answer = await site.get("/lesson/2?step=1&language=de&look=contrast")
    assert answer.status == 303
    assert answer.header("location") == "/lesson/2?step=1"
    cookies = [value for name, value in answer.headers if name == "set-cookie"]
    assert [cookie.partition(";")[0] for cookie in cookies] == ["language=de", "look=contrast"]
    page = (await site.get("/lesson/2?step=1", cookie="language=de; look=contrast")).text
    assert '<html lang="de" class="contrast">' in page
    assert "Lektionen" in page
    assert (await site.get("/lesson/2?language=xx")).status == 200
    strange = await site.get("//elsewhere.example/?language=de")
    assert strange.header("location") == "/elsewhere.example/"
    for cookie in ("language=xx; look=../x", "language", "=" * 9000):
        assert '<html lang="en" class="plain">' in (await site.get("/", cookie=cookie)).text


async def test_german_numbers_have_a_comma_and_results_a_point():
    site, german = Site(), {"accept_language": "de"}
    black = await site.lay(opponent="here", size="5", komi="6,5")
    assert "5x5, Komi 6,5" in (await site.get(black, **german)).text
    for what in ("pass", "seats", "seats", "pass"):
        await site.do(black, what)
    page = (await site.get(black, **german)).text
    assert "Weiß gewinnt mit 6,5 Punkten (W+6.5)." in page


class Marked(dict):
    """A catalogue of no language: every pattern is put between signs that nothing else has."""

    def get(self, pattern, _default=None):
        return pattern if pattern in ("{a} {b}", "{a}, {b}") else f"⟦{pattern}⟧"


class Words(HTMLParser):
    """The words of a page, and of attributes that are read or shown."""

    SHOWN = (
        "aria-label", "alt", "placeholder", "title", "data-on", "data-off", "data-again",
        "data-chosen",
    )  # fmt: skip

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_data(self, data):
        self.found.append(data)

    def handle_starttag(self, _tag, attrs):
        self.found += [value for name, value in attrs if name in self.SHOWN and value]


SAME = re.compile(
    r"phantomgo|phantom|\bAnn\b|\bBob\b|olympiad|cazenave|sensei|hamburg|openspiel|ccgc|SGF"
    r"|English|Deutsch|文A|random|flatmc|[BW]\+\w+|Void|https?://\S+|pass\b|\b[A-T]\d+\b|^[A-T]$"
)
"""Words that are the same in all languages: names, results, vertices, addresses."""


def english(page):
    """The words of a page that are in no phrase."""
    left = []
    for text in Words(page).found:
        rest, inner = text, 1
        while inner:
            rest, inner = re.subn(r"⟦[^⟦⟧]*⟧", "", rest)
        left += re.findall(r"[A-Za-z]{2,}.*", SAME.sub("", rest))
    return left


@pytest.fixture
def nothing_kept():
    """Pages that are written for this test alone: what is kept of others has a true language."""
    kept = lesson._main, lesson._first_board, page._action, page._others, page._zoom
    for function in kept:
        function.cache_clear()
    yield
    for function in kept:
        function.cache_clear()


@pytest.mark.usefixtures("nothing_kept")
async def test_no_page_has_words_that_cannot_be_translated(monkeypatch):
    monkeypatch.setattr(reader, "catalogue", lambda _language: Marked())
    site = Site(reviewers=Inline())
    seen = {}

    async def look(path):
        seen[path] = (await site.get(path, accept_language="de")).text

    for path in ("/", "/nothing", "/lesson/99"):
        await look(path)
    for number, taught in enumerate(LESSONS, 1):
        for step in range(len(taught.steps) + 1):
            await look(f"/lesson/{number}?step={step}&point=E5")
    ann = await site.lay(opponent="person", size="5", name="Ann", minutes="5", helped="on")
    await look(ann)
    invitation = re.search(r'href="(/table/\d+/invite-[^"]*)"', seen[ann])[1]
    await look(invitation)
    bob = (await site.post(invitation, name="Bob")).header("location")
    await site.attempt(ann, "C3")
    await site.attempt(bob, "C3")
    await look(bob)
    await site.attempt(bob, "C4")
    for what in ("belief", "hint", "adjourn"):
        await site.do(ann, what)
        await look(ann)
        await look(bob)
    await site.press(ann, "resign")
    await look(ann)
    await site.press(ann, "yes")
    await site.settle()
    for side in ("truth", "black", "white"):
        for at in range(5):
            await look(f"{ann}?at={at}&side={side}")
    host = await site.lay(opponent="referee", size="5", rules="hamburg", handicap="2")
    await site.attempt(host, "C3")
    await look(host)
    await site.do(host, "undo")
    await look(host)
    await two(site)
    await look("/")
    assert {path: english(page) for path, page in seen.items() if english(page)} == {}
