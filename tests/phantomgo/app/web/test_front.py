"""What is said where a table is laid, and where a player waits for the other one."""

import re

from bots.naming import LEVELS
from phantomgo.app.web.front import DESCRIBED, RULES, front_page
from phantomgo.rules import PROFILES
from tests.support.web_tools import Site, get_advice_ready


def meanings(page):
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_every_bot_and_every_profile_is_explained_where_it_is_chosen():
    assert DESCRIBED.keys() == LEVELS.keys()
    assert RULES.keys() == PROFILES.keys()
    found = meanings(front_page(LEVELS))
    assert {*RULES, *(f"{name} bot" for name in LEVELS)} == found.keys()
    assert all(len(words) > 10 for words in found.values())


def test_further_bots_are_explained_by_their_specs():
    more = {"professor": "book:nash9", "easy": "random"}
    found = meanings(front_page({**LEVELS, **more}))
    assert found["professor bot"] == "the bot book:nash9"
    assert found["easy bot"] == "the bot random"  # another one by a known name


async def test_the_map_of_beliefs_has_a_scale():
    get_advice_ready(5)
    site = Site()
    white = await site.lay(opponent="novice", colour="white", size="5")
    await site.settle()
    assert 'class="legend"' not in (await site.get(white)).text
    await site.do(white, "belief")
    legend = re.search(r'<p class="legend">(.*?)</p>', (await site.get(white)).text)[1]
    words = re.findall(r">([^<>]+)</span>", legend)
    assert words == [
        "How likely Black is there, from:",
        *(f"{share} %" for share in (1, 3, 6, 10, 20, 35, 50, 70, 90)),
    ]
