"""Every page of the server, looked at by screen, look and language.

Nothing is wider than the screen, and axe-core, where it is installed, finds no fault.
"""

import pytest

from phantomgo.app.web.lesson import LESSONS
from tests.support.browsing import AXE, NEEDS_CHROMIUM, lay

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.slow]

SCREENS = {390: 844, 844: 390, 1280: 800, 1920: 1080}
"""The heights of screens by their widths: a phone held upright and sideways, two of desktops."""
READERS = [
    (390, "dark", "contrast", "de"),
    (844, "light", "plain", "ja"),
    (1280, "dark", "pattern", "en"),
    (1920, "light", "plain", "zh"),
]
"""Each screen and language once, and each scheme and look."""
SIZE, POINTS = "5", ("C3", "B2", "D4")
WIDE = """
    [...document.querySelectorAll('main *, header *')].filter((node) =>
        node.getBoundingClientRect().right > innerWidth + 1
        && !node.closest('.row, .unseen, .scroll')
    ).map((node) => node.outerHTML.slice(0, 200))
"""
"""Everything that ends beyond the right edge of the screen."""


class Tour:
    """A visit to every page; what is done on them does not depend on their language."""

    def __init__(self, page, address, look):
        self.page, self.address, self.look = page, address, look

    def go(self, path):
        self.page.goto(path if path.startswith("http") else self.address + path)
        self.look()

    def press(self, what, shown):
        self.page.click(what)
        self.page.wait_for_selector(shown)
        self.look()

    def lay(self, more=(), **choices):
        self.page.goto(self.address)
        lay(self.page, more, **choices)

    def link(self, role):
        return self.page.locator(f"a.invite[href*='/{role}']").first.get_attribute("href")

    def everywhere(self):
        self.plain_pages()
        self.lessons()
        self.two_people()
        self.against_a_bot()
        self.after_the_game()
        self.referee()
        self.one_screen()

    def plain_pages(self):
        self.go("/")
        self.page.click(".settings summary")
        for summary in self.page.locator("form summary").all():
            summary.click()
        self.look()
        self.go("/nothing")

    def lessons(self):
        for number, lesson in enumerate(LESSONS, 1):
            for step in (0, len(lesson.steps) - 1, len(lesson.steps)):
                self.go(f"/lesson/{number}?step={step}")

    def two_people(self):
        """A table that waits for somebody, and the invitation."""
        self.lay(opponent="person", size=SIZE, name="Ann", more={"minutes": "20", "period": "30"})
        self.look()
        self.go(self.link("invite-white"))
        self.page.fill("[name=name]", "W" * 30)
        self.press("button.main", ".table")

    def against_a_bot(self):
        self.lay(opponent="novice", size=SIZE, name="Ann", more={"minutes": "20", "increment": "5"})
        for point in POINTS:
            self.page.wait_for_selector("form.attempt")
            before = self.page.locator(".log li").count()
            self.page.click(f".points button[value={point}]")
            self.page.wait_for_selector(f".log li:nth-child({before + 1})")
        self.page.wait_for_selector("form.attempt")
        self.press("button[value=hint]", ".answer:not(:empty)")
        self.press("button[value=belief]", ".heat")
        self.press("button[value=takeback]", "button[value=yes]")
        self.press("button[value=no]", "button[value=resign]")
        self.press("button[value=resign]", "button[value=yes]")
        self.press("button[value=yes]", ".graph")

    def after_the_game(self):
        self.press(".switch [data-side=black]", ".switch [data-side=black][aria-current]")
        self.press("a[rel=back]", ".study")
        self.press(".links summary", ".links img")
        self.go(self.link("watch"))

    def referee(self):
        self.lay(opponent="referee", size=SIZE)
        for point in POINTS:
            self.press(f".points button[value={point}]", ".log li")
        self.press("button[value=undo]", "button[value=yes]")

    def one_screen(self):
        self.lay(opponent="here", size=SIZE)
        self.press(f".points button[value={POINTS[0]}]", "button[value=seats]")
        self.press("button[value=seats]", ".curtain")


class Looker:
    """Looks at each page of a tour: nothing is too wide, and axe-core finds no fault."""

    def __init__(self, page, width):
        self.page, self.width, self.looked = page, width, 0

    def __call__(self):
        page = self.page
        page.wait_for_load_state()  # the style sheet, too
        self.looked += 1
        assert page.evaluate(WIDE) == [], page.url
        assert page.evaluate("document.documentElement.scrollWidth") <= self.width, page.url
        if AXE.exists():
            if not page.evaluate("'axe' in window"):
                page.evaluate(AXE.read_text())
            found = page.evaluate("axe.run().then((result) => result.violations)")
            faults = [(fault["id"], fault["nodes"][0]["html"]) for fault in found]
            assert faults == [], page.url


@pytest.mark.parametrize(("width", "scheme", "look", "language"), READERS)
def test_every_page_fits_its_screen_and_is_accessible(visit, server, width, scheme, look, language):
    sight = {"viewport": {"width": width, "height": SCREENS[width]}, "color_scheme": scheme}
    page = visit(f"{server.address}/?look={look}", locale=language, **sight)
    assert page.locator(f"html.{look}").get_attribute("lang") == language
    looker = Looker(page, width)
    Tour(page, server.address, looker).everywhere()
    assert looker.looked > 45
