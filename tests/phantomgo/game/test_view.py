"""A view states only what is certain, and everything the messages make certain."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.errors import BadMessage
from phantomgo.game.messages import Accepted, Message, Moved, Passed, Placed, Reason, Refused
from phantomgo.game.points import BLACK, PASS, WHITE, Colour, parse_move, point_set, vertices
from phantomgo.game.referee import Referee
from phantomgo.game.rules import CHOICES, PROFILES, Rules
from phantomgo.game.view import View
from phantomgo.rng import Stream
from tests.support.naive_view import NaiveView
from tests.support.strategies import at, profiles, random_attempts, seeds

COUNTS = (
    "hidden", "enemies", "turn", "refusals", "opponent_turn", "opponent_passed", "taken", "lost",
    "result",
)  # fmt: skip


def move(text: str, size: int = 5) -> int:
    return parse_move(text, size)


@given(size=st.integers(2, 6), seed=seeds, profile=profiles)
def test_everything_a_view_states_is_true(size, seed, profile):
    referee = Referee(Rules.profile(profile, size=size))
    for _ in random_attempts(referee, seed):
        board = referee.board
        for colour in Colour:
            view = referee.view(colour)
            enemy = board.stones(colour.other)
            assert view.own == board.stones(colour)
            assert view.located & ~enemy == 0
            assert view.vacant & (board.black | board.white) == 0
            assert view.hidden == (enemy & ~view.located).bit_count()
            assert enemy & ~(view.located | view.unknown) == 0


any_rules = st.fixed_dictionaries(
    {
        "size": st.integers(2, 5),
        "ko": st.sampled_from(CHOICES["ko"]),
        "captures_to_capturer": st.sampled_from(CHOICES["captures_to_capturer"]),
        "reason": st.sampled_from(CHOICES["reason"]),
        "tries": st.sampled_from(CHOICES["tries"]),
        "max_tries": st.integers(2, 9),
    }
)


@given(rules=any_rules, seed=seeds, stones=st.integers(0, 3))
@settings(max_examples=200)
def test_a_view_equals_the_oracle_message_by_message(rules, seed, stones):
    """Whatever is announced, from attempts at any point, also off the board."""
    rules, stream = Rules(**rules), Stream(seed)
    size, points = rules.size, rules.size**2
    placed = point_set(stream.below(points) for _ in range(stones))
    referee = Referee(rules, black=placed if placed.bit_count() < points - 1 else 0)
    while referee.outcome is None:
        choice = stream.below(points + 2)
        referee.attempt(referee.to_move, PASS if choice == points + 1 else choice)
    for colour in Colour:
        view = View(rules, colour)
        naive = NaiveView(size, rules.ko, rules.captures_to_capturer, rules.reason, colour)
        for message in referee.view(colour).events:
            view = view.after(message)
            naive.hear(message)
            for name in ("own", "located", "vacant", "unknown"):
                assert naive.points(getattr(view, name)) == getattr(naive, name), name
            for name in COUNTS:
                assert getattr(view, name) == getattr(naive, name), name
            assert [
                (divmod(r.point, size), (r.turn, naive.points(r.changed))) for r in view.refused
            ] == list(naive.refused.items())
            now = {point for point, (turn, _) in naive.refused.items() if turn == naive.turn}
            assert naive.points(view.refused_now) == now


@given(size=st.integers(2, 5), seed=seeds)
def test_an_untold_capturer_knows_at_most_how_many_enemies_stand(size, seed):
    referee = Referee(Rules(size=size, captures_to_capturer="none"))
    for _ in random_attempts(referee, seed):
        for colour in Colour:
            view, enemy = referee.view(colour), referee.board.stones(colour.other)
            assert view.located & ~enemy == 0
            assert view.enemies >= enemy.bit_count()


@given(size=st.integers(2, 6), seed=seeds, profile=profiles)
def test_a_log_sent_again_restores_the_view(size, seed, profile):
    referee = Referee(Rules.profile(profile, size=size))
    for _ in random_attempts(referee, seed, 60):
        pass
    for colour in Colour:
        view = referee.view(colour)
        assert View.replay(referee.rules, colour, view.events) == view
        assert pickle.loads(pickle.dumps(view)) == view


@pytest.mark.parametrize("profile", ["hamburg", "olympiad"])
def test_reasons_tell_what_stands(profile):
    """Also where a controller tells more than its rules say."""
    rules = Rules.profile(profile, size=5)
    told: list[Message] = [Accepted(move("E5")), Moved(), Accepted(PASS), Moved()]
    view = View.replay(rules, BLACK, [*told, Refused(move("A1"), Reason.SUICIDE)])
    assert vertices(view.located, 5) == "B1 A2"
    view = View.replay(rules, BLACK, [*told, Refused(move("A1"), Reason.OCCUPIED)])
    assert vertices(view.located, 5) == "A1"


@pytest.mark.parametrize(
    ("messages", "error"),
    [
        ([Accepted(move("A1")), Accepted(move("A1"))], "A1 cannot be empty"),
        ([Placed(WHITE, at("A1")), Accepted(move("A1"))], "A1 cannot be empty"),
        ([Placed(WHITE, at("A1")), Placed(WHITE, at("A1"))], "are on top of others or off the"),
        ([Placed(BLACK, 1 << 25)], "are on top of others or off the board"),
        ([Moved(at("B2"))], "lost stones at B2 are not Black's"),
        ([Accepted(move("A1"), 1, at("B2"))], "-1 enemy stones do not fit"),
        ([Moved(), Accepted(move("A1"), 2, at("B2"))], "captured 2, but the points named are 1"),
        ([Moved()] * 26, "26 enemy stones do not fit a board with 0 located and 25 unknown"),
        ([Accepted(99)], "move 99 is not a point of this board"),
        ([Passed(), Accepted(move("A1"), 1, at("A1"))], "captured stones at A1 are not the enemy"),
    ],
)
def test_messages_that_contradict_each_other_are_refused(messages, error):
    with pytest.raises(BadMessage, match=error):
        View.replay(Rules(size=5), BLACK, messages)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_refused_attempts_of_the_opponent_leave_no_trace_unless_the_rules_tell(profile):
    def white_sees(tries: list[str]):
        referee = Referee(Rules.profile(profile, size=5))
        for colour, text in ((BLACK, "C3"), (WHITE, "D4"), *((BLACK, t) for t in tries)):
            referee.attempt(colour, move(text))
        return referee.view(WHITE)

    told = Rules.profile(profile).tries != "private"
    assert (white_sees(["D4", "E5"]) != white_sees(["E5"])) is told
