"""Every page of the server, looked at by screen, look and language.

Nothing is wider than the screen, nothing that is pressed or read is covered or cut, and axe-core,
where it is installed, finds no fault.
"""

import pytest

from phantomgo.app.web.lesson import LESSONS
from tests.support.browsing import AXE, NEEDS_CHROMIUM, lay

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.slow]

SCREENS = [(360, 640), (390, 844), (640, 360), (844, 390), (768, 1024), (1280, 720), (1920, 1080)]
"""Widths and heights of screens: phones held upright and sideways, a tablet and two of desktops."""
READERS = [
    ((390, 844), "dark", "contrast", "de"),
    ((844, 390), "light", "plain", "ja"),
    ((1280, 720), "dark", "pattern", "en"),
    ((1920, 1080), "light", "plain", "zh"),
]
"""Each language once, and each scheme and look; with the screen that axe looks at."""
SIZE, POINTS = "5", ("C3", "B2", "D4")
WIDE = """
    [...document.querySelectorAll('main *, header *')].filter((node) =>
        node.getBoundingClientRect().right > innerWidth + 1
        && !node.closest('.row, .unseen, .scroll')
    ).map((node) => node.outerHTML.slice(0, 200))
"""
"""Everything that ends beyond the right edge of the screen."""
COVERED = """
    [...(document.querySelector('.settings[open]') || document)
        .querySelectorAll('a, button, select, summary, input, h1, .news, .answer, .clock')
    ].filter((node) => {
        if (!node.checkVisibility() || !node.clientHeight) return false;
        if (node.closest('ol, #tables')) return false; // which scroll
        node.scrollIntoView({ block: 'center' });
        const { left, right, top, bottom, width } = node.getBoundingClientRect();
        if (width < 2) return false; // for screen readers
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const seen = there && (node.contains(there) || there.contains(node));
        const cut = node.matches('button, .clock, h1') && node.scrollWidth > node.clientWidth + 1;
        return !seen || cut || left < 0 || right > innerWidth;
    }).map((node) => node.outerHTML.slice(0, 200))
"""
"""Everything to press or to read whose middle something else covers, or that is cut at its side;
while a menu is open, only what is in it."""


def tour(page, address, look):
    """Visit every page; what is done on them does not depend on their language."""

    def go(path):
        page.goto(path if path.startswith("http") else address + path)
        look()

    def press(what, shown):
        if page.locator(".others").is_visible() and not page.locator(what).first.is_visible():
            page.click(".others")
        page.click(what)
        page.wait_for_selector(shown)
        look()

    def laid(more=(), **choices):
        page.goto(address)
        lay(page, more, **choices)

    def follow(role):
        go(page.locator(f"a.invite[href*='/{role}']").first.get_attribute("href"))

    go("/")
    page.click(".settings summary")
    look()
    page.click(".settings summary")
    for summary in page.locator("main summary").all():
        summary.click()
    look()
    go("/nothing")
    for number, lesson in enumerate(LESSONS, 1):
        for step in (0, len(lesson.steps) - 1, len(lesson.steps)):
            go(f"/lesson/{number}?step={step}")
    # Two people: a table that waits for somebody, and the invitation.
    laid(opponent="person", size=SIZE, name="Ann", more={"minutes": "20", "period": "30"})
    look()
    follow("invite-white")
    page.fill("[name=name]", "W" * 30)
    press("button.main", ".table")
    # A game against a bot, and after it.
    laid(opponent="novice", size=SIZE, name="Ann", more={"minutes": "20", "increment": "5"})
    for point in POINTS:
        page.wait_for_selector("form.attempt")
        before = page.locator(".log li").count()
        page.click(f".points button[value={point}]")
        page.wait_for_selector(f".log li:nth-child({before + 1})")
    page.wait_for_selector("form.attempt")
    press("button[value=hint]", ".answer:not(:empty)")
    press("button[value=belief]", ".board .heat")
    press("button[value=takeback]", "button[value=yes]")
    press("button[value=no]", "button[value=resign]")
    press("button[value=resign]", "button[value=yes]")
    press("button[value=yes]", ".graph")
    press(".switch [data-side=black]", ".switch [data-side=black][aria-current]")
    press("a[rel=back]", ".study")
    press(".links summary", ".links img")
    follow("watch")
    # A referee, and one screen for two.
    laid(opponent="referee", size=SIZE)
    for number, point in enumerate(POINTS, 1):
        press(f".points button[value={point}]", f".log li:nth-child({number})")
    press("button[value=undo]", "button[value=yes]")
    laid(opponent="here", size=SIZE)
    press(f".points button[value={POINTS[0]}]", "button[value=seats]")
    press("button[value=seats]", ".curtain")


@pytest.mark.parametrize(("screen", "scheme", "look", "language"), READERS)
def test_every_page_fits_its_screen_and_is_accessible(
    visit, server, screen, scheme, look, language
):
    sight = {"viewport": {"width": 1280, "height": 720}, "color_scheme": scheme}
    page, looked = visit(f"{server.address}/?look={look}", locale=language, **sight), []
    assert page.locator(f"html.{look}").get_attribute("lang") == language

    def check():
        page.wait_for_load_state()  # the style sheet, too
        looked.append(page.url)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            where = page.url, width
            assert page.evaluate(WIDE) == [], where
            assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            assert page.evaluate(COVERED) == [], where
        page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
        page.evaluate("scrollTo(0, 0)")
        if AXE.exists():
            if not page.evaluate("'axe' in window"):
                page.evaluate(AXE.read_text())
            found = page.evaluate("axe.run().then((result) => result.violations)")
            assert [(it["id"], it["nodes"][0]["html"]) for it in found] == [], page.url

    tour(page, server.address, check)
    assert len(looked) > 45
