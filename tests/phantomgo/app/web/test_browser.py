"""Tables in a real browser: Debian's Chromium, driven by Playwright.

The pictures of the documents come from here: with PICTURES=1 in the
environment these tests write them to docs/pictures.
"""

import pytest

from phantomgo import play_game, vertex
from tests.support.browsing import (
    DRAWING,
    NEEDS_CHROMIUM,
    Listener,
    lay,
    news,
    picture,
    press,
    says,
)
from tests.support.commands import python
from tests.support.waiting import free_port, until
from tests.support.web_tools import end, serve

pytestmark = NEEDS_CHROMIUM


def two(visit, server, **choices):
    """The pages of Ann and Bob, who play on 5x5."""
    ann = visit(server.address)
    lay(ann, opponent="person", size="5", name="Ann", **choices)
    assert ann.locator(".links img").first.evaluate("code => code.decode().then(() => true)")
    bob = visit(server.address + ann.locator("a.invite").first.get_attribute("href"))
    bob.fill("[name=name]", "Bob")
    bob.click("button.main")
    bob.wait_for_selector(".table")
    bob.wait_for_load_state()
    says(ann, "Your turn")
    return ann, bob


def test_two_people_play_a_whole_game(visit, server):
    ann, bob = two(visit, server, more={"watching": "black"})
    assert bob.locator("a[href*=watch]").count() == 0
    watcher = visit(server.address + ann.locator("a[href*=watch]").get_attribute("href"))
    for page, point in zip(
        (ann, bob) * 4, ["C3", "D4", "C4", "B3", "D3", "E1", "B4"], strict=False
    ):
        says(page, "Your turn")
        press(page, point)
        news(page, f"move {point} is accepted")
    # Bob's stones stand at D4, B3 and E1: Ann runs into two of them, then captures.
    says(bob, "Your turn")
    press(bob, "D3")
    news(bob, "move D3 is refused")
    press(bob, "A1")
    says(ann, "Your turn")
    assert ann.locator(".points button[aria-label*='White stone']").count() == 0
    press(ann, "B3")
    news(ann, "move B3 is refused")
    press(ann, "A3")
    says(bob, "Your turn")
    press(bob, "A2")
    says(ann, "Your turn")
    press(ann, "B2")
    news(ann, "Captured 1 stone")
    watcher.wait_for_selector(".news:has-text('Captured 1 stone')")
    assert watcher.locator(".points").count() == 0
    says(bob, "Your turn")
    bob.reload()
    says(bob, "Your turn")
    assert bob.locator(".points button[aria-label*='captured here']").count() == 1
    bob.click("button[value=pass]")
    says(ann, "Your turn")
    ann.click("button[value=pass]")
    ann.wait_for_selector(".answer:has-text('end the game?')")
    ann.click("button[value=no]")
    ann.click("button[value=pass]")
    ann.click("button[value=yes]")
    ann.wait_for_selector("h1:has-text('You won by')")
    bob.wait_for_selector("h1:has-text('You lost by')")
    watcher.wait_for_selector("h1:has-text('Black wins by')")
    bob.click("button[value=rematch]")
    ann.click(".next a")
    says(bob, "Your turn")
    says(ann, "Bob is to move")
    found = bob.context.new_page()
    bob.close()
    found.goto(server.address)
    found.wait_for_selector("#tables li:nth-child(2):has-text('Ann') a:has-text('You lost by')")
    found.click("#tables li:first-child a:text-is('Your turn')")
    says(found, "Your turn")


def test_a_stranger_learns_and_invites_by_one_press_each(visit, server):
    page = visit(server.address)
    assert page.locator("#sound").text_content() == "Sound: on"
    assert page.locator("[aria-label='C3: hint']").count() == 1
    press(page, "C3")
    page.wait_for_selector(".news:has-text('C3 is accepted')")
    page.goto(f"{server.address}/lesson/10?step=5")
    page.wait_for_selector(".lesson li.played:has-text('When to pass')")
    page.goto(server.address)
    page.click("button:text-is('Invite a friend')")
    says(page, "Waiting for White to sit down")


KEPT = """async () => {
    const body = new URLSearchParams({ opponent: "person", size: "5", name: "Ann" });
    const laid = Array.from({ length: 12 }, () => fetch("/tables", { method: "POST", body }));
    const paths = (await Promise.all(laid)).map((answer) => new URL(answer.url).pathname);
    keep("tables", [...paths, "/table/1/black/void"]);
}"""
"""Twelve tables, kept as older pages kept them, and one that is not there."""


def test_the_front_page_lists_every_table_of_this_device(visit, server):
    page = visit(server.address)
    page.evaluate(KEPT)
    page.reload()
    waiting = "Waiting for White to sit down"
    page.wait_for_selector(f"#tables li:nth-child(12):has-text('{waiting}')")
    page.click("#tables li:nth-child(12) a")
    guest = visit(server.address + page.locator("a.invite").get_attribute("href"))
    guest.fill("[name=name]", "Bob")
    guest.click("button.main")
    says(page, "Your turn")
    page.goto(server.address)
    page.wait_for_selector("#tables li:nth-child(12)")
    rows = page.locator("#tables li")
    until(lambda: rows.count() == 12, "the void link is gone")
    row = page.wait_for_selector("#tables li:first-child:has-text('Bob')").inner_text()
    today = page.evaluate("new Date().toLocaleDateString('en', { dateStyle: 'medium' })")
    assert row.startswith("Your turn Bob, 5x5, komi ")
    assert row.endswith(today)


def test_a_touch_chooses_and_a_second_one_attempts(visit, server):
    phone = visit(server.address, viewport={"width": 360, "height": 740}, has_touch=True,
                  color_scheme="dark", is_mobile=True)  # fmt: skip
    lay(phone, opponent="novice", size="9")
    for point in ("D6", "F4", "G6", "C4") if DRAWING else ():
        for _ in range(2):
            phone.tap(f".points button[value={point}]")
        news(phone, f"move {point} ")
        says(phone, "Your turn")
    phone.tap(".points button[value=D4]")
    phone.wait_for_selector(".points button.chosen[value=D4]")
    if not DRAWING:  # the first tap of all says it, once
        phone.wait_for_selector(".answer:has-text('Tap the point again')")
    assert "to move" in phone.locator(".side.to-move").inner_text()
    phone.tap(".points button[value=E5]")
    phone.wait_for_selector(".points button.chosen[value=E5]")
    picture(phone, "phone")
    phone.tap(".points button[value=E5]")
    news(phone, "move E5 is accepted")
    assert phone.evaluate_handle("document.documentElement.scrollWidth").json_value() <= 360
    says(phone, "Your turn")
    phone.tap("button[value=pass]")
    phone.wait_for_selector(".answer:text-is('Tap again to pass.')")
    phone.tap(".points button[value=A1]")  # or something else
    phone.wait_for_selector(".answer:empty", state="attached")
    for _ in range(2):
        phone.tap("button[value=pass]")
    news(phone, "Black passes.")


def tab_to(page, selector):
    """Press Tab until an element has the focus."""
    page.wait_for_selector(selector)
    page.wait_for_load_state()  # the page's script says which point Tab reaches first
    for _ in range(80):
        if page.evaluate("(what) => document.activeElement.matches(what)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab leads nowhere to {selector}")


def test_a_game_from_the_front_page_to_its_review_by_keyboard_alone(visit, server):
    page = visit(server.address)
    tab_to(page, ".more > summary")
    page.keyboard.press("Enter")
    tab_to(page, ".lay [name=opponent]")
    page.keyboard.type("nov")
    tab_to(page, ".lay [name=size]")
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    tab_to(page, ".table .points button")
    page.keyboard.press("Enter")
    news(page, "move C3 is accepted. White has")
    tab_to(page, "button[value=resign]")
    page.keyboard.press("Enter")
    tab_to(page, "button[value=yes]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".graph")
    tab_to(page, ".switch [data-side=black]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".switch [aria-current]:text-is('Black')")
    assert page.evaluate("document.activeElement.textContent") == "Black"
    tab_to(page, "a[rel=first]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".place:has-text('0 of')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".study h2:has-text('1. Black: C3 is accepted')")
    assert page.url.endswith("?at=1&side=black")
    friend = visit(server.address + page.locator("a.invite").get_attribute("href") + "?at=1")
    friend.click("a[rel=next]")
    friend.wait_for_selector(".place:has-text('2 of')")


def test_a_board_is_one_stop_of_tab(visit, server):
    page = visit(server.address)
    page.wait_for_load_state()
    stops = []
    while "Learn" not in (stops or [""])[-1]:
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate("document.activeElement.value || document.activeElement.textContent")
        )
        assert len(stops) < 9
    assert stops[-2:] == ["C3", "Learn in 60 seconds"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer:has-text('Not there yet.')")
    assert "point=D4" in page.url


def test_what_is_read_aloud_stays_in_the_page(visit, server):
    ann, bob = two(visit, server, more={"minutes": "20"})
    until(lambda: ann.title() == "Bob has sat down. Your turn - phantomgo", "the title")
    ann.evaluate("window.live = [...document.querySelectorAll('.answer, .news')]")
    press(ann, "D3")
    news(ann, "move D3 is accepted.")
    until(lambda: ann.title() == "Table - phantomgo", "the title")
    press(bob, "C3")
    news(ann, "White has moved.")
    assert ann.evaluate("live.length === 2 && live.every((node) => node.isConnected)")
    assert ann.evaluate("[...document.querySelectorAll('.answer, .news')].length") == 2
    assert "White has moved." in ann.evaluate("live[1].textContent")
    says(bob, "Ann is to move")
    bob.click("button[value=adjourn]")
    ann.wait_for_selector(".offer:has-text('Bob asks you to adjourn the game.')")
    ann.click("button[value=decline]")
    bob.wait_for_selector(".answer:has-text('Ann has declined.')")
    ann.click("button[value=resign]")
    ann.click("button[value=yes]")
    says(ann, "You lost by resignation.")
    assert ann.evaluate("live.every((node) => node.isConnected)")


def test_a_small_screen_shows_a_legend_of_every_mark_and_how_to_begin(visit, server):
    ann, bob = two(visit, server, more={"helped": True})
    points = "A1 A5 C3 E5 D3 A2 C4 B1 A5"  # Ann loses A1, and A5 is refused, by suicide or a stone
    for page, point in zip((ann, bob) * 5, points.split(), strict=False):
        press(page, point)
        news(page, f"move {point} ")
    ann.click("button[value=mark]")
    press(ann, "D5")
    ann.wait_for_selector("button[aria-label='D5: your guess']")
    ann.click("button[value=belief]")
    ann.wait_for_selector(".board .heat")
    picture(ann, "belief")
    ann.click("button[value=hint]")
    ann.wait_for_selector(".answer:has-text('A strong bot would')")
    ann.set_viewport_size({"width": 1280, "height": 720})
    ann.goto(f"{ann.url}?language=de")  # the longest words
    ann.wait_for_selector(".legend :text('Wie wahrscheinlich')")
    for words in ("abgelehnt", "eben abgelehnt", "deine Vermutung", "geschlagen"):
        assert ann.locator(f".legend :text-is('{words}')").count() == 1
    assert ann.locator(".legend :text('versuchen')").count() == 1
    assert edge(ann, ".legend", "bottom") <= 720
    ann.goto(server.address)
    assert edge(ann, ".begin", "bottom") <= 720


def edge(page, selector, side):
    """The place of an edge of an element, in pixels from the upper or left edge of the screen."""
    page.wait_for_load_state()
    return page.evaluate(f"document.querySelector('{selector}').getBoundingClientRect().{side}")


REFUSED = {
    "en": ("Try again.", "refused just now"),
    "de": ("Versuche es noch einmal.", "eben abgelehnt"),
    "zh": ("请再试。", "刚刚被拒"),
    "ja": ("もう一度打ってください。", "今の着手は不可"),
}
"""What a refusal says in each language, in the sentence and at the point."""


@pytest.mark.parametrize("language", REFUSED)
def test_the_smallest_phone_shows_a_refusal_and_one_row_of_actions(visit, server, language):
    again, label = REFUSED[language]
    ann = visit(server.address)
    lay(ann, opponent="person", size="5", name="Ann", more={"minutes": "20", "helped": True})
    sight = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    link = server.address + ann.locator("a.invite").first.get_attribute("href")
    bob = visit(link, locale=language, **sight)
    bob.tap("button.main")
    bob.wait_for_load_state()
    says(ann, "Your turn")
    press(ann, "C3")
    bob.wait_for_selector("form.attempt")
    board = bob.locator(".board").bounding_box()
    for _ in range(2):
        bob.tap(".attempt .points button[value=C3]")
    news(bob, again)
    assert label in bob.locator(".points button[value=C3]").get_attribute("aria-label")
    assert bob.locator(".board .bounced").count() == 1
    assert bob.locator(".board").bounding_box() == board  # a finger is still over its point
    said = bob.locator(".news").bounding_box()
    shown = [it for it in bob.locator(".actions button").all() if it.is_visible()]
    rows = {it.bounding_box()["y"] for it in shown}
    assert board["y"] + board["height"] <= said["y"]
    assert len(rows) == 1
    assert said["y"] + said["height"] <= rows.pop() <= 600
    bob.tap("button.others")
    bob.tap("button[value=adjourn]")
    bob.wait_for_selector(".offer:not(:empty)")
    assert bob.evaluate("document.documentElement.scrollWidth") <= 360


SCREENS = [(360, 640), (390, 844), (640, 360), (844, 390), (768, 1024), (1280, 720), (1920, 1080)]
"""Widths and heights: phones held upright and sideways, a tablet, and two of desktops."""
IN_VIEW = ".board, h1, .news, .side, .clock, .hidden, .actions button"
BOXES = f"""
    [...document.querySelectorAll('{IN_VIEW}')].filter((node) => node.checkVisibility()).map(
        (node) => [node.textContent.slice(0, 20), node.getBoundingClientRect().toJSON(),
            node.matches('.clock, .hidden')])
"""
"""What a player needs: its words, its box, and whether it lies on a card."""


@pytest.mark.parametrize("language", REFUSED)
def test_what_a_player_needs_is_in_view_on_every_screen(visit, server, language):
    ann = visit(server.address)
    lay(ann, opponent="person", size="9", name="Ann", more={"minutes": "20", "helped": True})
    link = server.address + ann.locator("a.invite").first.get_attribute("href")
    bob = visit(link, locale=language)
    bob.click("button.main")
    bob.wait_for_load_state()
    says(ann, "Your turn")
    press(ann, "C3")
    bob.wait_for_selector("form.attempt")
    press(bob, "C3")
    news(bob, REFUSED[language][0])
    for width, height in SCREENS:
        bob.set_viewport_size({"width": width, "height": height})
        boxes = bob.evaluate(BOXES)
        assert len(boxes) >= 11
        for words, box, _ in boxes:
            assert box["left"] >= 0, (words, width)
            assert box["right"] <= width, (words, width)
            assert 0 <= box["top"] < box["bottom"] <= height, (words, width)
        alone = [(words, box) for words, box, on_card in boxes if not on_card]
        for n, (words, box) in enumerate(alone):
            for others_words, other in alone[:n]:
                apart = (
                    box["left"] >= other["right"]
                    or box["right"] <= other["left"]
                    or box["top"] >= other["bottom"]
                    or box["bottom"] <= other["top"]
                )
                assert apart, (words, others_words, width)


def test_one_attempt_is_kept_for_ones_turn(visit, server):
    ann, bob = two(visit, server)
    press(ann, "A1")
    says(ann, "Bob is to move")
    for point in ("B2", "B2", "C3", "D4"):  # the second press drops the first
        ann.click(f".mark .points button[value={point}]")
    ann.wait_for_selector(".answer:has-text('Kept for your turn.')")
    kept = ann.locator(".points [aria-pressed=true]").all()
    assert [it.get_attribute("value") for it in kept] == ["D4"]
    says(bob, "Your turn")
    press(bob, "E5")
    news(ann, "move D4 is accepted.")
    says(bob, "Your turn")
    press(bob, "E4")
    says(ann, "Your turn")
    assert ann.locator(".log li").count() == 4


def test_a_referee_enters_and_corrects(visit, server):
    page = visit(server.address, viewport={"width": 1920, "height": 1080})
    lay(page, opponent="referee", size="9", more={"minutes": "30"})
    for point in ("E5", "D4", "F4", "C6", "E3", "E5", "D5", "F5", "D6"):
        press(page, point)
        news(page, point)
    picture(page, "referee")
    page.click("button[value=undo]")
    page.click("button[value=yes]")
    page.wait_for_selector(".log li:last-child:has-text('F5')")
    for point in ("D6", "E4"):
        press(page, point)
        news(page, point)
    page.click("button[value=resign]")
    page.click("button[value=yes]")
    page.wait_for_selector("h1:has-text('by resignation')")
    page.wait_for_selector(".graph")
    page.click("a[rel=back]")
    page.wait_for_selector(".place:has-text('11 of 12'), .place:has-text('10 of 11')")
    if DRAWING:
        show_a_fight(visit(server.address, viewport={"width": 1600, "height": 1250}))


def show_a_fight(page):
    """Enter a whole game between two bots in which the lead changes twice, and have it reviewed."""
    bot = "phantom:playouts=200"
    lay(page, opponent="referee", size="9")
    steps = play_game(bot, bot, size=9, seeds=(11, 111)).steps
    for number, step in enumerate(steps, 1):
        if step.move < 0:
            page.click("button[value=pass]")
        else:
            press(page, vertex(step.move, 9))
        if number == len(steps):
            page.click("button[value=yes]")
        page.wait_for_selector(f".log li:nth-child({number})", state="attached")
        page.wait_for_timeout(250)  # the server turns away who is faster
    page.wait_for_selector(".graph")
    page.goto(f"{page.url.partition('?')[0]}?at=122")
    page.wait_for_selector(".graph")
    picture(page, "afterwards")


def test_without_the_script_the_forms_still_work(visit, server):
    page = visit(server.address, java_script_enabled=False)
    page.click(".more > summary")
    page.select_option(".lay [name=opponent]", "referee")  # who waits for nobody
    page.fill(".lay [name=size]", "5")
    page.click(".lay button.main")
    page.click(".points button[value=C3]")
    news(page, "move C3 is accepted")
    page.click("button[value=resign]")
    page.wait_for_selector(".answer:text-is('Resign the game?')")
    page.click("button[value=no]")
    page.click("button[value=resign]")
    page.click("button[value=yes]")
    says(page, "Black wins by resignation.")


TARGETS = """
    [...document.querySelectorAll("button, select, summary, input, a")].filter((node) => {
        const { width, height } = node.getBoundingClientRect();
        const inside = node.closest("p, td, li") && !node.closest(".next");
        const text = node.matches("a") && inside;
        const words = text || node.closest("label.check, .points") || node.matches(".invite");
        return width && height && !words && height < 39.9;
    }).map((node) => node.outerHTML.slice(0, 100))
"""
"""Everything to be pressed that is lower than 40 pixels, but for words in a text."""


@pytest.mark.parametrize("screen", [(390, 844), (844, 390)], ids=["upright", "sideways"])
def test_targets_on_a_phone_are_as_large_as_a_finger(visit, server, screen):
    width, height = screen
    sight = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    phone = visit(server.address, **sight)
    for path in ("/lesson?step=6", "/"):
        phone.goto(server.address + path)
        phone.click(".settings summary")
        assert phone.evaluate(TARGETS) == [], path
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
        assert all(title.bounding_box()["width"] > 1 for title in phone.locator(".row h2").all())
        box = phone.locator(".settings > div").bounding_box()
        assert box["y"] + box["height"] <= height
    phone.click(".settings summary")
    lay(phone, opponent="novice", size="19")
    assert phone.evaluate(TARGETS) == []
    for what in (".board", "button[value=pass]", "button[value=hint]"):  # all without scrolling
        box = phone.locator(what).bounding_box()
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
    phone.click("button.zoom")
    for name in ("A1", "T19", "K10"):
        point = phone.locator(f".points button[value={name}]")
        point.scroll_into_view_if_needed()
        box = point.bounding_box()
        assert min(box["width"], box["height"]) >= 40
        assert 0 <= box["x"] <= width - box["width"]
    row = "document.querySelector('.row').scrollLeft"
    before = phone.evaluate(row)
    for _ in range(2):
        phone.tap(".points button[value=K10]")
    news(phone, "move K10 is accepted")
    assert before > 0
    assert phone.evaluate(row) == before
    assert phone.evaluate("document.documentElement.scrollWidth") <= width
    phone.click("button[value=resign]")
    phone.click("button[value=yes]")
    says(phone, "You lost by resignation.")
    assert phone.evaluate(TARGETS) == []
    phone.click(".decided a")
    assert edge(phone, ".board", "top") > -1  # it is scrolled into sight


def look_away(page):
    """Have notices on, hide the page, and note what it shows and plays from here on."""
    page.context.grant_permissions(["notifications"])
    page.click(".settings summary")
    page.click("#notices")
    page.wait_for_selector("#notices:text-is('Notices: on')")
    page.evaluate(
        "window.shown = []; window.Notification = class {"
        " static permission = 'granted'; constructor(words) { shown.push(words); } };"
        " window.played = []; tone = (name) => { played.push(name); window.heardAt = Date.now(); };"
        " Object.defineProperty(document, 'hidden', { value: true })"
    )


@pytest.mark.parametrize(
    ("colour", "words"), [("black", "Bob has sat down. Your turn"), ("white", "Bob has sat down.")]
)
def test_a_host_who_looks_away_hears_of_the_guest(visit, server, colour, words):
    ann = visit(server.address)
    lay(ann, opponent="person", size="5", name="Ann", colour=colour)
    assert "Your turn" not in ann.content()
    invitation = ann.locator("a.invite").first.get_attribute("href")
    look_away(ann)
    bob = visit(server.address + invitation)
    bob.wait_for_selector("h1:has-text('Ann invites you to play')")
    bob.fill("[name=name]", "Bob")
    bob.evaluate("document.querySelector('.lay').addEventListener('submit', () => "
                 "localStorage.setItem('pressed', Date.now()))")  # fmt: skip
    bob.click("button.main")
    until(lambda: ann.title() == f"{words} - phantomgo", "the title")
    assert ann.evaluate("[shown, played]") == [[words], ["joined"]]
    assert ann.evaluate("heardAt") - int(bob.evaluate("localStorage.getItem('pressed')")) < 2000


def test_an_invitation_is_shared_where_the_device_can(visit, server):
    ann = visit(server.address)
    lay(ann, opponent="person", size="5")
    assert not ann.locator(".share").is_visible()
    ann.evaluate("navigator.share = async (what) => { window.shared = what; }; prepare(null)")
    ann.click(".share")
    link = server.address + ann.locator("a.invite").get_attribute("href")
    assert ann.evaluate("shared") == {"title": "Invitation to play White", "url": link}


def test_a_notice_says_whose_turn_it_is_while_one_looks_away(visit, server):
    ann, bob = two(visit, server)
    look_away(ann)
    press(ann, "C3")
    says(bob, "Your turn")
    press(bob, "C3")
    news(bob, "is refused")
    press(bob, "D3")
    says(ann, "Your turn")
    assert ann.evaluate("shown") == ["Your turn"]


def test_a_mark_is_silent_whatever_was_heard_before_it(visit, server):
    ann, bob = two(visit, server)
    look_away(ann)
    press(ann, "C3")
    says(bob, "Your turn")
    press(bob, "B2")
    says(ann, "Your turn")
    ann.click(".settings summary")  # the open menu covers the button
    ann.click("button[value=mark]")
    press(ann, "D5")
    ann.wait_for_selector("button[aria-label='D5: your guess']")
    assert ann.evaluate("played") == ["turn", "turn"]


UNANSWERED = """async (opening) => {
    while (opening && socket?.readyState !== 0) await new Promise((go) => setTimeout(go, 10));
    const mine = socket;
    for (let n = silent = 0; ; n += 1) if (mine && socket === mine) beat(); else return n * BEAT;
}"""
"""The milliseconds after which a connection, or the next one, is given up without an answer."""


@pytest.mark.parametrize("how", ["offline", "cut"])
def test_a_network_that_goes_silent_is_noticed_and_a_press_is_sent_once(visit, server, how):
    page = visit(server.cable)
    lay(page, opponent="referee", size="5")
    page.wait_for_load_state()  # a page that is cut off before its styles came draws nothing
    until(lambda: page.evaluate("socket?.readyState === 1"), "a connection")
    page.context.set_offline(how == "offline")
    if how == "cut":
        server.cut = True
        press(page, "C3")  # before anybody knows
    assert page.evaluate(UNANSWERED) <= 2500
    assert page.locator(".connecting:visible").count() == 1
    if how == "cut":
        assert page.evaluate(UNANSWERED, True) >= 3000  # a new connection may be slow
    press(page, "C3")
    page.wait_for_selector(".points .pending[value=C3]")
    page.context.set_offline(False)
    server.cut = False
    page.wait_for_selector(".log li")
    page.wait_for_selector("body:not(.offline)")
    press(page, "D4")
    page.wait_for_selector(".log li:nth-child(2):has-text('D4')")
    page.evaluate(  # a press on a page to which a name or a review has come since
        "const button = place.querySelector('[value=E5]');"
        " unsent = { form: button.form, button }; lost();"
    )
    page.wait_for_selector(".log li:nth-child(3):has-text('E5')")


def test_a_game_by_the_accessibility_tree_alone(visit, server):
    """Every press is of a role and a name that a screen reader says."""
    user = Listener(visit(server.address))
    user.press("button", "Strength 1: novice bot")
    user.hear("heading", "Your turn")
    user.press("button", "D4: empty")
    user.hear("StaticText", "Black's move D4 is accepted. White has")
    user.hear("button", "D4: Black stone, last move")
    user.hear("heading", "Your turn")
    user.press("button", "Resign")
    user.hear("StaticText", "Resign the game?")
    user.press("button", "Yes")
    user.hear("heading", "You lost by resignation.")
    user.hear("image", "Black's win probability: ")
    user.press("link", "Back")
    user.hear("StaticText", " of ")


def test_a_killed_server_goes_on_where_it_stood(visit, tmp_path):
    port, data = free_port(), tmp_path / "tables.db"
    process = serve(port, data)
    try:
        page = visit(f"http://127.0.0.1:{port}")
        lay(page, opponent="novice", size="5")
        press(page, "C3")
        news(page, "move C3 is accepted. White has")
        end(process)
        page.wait_for_selector("body.offline", state="attached")
        press(page, "B2")
        page.wait_for_selector(".points .pending[value=B2]")
        process = serve(port, data)
        page.wait_for_selector("body:not(.offline)")
        news(page, "B2")
        says(page, "Your turn")
        assert page.locator("button[aria-label^='C3: Black stone']").count() == 1
    finally:
        end(process)


def test_a_missing_extra_is_one_line(tmp_path):
    words = (
        "import sys; sys.modules['starlette'] = None;"
        " from phantomgo.app.cli import main; sys.exit(main(['web', '--data', sys.argv[1]]))"
    )
    done = python("-c", words, tmp_path / "tables.db")
    assert done.returncode == 1
    assert done.stderr == (
        "phantomgo web: web needs starlette uvicorn websockets segno: pip install starlette"
        " uvicorn websockets segno, or '.[web]' in a checkout\n"
    )
