"""Views in words: the same for all images of a view, different for different knowledge."""

from hypothesis import assume, given
from hypothesis import strategies as st

from phantomgo.errors import BadMessage
from phantomgo.game.information_state import information_state
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Placed, Reason, Refused
from phantomgo.game.points import BLACK, PASS, WHITE, parse_move, vertex
from phantomgo.game.rules import Rules
from phantomgo.game.symmetry import SYMMETRIES, map_move
from phantomgo.game.view import View, map_view
from tests.support.strategies import played, profiles, seeds

RULES = Rules(size=5)


@st.composite
def views(draw):
    """A player's view in the middle of a game of random attempts."""
    size, count = draw(st.integers(2, 5)), draw(st.integers(0, 30))
    referee = played(size, draw(seeds), count, draw(profiles))
    return referee.view(draw(st.sampled_from([BLACK, WHITE])))


def at(text: str) -> int:
    return parse_move(text, 5)


def test_the_words():
    stones = 1 << at("C2")
    messages: list[Message] = [Placed(BLACK, stones), Moved(), Refused(at("D4"), Reason.OCCUPIED)]
    messages += [Accepted(PASS), Passed(), Accepted(at("D3"), 1, 1 << at("D4"))]
    view = View.replay(RULES, WHITE, messages)
    found = information_state(view)
    symmetry = found.symmetries[0]
    words = [vertex(map_move(symmetry, at(text), 5), 5) for text in ("C2", "D4", "D3")]
    c2, d4, d3 = words
    assert found.text == f"+b{c2} . {d4}!occupied pass - {d3}x{d4}"


@given(views(), st.sampled_from(SYMMETRIES))
def test_images_are_told_alike(view, symmetry):
    found, image = information_state(view), information_state(map_view(symmetry, view))
    assert image.words == found.words
    for move in range(view.rules.size**2):
        assert image.canonical(map_move(symmetry, move, view.rules.size)) == found.canonical(move)


@given(views())
def test_a_told_move_is_the_move_or_its_image(view):
    found = information_state(view)
    for move in [PASS, *range(view.rules.size**2)]:
        meant = found.actual(found.canonical(move))
        assert found.canonical(meant) == found.canonical(move)
        if len(found.symmetries) == 1:
            assert meant == move


@given(views())
def test_what_was_told_before_is_the_beginning(view):
    words = information_state(view).words
    shorter = View.replay(view.rules, view.colour, list(view.events)[:-1])
    assert information_state(shorter).words == words[: len(shorter.events)]


def test_all_images_of_a_first_move_are_one():
    view = View(RULES, BLACK)
    assert len(information_state(view).symmetries) == 8
    told = {vertex(information_state(view).canonical(p), 5) for p in range(25)}
    assert told == {"A1", "A2", "A3", "B2", "B3", "C3"}
    assert {information_state(view).actual(at("A2"), draw) for draw in range(8)} == {
        at(text) for text in ("B1", "A2", "A4", "B5", "D5", "E4", "E2", "D1")
    }


@given(views(), st.data())
def test_the_words_after_a_move_begin_with_the_move(view, data):
    size = view.rules.size
    point = data.draw(st.integers(0, size**2 - 1))
    untold = view.rules.captures_to_capturer == "none"
    try:
        later = view.after(Accepted(point, None, None) if untold else Accepted(point))
    except BadMessage:  # a stone stands there
        assume(False)
    told = vertex(information_state(view).canonical(point), size)
    assert information_state(later).words == (*information_state(view).words, told)
