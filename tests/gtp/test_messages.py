"""The referee's messages as text and back."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp import messages
from gtp.syntax import Failure
from phantomgo.game import wording
from phantomgo.game.messages import Accepted, Ended, Moved, Note, Passed, Placed, Reason, Refused
from phantomgo.game.points import BLACK, PASS, WHITE, Colour, parse_move, point_set
from phantomgo.game.view import View
from tests.support.strategies import played, profiles, seeds


def points(text: str, size: int = 9) -> int:
    return point_set(parse_move(word, size) for word in text.split())


D4, E5 = 30, 40

EXAMPLES = [
    (Accepted(D4, 2, points("C3 C4")), "phantom-accept b D4 captured 2 C3 C4"),
    (Accepted(D4), "phantom-accept b D4 captured 0"),
    (Accepted(D4, 2, None), "phantom-accept b D4 captured 2"),
    (Accepted(D4, None, None), "phantom-accept b D4"),
    (Accepted(PASS), "phantom-accept b pass captured 0"),
    (Refused(E5), "phantom-illegal b E5"),
    (Refused(E5, Reason.SUICIDE), "phantom-illegal b E5 suicide"),
    (Moved(points("D4")), "phantom-opponent w move captured 1 D4"),
    (Moved(), "phantom-opponent w move captured 0"),
    (Passed(), "phantom-opponent w pass captured 0"),
    (Placed(BLACK, points("D4 G7")), "phantom-placed b D4 G7"),
    (Note("atari", WHITE), "phantom-note atari w"),
    (Note("tries", WHITE, 2), "phantom-note tries w 2"),
    (Ended("B+2.5"), "phantom-game_over B+2.5"),
    (Ended("0"), "phantom-game_over 0"),
]


@pytest.mark.parametrize(("message", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_examples(message, line):
    assert wording.line(message, BLACK, 9) == line
    name, *words = line.split()
    assert messages.read(name, words, BLACK, 9) == message


@settings(max_examples=40)
@given(seed=seeds, size=st.integers(2, 7), profile=profiles)
def test_whole_views_survive_the_wire(seed, size, profile):
    """Every message of a game by each profile, and the view that they make."""
    referee = played(size, seed, profile=profile)
    for colour in Colour:
        view = referee.view(colour)
        lines = [wording.line(message, colour, size).split() for message in view.events]
        told = [messages.read(name, words, colour, size) for name, *words in lines]
        assert None not in told
        assert View.replay(referee.rules, colour, told) == view


def test_a_refused_point_beside_the_board_is_the_first_one_there():
    assert messages.read("phantom-illegal", ["b", "K10"], BLACK, 9) == Refused(81)


UNREADABLE = """phantom-accept; phantom-accept b; phantom-accept b Z4; phantom-accept b D4 captured
phantom-accept b D4 captured -1; phantom-accept b D4 captured 1 pass; phantom-accept b D4 took 1 C3
phantom-accept b D4 captured 1 C3 C4; phantom-illegal b D4 sadly; phantom-illegal b D4 ko ko
phantom-opponent w D4; phantom-opponent w move captured 1; phantom-opponent w pass captured 1 C3
phantom-note; phantom-note tries w 0; phantom-placed; phantom-placed b D4 D4
phantom-game_over B+2.5 now; phantom-game_over b wins; phantom-something b D4"""


def test_what_cannot_be_read_is_a_failure():
    unseated = ["phantom-accept w D4", "phantom-opponent b move captured 0"]
    for line in [*re.split("; |\n", UNREADABLE), *unseated]:
        name, *words = line.split()
        with pytest.raises(Failure) as failure:
            messages.read(name, words, BLACK, 9)
        assert str(failure.value) == ("not your seat" if line in unseated else "syntax error")
