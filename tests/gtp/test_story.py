"""Repetitions are recognised with refused lines left out or in any order."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from gtp.story import Line, Story, StoryStep, VisibleGame
from phantomgo.game.points import BLACK, PASS, WHITE
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream

NOTHING = VisibleGame.blank(Rules(size=3))


def story(*steps: tuple[Line, bool]) -> Story:
    told = Story(NOTHING)
    for line, stands in steps:
        told = told.then(StoryStep(line, stands, NOTHING))
    return told.again()


def tell(told: Story, lines: list[Line]) -> list[bool | None]:
    """For each line, True if it stood, None if it was not recognised."""
    number, answers = 0, []
    for line in lines:
        following = told.following(number, line) or (number, None)
        number, stood = following
        answers.append(stood)
    assert None in answers or number >= told.stood
    return answers


A, B = Line(BLACK, 0), Line(BLACK, 1)
ANSWER = Line(WHITE, PASS)


def test_a_point_that_was_refused_and_then_stood():
    """The tries ran out at a ko, and the turn after it the point is free."""
    game = story((A, False), (A, True), (ANSWER, True))
    assert tell(game, [A, ANSWER]) == [True, True]
    assert tell(game, [A, A, ANSWER]) == [True, False, True]


def test_what_was_not_said_is_another_game():
    game = story((A, False), (B, True), (ANSWER, True), (A, True))
    for line in (ANSWER, Line(WHITE, 1), Line(BLACK, 2)):
        assert tell(game, [line]) == [None]
    assert game.following(2, B) is None, "what stood is not said twice"
    assert game.following(3, B) is None
    assert game.following(3, ANSWER) is None


lines = st.builds(Line, st.sampled_from([BLACK, WHITE]), st.integers(0, 3))


@given(st.lists(st.tuples(lines, st.booleans()), max_size=12), st.integers(0, 2**32))
def test_every_telling_of_what_stands_is_the_game(steps, seed):
    stood = [line for line, stands in steps if stands]
    assume(all(one != other for one, other in pairwise(stood)))
    for number, (line, stands) in enumerate(steps):
        after = [other for other, later in steps[number:] if later][1:2]
        assume(stands or line not in after)  # else it cannot be told which of the two is meant
    stream, telling, run = Stream(seed), [], []
    for line, stands in steps:
        if not stands:
            run.append(line)
            continue
        while run:
            refused = run.pop(stream.below(len(run)))
            telling += [refused] * stream.below(2)
        telling.append(line)
    assert None not in tell(story(*steps), telling)
