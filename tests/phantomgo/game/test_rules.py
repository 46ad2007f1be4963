from dataclasses import replace

import pytest

from phantomgo.errors import BadRules
from phantomgo.game.points import BLACK, WHITE
from phantomgo.game.rules import PROFILES, Rules


def test_profiles_differ_as_data_and_take_size_and_komi():
    assert len({Rules.profile(name) for name in PROFILES}) == len(PROFILES)
    assert Rules.profile("ccgc").komi == 6.5
    assert Rules.profile("ccgc", size=5, komi=0).komi == 0


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("ko", "super", "ko 'super' is not one of simple, positional, situational, draw"),
        ("max_tries", "0", "max_tries 0 is not a whole number from 1 to 1000000000"),
        ("max_moves", "1e9", "max_moves '1e9' is not a whole number"),
        ("suicide", "true", "suicide 'true' is not supported, only false"),
        ("colour", "red", "no rule 'colour'; there are ko, captures_to_capturer"),
    ],
)
def test_bad_rules_name_the_value_and_the_allowed_ones(key, text, message):
    with pytest.raises(BadRules, match=message):
        Rules().with_text(key, text)


@pytest.mark.parametrize("size", [1, 20])
def test_sizes(size):
    with pytest.raises(BadRules, match="is not a whole number from 2 to 19"):
        Rules(size=size)


@pytest.mark.parametrize("limit", ["9", 2.5, True])
def test_limits_are_whole_numbers(limit):
    with pytest.raises(BadRules, match=f"max_tries {limit!r} is not a whole number from 1"):
        Rules(max_tries=limit)


def test_komi_is_what_the_area_has_to_exceed():
    rules = Rules(komi=2.5)
    assert (rules.komi_for(BLACK), rules.komi_for(WHITE)) == (2.5, -2.5)
    assert (rules.lead_to_exceed(BLACK), rules.lead_to_exceed(WHITE)) == (2, -3)


def test_limits_follow_from_the_size_unless_they_are_given():
    assert (Rules(size=5).tries_limit, Rules(size=5).moves_limit) == (26, 100)
    rules = Rules(size=5, max_tries=1, max_moves=1)
    assert (rules.tries_limit, rules.moves_limit) == (1, 1)


@pytest.mark.parametrize("text", ["1", "999999999"])
def test_limits_as_text(text):
    assert Rules().with_text("max_tries", text).tries_limit == int(text)


@pytest.mark.parametrize("text", ["٣", "1000000001", "-1", ""])
def test_limits_as_text_are_short_and_ascii(text):
    with pytest.raises(BadRules, match="is not a whole number from 1 to 1000000000"):
        Rules().with_text("max_moves", text)


def test_a_rule_that_has_one_value_may_be_stated():
    assert Rules().with_text("scoring", "area") == Rules()


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_rules_know_their_profile_on_any_board(name):
    # The CCGC's rules are the olympiad's with another komi.
    known = "olympiad" if name == "ccgc" else name
    assert Rules.profile(name, size=5, komi=0.5).profile_name == known
    assert replace(Rules.profile(name), max_tries=3).profile_name is None
