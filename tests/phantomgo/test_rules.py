import pytest

from phantomgo.errors import BadRules
from phantomgo.points import BLACK, WHITE
from phantomgo.rules import PROFILES, Rules


def test_olympiad_is_the_default():
    assert Rules.profile("olympiad") == Rules()


def test_profiles_differ_as_data_and_take_size_and_komi():
    assert len({Rules.profile(name) for name in PROFILES}) == len(PROFILES)
    assert Rules.profile("ccgc").komi == 6.5
    assert Rules.profile("ccgc", size=5, komi=0).komi == 0


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("ko", "super", "ko 'super' is not one of simple, positional, situational"),
        ("max_tries", "0", "max_tries 0 is not at least 1"),
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
    with pytest.raises(BadRules, match="is not from 2 to 19"):
        Rules(size=size)


def test_komi_is_finite():
    with pytest.raises(BadRules, match="komi nan"):
        Rules(komi=float("nan"))


def test_unknown_profile():
    with pytest.raises(BadRules, match="no rules profile 'chess'; there are olympiad"):
        Rules.profile("chess")


def test_komi_is_what_the_area_has_to_exceed():
    rules = Rules(komi=2.5)
    assert (rules.komi_for(BLACK), rules.komi_for(WHITE)) == (2.5, -2.5)
