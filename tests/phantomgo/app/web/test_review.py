"""The review of a finished game on its pages."""

import re

from phantomgo.game.points import WHITE
from tests.support.web_tools import Inline, Site

ATTEMPTS = ["C3", "C3", "B3", "B3", "C4", "D3", "resign"]
"""Black C3; White is refused there and plays B3; Black is refused at B3."""


class Counting(Inline):
    """Judges who count what they are asked."""

    count = 0

    def ask(self, task, *arguments, who="", since=0.0):
        self.count += 1
        return super().ask(task, *arguments, who=who, since=since)


async def finished(site):
    black = await site.lay(opponent="person", size="5", name="Ann")
    white = await site.invited(black)
    for path, attempt in zip((black, white, white, black), ATTEMPTS, strict=False):
        await site.attempt(path, attempt)
    await site.do(white if site.session(black).game.to_move is WHITE else black, "resign")
    await site.settle()
    return black, white


async def test_a_review_is_made_once_when_somebody_looks_and_kept(tmp_path):
    reviewers = Counting()
    site = Site(tmp_path / "tables.db", reviewers=reviewers)
    black, white = await finished(site)
    assert reviewers.count == 0
    first = (await site.get(black)).text
    assert "Every position is being evaluated" in first
    await site.settle()
    for path in (black, white, site.session(black).link("watch")):
        page = (await site.get(path + "?at=2&side=white")).text
        assert "2. White: C3 is refused (occupied)" in page
        assert "A strong bot would have" in page
        assert 'class="graph"' in page
    assert reviewers.count == 1
    site.journal.close()
    again = Site(tmp_path / "tables.db", reviewers=reviewers)
    assert "A strong bot would have" in (await again.get(black + "?at=1")).text
    assert reviewers.count == 1
    again.journal.close()


async def test_the_switch_shows_the_truth_or_what_one_player_saw():
    site = Site(reviewers=Inline())
    black, _ = await finished(site)
    await site.get(black)
    await site.settle()
    moment = black + "?at=3"
    for side, words in {
        "truth": "Black: C3. White: B3.",
        "black": "Black: C3. White: no stones.",
        "white": "Black: C3. White: B3.",
        "nonsense": "Black: C3. White: B3.",
    }.items():
        page = (await site.get(f"{moment}&side={side}")).text
        assert f'class="unseen">{words}' in page, side
        assert page.count('class="board ') == 1
        assert len(re.findall("data-side=[^>]*aria-current", page)) == 1
        assert ('class="heat"' in page) == (side == "black"), "White knows where Black is"


async def test_a_line_is_tried_in_place_of_an_attempt():
    site = Site(reviewers=Inline())
    black, _ = await finished(site)
    await site.get(black)
    await site.settle()
    page = (await site.get(black + "?at=3&point=D4")).text
    assert "You tried: White: D4 is accepted." in page
    assert len(re.findall(r"D4: \d+ % to win(, as White saw it| on the full board)\.", page)) == 2
    assert 'name="line" value="D4"' in page
    assert 'class="unseen">Black: C3. White: D4.' in page
    page = (await site.get(black + "?at=3&line=D4&point=D4&side=black")).text
    assert "White: D4 is accepted, Black: D4 is refused (occupied)." in page
    assert 'data-line="D4"' in page
    assert 'class="unseen">Black: C3. White: D4.' in page  # Black has run into it
    long = (await site.get(f"{black}?at=1&line={'.'.join(['pass'] * 99)}")).text
    assert "You tried: Black passes, White passes." in long
    assert (await site.get(black + "?at=3&line=Z99")).status == 400


async def test_the_numbers_of_both_players_and_the_marks_on_the_graph():
    site = Site(reviewers=Inline())
    black, _ = await finished(site)
    await site.get(black)
    await site.settle()
    page = (await site.get(black)).text
    rows = dict(re.findall(r'<th scope="row">(.*?)</th><td>(\d+</td><td>\d+)', page))
    assert [*rows] == [
        "Mistakes", "Bad luck", "Luck", "Stones found by a refused attempt", "Stones never found",
    ]  # fmt: skip
    decided = page.partition("What decided it")[2].partition("</ol>")[0]
    named = re.findall(r'data-at="(\d+)"', decided)
    assert named
    assert re.findall(r'class="dot" data-at="(\d+)"', page) == named


async def test_the_public_link_appears_when_the_game_has_ended():
    site = Site()
    black = await site.lay(opponent="person", size="5", watching="all")
    await site.invited(black)
    assert "/watch/" not in (await site.get(black)).text
    await site.do(black, "resign")
    link = site.session(black).link("watch")
    assert link in (await site.get(black)).text
    site.registry.session(1).close()
    assert "Black wins" not in (await site.get(link)).text
    assert (await site.get(link)).status == 200
