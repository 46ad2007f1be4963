"""The picture of a finished game: there after the end, well-formed, in the reader's language."""

from xml.etree import ElementTree

import pytest

from tests.support.web_tools import Site

NAMES = ("<b>&amp;", "W" * 30)


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "White wins by resignation."),
        ("zh", "白方中盘胜。"),
        ("de", "Weiß gewinnt durch Aufgabe."),
    ],
)
async def test_a_card_shows_the_truth_and_both_views(language, title):
    site = Site()
    black = await site.lay(opponent="person", size="5", name=NAMES[0])
    white = await site.invited(black, name=NAMES[1])
    await site.attempt(black, "C3")
    await site.attempt(white, "D4")
    assert (await site.get(black + "/card.svg")).status == 404
    await site.do(black, "resign")
    await site.settle()
    answer = await site.get(black + "/card.svg", cookie=f"language={language}")
    assert answer.header("content-type") == "image/svg+xml"
    assert "script" not in answer.header("content-security-policy")
    picture = ElementTree.fromstring(answer.text)
    lines = [*picture.iter("{http://www.w3.org/2000/svg}text")]
    texts = [line.text for line in lines]
    assert title in texts
    narrowed = [line.text for line in lines if line.get("textLength")]
    assert narrowed == ([title] if language == "de" else []), "what is too wide is narrowed"
    assert NAMES[0] in texts
    assert f"{'W' * 21}..." in texts
    stones = [node.get("href") for node in picture.iter("{http://www.w3.org/2000/svg}use")]
    # The players, the truth, and what each saw of it.
    assert stones == ["#black", "#white", "#black", "#white", "#black", "#white"]
    shared = site.room(black).link("watch")
    assert (await site.get(shared + "/card.svg")).status == 200
