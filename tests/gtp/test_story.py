"""Repetitions are recognised with refused moves left out or in any order."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from gtp.story import GameSnapshot, SentMove, Story, StoryStep
from phantomgo.game.points import BLACK, PASS, WHITE
from phantomgo.game.rules import Rules
from phantomgo.rng import Stream

NOTHING = GameSnapshot.blank(Rules(size=3))


def story(*steps: tuple[SentMove, bool]) -> Story:
    told = Story(NOTHING)
    for sent, accepted in steps:
        told = told.then(StoryStep(sent, accepted, NOTHING))
    return told.again()


def tell(told: Story, moves: list[SentMove]) -> list[bool | None]:
    """For each move, True if it was accepted, None if it was not recognised."""
    number, answers = 0, []
    for sent in moves:
        following = told.following(number, sent) or (number, None)
        number, accepted = following
        answers.append(accepted)
    assert None in answers or number >= told.last_accepted
    return answers


A, B = SentMove(BLACK, 0), SentMove(BLACK, 1)
ANSWER = SentMove(WHITE, PASS)


def test_a_point_that_was_refused_and_then_accepted():
    """The tries ran out at a ko, and the turn after it the point is free."""
    game = story((A, False), (A, True), (ANSWER, True))
    assert tell(game, [A, ANSWER]) == [True, True]
    assert tell(game, [A, A, ANSWER]) == [True, False, True]


def test_what_was_not_sent_is_another_game():
    game = story((A, False), (B, True), (ANSWER, True), (A, True))
    for sent in (ANSWER, SentMove(WHITE, 1), SentMove(BLACK, 2)):
        assert tell(game, [sent]) == [None]
    assert game.following(2, B) is None, "an accepted move is not sent twice"
    assert game.following(3, B) is None
    assert game.following(3, ANSWER) is None


sent_moves = st.builds(SentMove, st.sampled_from([BLACK, WHITE]), st.integers(0, 3))


@given(st.lists(st.tuples(sent_moves, st.booleans()), max_size=12), st.integers(0, 2**32))
def test_every_repetition_of_the_accepted_moves_is_the_game(steps, seed):
    moves = [sent for sent, accepted in steps if accepted]
    assume(all(one != other for one, other in pairwise(moves)))
    for number, (sent, accepted) in enumerate(steps):
        after = [other for other, later in steps[number:] if later][1:2]
        assume(accepted or sent not in after)  # else it cannot be told which of the two is meant
    stream, telling, run = Stream(seed), [], []
    for sent, accepted in steps:
        if not accepted:
            run.append(sent)
            continue
        while run:
            refused = run.pop(stream.below(len(run)))
            telling += [refused] * stream.below(2)
        telling.append(sent)
    assert None not in tell(story(*steps), telling)
