"""What is said where a table is laid."""

import re

from bots.deployed import LEVELS
from phantomgo.app.web.front import DESCRIBED, RULES, front_page
from phantomgo.app.web.markup import Markup
from phantomgo.game.rules import PROFILES


def meanings(page):
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_every_bot_and_every_profile_is_explained_where_it_is_chosen():
    assert DESCRIBED.keys() == LEVELS.keys()
    assert RULES.keys() == PROFILES.keys()
    found = meanings(front_page(LEVELS, Markup("")))
    assert {*RULES, *(f"{name} bot" for name in LEVELS)} == found.keys()
    assert all(len(words) > 10 for words in found.values())
    more = meanings(front_page({**LEVELS, "professor": "book:nash9", "easy": "random"}, Markup("")))
    assert more["professor bot"] == "the bot book:nash9"
    assert more["easy bot"] == "the bot random"  # another one by a known name
