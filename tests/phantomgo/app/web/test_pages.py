"""Every page of the server, looked at by screen, look and language.

Nothing is wider than the screen, and axe-core, where it is installed, finds no fault. With
PICTURES=1 in the environment the pages are drawn in docs/pictures, each at four screens.
"""

import base64

import pytest

from phantomgo.app.web.lessons import LESSONS
from tests.support.browsing import AXE, DRAWING, NEEDS_CHROMIUM, PICTURES, lay

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.slow]

SCREENS = {390: 844, 844: 390, 1280: 800, 1920: 1080}
"""The heights of screens by their widths: a phone held upright and sideways, two of desktops."""
READERS = [
    (390, "light", "plain", "en"),
    (390, "dark", "contrast", "de"),
    (390, "light", "pattern", "ja"),
    (390, "dark", "plain", "zh"),
    (844, "dark", "plain", "ja"),
    (844, "light", "contrast", "de"),
    (1280, "light", "contrast", "ja"),
    (1280, "dark", "pattern", "en"),
    (1920, "light", "plain", "de"),
    (1920, "dark", "contrast", "zh"),
]
"""Each screen, scheme, look and language, at least twice."""
NAMES = ("Ann", "Bob", "Chen", "Doris") if DRAWING else ("Ann", "Bartholomew", "W" * 30, "D")
SIZE, POINTS = ("9", ("E5", "C3", "G7")) if DRAWING else ("5", ("C3", "B2", "D4"))
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

    def go(self, path, name=""):
        self.page.goto(path if path.startswith("http") else self.address + path)
        self.look(name)

    def press(self, what, shown, name=""):
        self.page.click(what)
        self.page.wait_for_selector(shown)
        self.look(name)

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
        self.evening()

    def plain_pages(self):
        self.go("/", "front")
        self.page.click(".settings summary")
        for summary in self.page.locator("form summary").all():
            summary.click()
        self.look("")
        self.go("/games")
        self.go("/nothing", "message")

    def lessons(self):
        for number, lesson in enumerate(LESSONS, 1):
            for step in (0, len(lesson.steps) - 1, len(lesson.steps)):
                name = {(2, 0): "lesson", (1, len(lesson.steps)): "lesson-end"}
                self.go(f"/lesson/{number}?step={step}", name.get((number, step), ""))

    def two_people(self):
        """An open table, the lobby while its host waits there, and the invitation."""
        host = self.page
        self.lay(opponent="person", size=SIZE, name="Ann", more={"minutes": "20", "period": "30"})
        self.look("waiting")
        invitation = self.link("invite-white")
        self.page = host.context.new_page()
        self.page.goto(self.address)
        self.page.click("details:has([name=open]) > summary")
        self.page.check("[name=open]")
        self.page.fill("[name=name]", "Chen")
        lay(self.page, opponent="person", size=SIZE)
        self.page.wait_for_selector("body:not(.offline)")
        self.page, waiting = host, self.page
        self.go("/lobby", "lobby")
        waiting.close()
        self.go(invitation, "invitation")
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
        self.press("button[value=belief]", ".heat", "table")
        self.press("button[value=takeback]", "button[value=yes]")
        self.press("button[value=no]", "button[value=resign]")
        self.press("button[value=resign]", "button[value=yes]")
        self.press("button[value=yes]", ".graph")

    def after_the_game(self):
        self.press(".switch [data-side=black]", ".switch [data-side=black][aria-current]")
        self.press("a[rel=back]", ".study", "review")
        self.press(".links summary", ".links img")
        self.go(self.link("watch"))
        self.go(self.page.locator("a[href$='card.svg']").get_attribute("href"), "card")
        self.go("/games", "games")

    def referee(self):
        self.lay(opponent="referee", size=SIZE)
        for point in POINTS:
            self.press(f".points button[value={point}]", ".log li", "")
        self.look("referee")
        self.press("button[value=undo]", "button[value=yes]")

    def one_screen(self):
        self.lay(opponent="here", size=SIZE)
        self.press(f".points button[value={POINTS[0]}]", "button[value=seats]")
        self.press("button[value=seats]", ".curtain", "curtain")

    def evening(self):
        page = self.page
        self.go("/evenings", "evening")
        page.fill("[name=size]", SIZE)
        page.select_option("[name=watching]", "all")
        self.press("button.main", ".links details[open] .invite")
        organiser, join, show = page.url, self.link("join"), self.link("projector")
        players = []
        for name in NAMES:
            self.go(join, "join" if name == "Ann" else "")
            page.fill("[name=name]", name)
            self.press("button.main", ".evening button")
            players.append(page.url)
        self.go(organiser)
        self.press("button[value=start]", ".results")
        for number, player in enumerate(players):
            self.go(player, "player" if number == 1 else "")
            self.press("button.main", ".table")
            if page.locator("form.attempt").count():
                self.press(f".points button[value={POINTS[0]}]", ".log li")
        page.goto(organiser)
        page.locator(".decide summary").first.click()
        self.look("organiser")
        self.go(show, "projector")
        page.goto(organiser)
        page.locator("button[value=renew]").first.click()
        page.wait_for_selector("a[href*='/again-']", state="attached")
        self.look("")
        again = self.link("again-")
        page.locator(".decide summary").first.click()
        self.press(".decide details[open] button", ".results")
        self.go(organiser.rstrip("/") + "/ratings", "ratings")
        self.go(again, "again")


class Looker:
    """Looks at each page of a tour: nothing is too wide, and axe-core finds no fault."""

    def __init__(self, page, width):
        self.page, self.width, self.looked = page, width, 0

    def __call__(self, _name):
        page = self.page
        page.wait_for_load_state()  # the style sheet, too
        self.looked += 1
        if page.url.endswith(".svg"):
            return  # a picture to keep, as large as it is
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
    assert looker.looked > 60


# Pictures

SHEET = "margin:0;background:#ddd;display:flex;align-items:start"


class Album:
    """Pictures of the pages of a tour, by their names."""

    def __init__(self, page):
        self.page, self.pictures = page, {}

    def __call__(self, name):
        if name:
            self.page.wait_for_load_state("networkidle")
            self.pictures[name] = self.page.screenshot(type="png")


@pytest.mark.skipif(not DRAWING, reason="pictures are drawn where PICTURES=1")
def test_every_page_is_drawn_at_four_screens(visit, server):
    albums = []
    for width, height in SCREENS.items():
        page = visit(server.address, viewport={"width": width, "height": height}, locale="en")
        albums.append(Album(page))
        Tour(page, server.address, albums[-1]).everywhere()
    sheet = visit("about:blank", viewport={"width": 1220, "height": 300})
    for name in albums[0].pictures:
        images = "".join(
            f'<img src="data:image/png;base64,{base64.b64encode(album.pictures[name]).decode()}"'
            f' style="width:{0.26 * width:.0f}px;margin:6px;border:1px solid #888">'
            for album, width in zip(albums, SCREENS, strict=True)
        )
        sheet.set_content(f'<body style="{SHEET}">{images}</body>')
        sheet.wait_for_function("[...document.images].every((image) => image.complete)")
        sheet.screenshot(path=PICTURES / f"page-{name}.jpg", type="jpeg", quality=72)
