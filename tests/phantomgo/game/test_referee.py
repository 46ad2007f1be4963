"""The referee, rule by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.errors import GameOver
from phantomgo.game.messages import Accepted, Ended, Note, Passed, Reason, Refused
from phantomgo.game.outcome import Ending
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE, Colour, members, parse_move, point_set
from phantomgo.game.record import Attempt
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.wording import line
from tests.support.naive import NaiveGo
from tests.support.strategies import profiles, random_attempts, seeds


def play(rules: Rules, text: str) -> Referee:
    """Attempts by turns: `b C3, w C3, w D4` (a refused side goes on)."""
    referee = Referee(rules)
    for item in text.split(","):
        colour, vertex = item.split()
        referee.attempt({"b": BLACK, "w": WHITE}[colour], parse_move(vertex, rules.size))
    return referee


@given(size=st.integers(2, 6), seed=seeds, profile=profiles)
def test_whole_games_equal_the_oracle(size, seed, profile):
    """Superko aside (the oracle knows simple ko only), judgements, the end and the score agree."""
    rules = Rules.profile(profile, size=size)
    referee, naive, ending = Referee(rules), NaiveGo(size), None
    moves: list[int] = []  # those that stood, or all attempts where refused ones count
    seen = {frozenset[tuple[str, int]]()}
    for colour, move, answer in random_attempts(referee, seed):
        assert ending is None
        truth = referee.log[-1] if referee.log[-1].move == move else referee.log[-2]
        forced = isinstance(answer, Refused) and referee.view(colour).refusals == 0
        if forced or isinstance(answer, Accepted) or rules.on_max_tries == "count":
            moves.append(PASS if forced else move)
        position = frozenset(
            (c.letter, p) for c in Colour for p in members(referee.board.stones(c))
        )
        repeated = move != PASS and isinstance(answer, Accepted) and position in seen
        seen.add(position)
        if rules.ko == "draw" and repeated:
            ending = Ending.REPETITION
        elif moves[-2:] == [PASS, PASS]:
            ending = Ending.SCORE
        elif len(moves) == rules.moves_limit:
            ending = Ending.MOVE_LIMIT
        assert (referee.outcome and referee.outcome.ending) == ending
        if move == PASS:
            naive.ko = None
            continue
        twin = naive.copy()
        verdict = twin.attempt(colour.letter, divmod(move, size))
        if isinstance(answer, Accepted):
            naive = twin
        elif not rules.forbids_repetition or isinstance(verdict, str):
            assert truth.reason == verdict
        if forced:  # the tries ran out: a pass
            naive.ko = None
    assert ending is not None
    assert referee.outcome is not None
    drawn = ending is Ending.REPETITION
    assert referee.outcome.margin == (None if drawn else naive.score() - rules.komi)


def test_two_accepted_passes_end_the_game_whatever_was_refused_between():
    referee = play(Rules(size=5), "b C3, w D4, b pass, w C3, w C3, w pass")
    assert referee.outcome is not None
    assert referee.outcome.ending is Ending.SCORE
    assert referee.outcome.sentence == "both players passed; White wins by 7.5"
    assert referee.view(BLACK).events[-1] == Ended("W+7.5")
    with pytest.raises(GameOver):
        referee.attempt(BLACK, PASS)


def test_refused_attempts_that_count_as_moves():
    rules = Rules(size=5, on_max_tries="count", max_moves=6)
    referee = play(rules, "b C3, w pass, b C3, b pass")
    assert referee.outcome is None, "no two passes in a row"
    referee = play(rules, "b C3, w C3, w C3, w C3, w C3, w C3")
    assert referee.outcome is not None
    assert (referee.outcome.ending, referee.to_move) == (Ending.MOVE_LIMIT, WHITE)


def test_a_repeated_position_may_be_a_draw():
    rules = Rules(size=2, ko="draw")
    moves = "b A2, w A1, b B2, w B1, b A2, w B2"
    assert play(rules, moves).outcome is None
    referee = play(rules, f"{moves}, b A2")
    assert referee.outcome is not None
    assert (referee.outcome.ending, referee.outcome.result) == (Ending.REPETITION, "0")
    assert referee.view(WHITE).result == "0"


def test_two_passes_of_one_colour_are_not_the_end():
    assert play(Rules(size=5), "b pass, b pass").outcome is None
    assert play(Rules(size=5), "b pass, w C3, b pass").outcome is None


def test_resignation():
    referee = Referee(Rules(size=5))
    assert referee.attempt(WHITE, RESIGN) == Accepted(RESIGN)
    assert referee.log == [Attempt(WHITE, RESIGN, None)]
    assert referee.outcome is not None
    assert (referee.outcome.result, referee.outcome.sentence) == ("B+R", "White resigns")


def test_tries_run_out_into_a_pass():
    rules = Rules(size=5, max_tries=2)
    referee = play(rules, "b C3, w C3, w C3")
    assert referee.to_move is BLACK
    assert referee.view(WHITE).events[-1] == Accepted(PASS)
    assert referee.view(BLACK).events[-1] == Passed()


def test_tries_run_out_into_a_loss():
    referee = play(Rules(size=5, max_tries=2, on_max_tries="lose"), "b C3, w C3, w C3")
    assert referee.outcome is not None
    assert (referee.outcome.result, referee.outcome.ending) == ("B+F", Ending.ATTEMPTS)


@pytest.mark.parametrize("last", ["D4", "pass"])
def test_the_move_limit_scores_the_board(last):
    referee = play(Rules(size=5, max_moves=2, komi=0.5), f"b C3, w {last}")
    assert referee.outcome is not None
    result = "W+0.5" if last == "D4" else "B+24.5"
    assert (referee.outcome.result, referee.outcome.ending) == (result, Ending.MOVE_LIMIT)


def test_two_passes_at_the_move_limit_end_the_game_once():
    referee = play(Rules(size=5, max_moves=2), "b pass, w pass")
    assert referee.outcome is not None
    assert referee.outcome.ending is Ending.SCORE
    for colour in Colour:
        assert sum(isinstance(m, Ended) for m in referee.view(colour).events) == 1


def test_a_pass_lifts_a_ko_even_out_of_turn():
    """A controller may play two moves of one colour in a row."""
    ko = "b C1, w D1, b B2, w E2, b C3, w D3, w C2, b D2"
    retake = parse_move("C2", 5)
    refused = play(Rules.profile("hamburg", size=5), ko).attempt(WHITE, retake)
    assert isinstance(refused, Refused)
    assert refused.reason is Reason.KO
    lifted = play(Rules(size=5), f"{ko}, w pass").attempt(WHITE, retake)
    assert isinstance(lifted, Accepted)


@pytest.mark.parametrize("ko", ["simple", "positional"])
def test_a_twin_continues_on_its_own(ko):
    rules = Rules(size=5, ko=ko)
    referee = play(rules, "b C3, w D4")
    board, log = referee.board, list(referee.log)
    views = [referee.view(colour) for colour in Colour]
    twin = referee.copy()
    twin.set_komi(0.5)
    for colour, text in ((BLACK, "E5"), (WHITE, "E5"), (WHITE, "pass")):
        twin.attempt(colour, parse_move(text, 5))
    whole = play(rules, "b C3, w D4, b E5, w E5, w pass")
    assert (twin.board, twin.log) == (whole.board, whole.log)
    assert referee.board == board
    assert list(referee.log) == log
    assert [referee.view(colour) for colour in Colour] == views
    # What the twin played is no repetition here.
    assert referee.attempt(BLACK, parse_move("E5", 5)) == Accepted(24)


def test_komi_may_change_openly_in_the_middle_of_a_game():
    referee = play(Rules(size=5, komi=7.5), "b C3")
    referee.set_komi(24.5)
    assert [referee.view(colour).rules.komi for colour in Colour] == [24.5, 24.5]
    for colour in (WHITE, BLACK):
        referee.attempt(colour, PASS)
    assert referee.outcome is not None
    assert referee.outcome.result == "B+0.5"


# White takes A1 in a corner: the capturer and the captured hear what the profile lets them.
CAPTURE = "b A1, w A2, b E5, w B1"


@pytest.mark.parametrize(
    ("told", "answers"),
    [
        ("positions", [Accepted(5, 0, 0), Accepted(1, 1, 1)]),
        # Where no stone was taken, the number says which ones.
        ("count", [Accepted(5, 0, 0), Accepted(1, 1, None)]),
        ("none", [Accepted(5, None, None), Accepted(1, None, None)]),
    ],
)
def test_captures_as_the_rules_tell_them(told, answers):
    referee = play(Rules(size=5, captures_to_capturer=told), CAPTURE)
    assert [m for m in referee.view(WHITE).events if isinstance(m, Accepted)] == answers


@pytest.mark.parametrize(
    ("tries", "notes"),
    [
        ("private", []),
        ("count", [Note("tries", WHITE, 2)]),
        ("public", [Note("tries", WHITE), Note("tries", WHITE)]),
    ],
)
def test_tries_as_the_rules_tell_them(tries, notes):
    referee = play(Rules(size=5, tries=tries), "b C3, w C3, w C3, w D4")
    heard = [m for m in referee.view(BLACK).events if isinstance(m, Note)]
    assert heard == notes
    # A move at the first try is no news.
    referee = play(Rules(size=5, tries=tries), "b C3, w D4")
    assert not any(isinstance(m, Note) for m in referee.view(BLACK).events)


def test_atari_is_announced_to_both_when_new():
    referee = play(Rules(size=5, atari="kind"), "b A1, w A2")
    for colour in Colour:
        assert referee.view(colour).events[-1] == Note("atari", BLACK)
    referee = play(Rules(size=5, atari="kind"), "b A1, w A2, b E5, w C3")
    assert sum(isinstance(m, Note) for m in referee.view(BLACK).events) == 1


def told(referee: Referee, colour: Colour) -> list[str]:
    """What a player was told, as the commands of gtp/README.md, without their prefix."""
    events, size = referee.view(colour).events, referee.rules.size
    return [line(message, colour, size).removeprefix("phantom-") for message in events]


def test_the_order_of_messages():
    """As the page of GTP commands has it."""
    rules = Rules(size=2, atari="kind", tries="count")
    notes = ["note atari b", "note atari w"]
    referee = play(rules, "b A1, w A1, w A2")
    assert told(referee, WHITE)[1:] == ["illegal w A1", "accept w A2 captured 0", *notes]
    assert told(referee, BLACK)[1:] == ["note tries w 1", "opponent w move captured 0", *notes]


@pytest.mark.parametrize(
    ("tries", "first", "then"),
    [
        ("private", [], []),
        ("count", [], ["note tries w 2"]),
        ("public", ["note tries w 1", "note tries w 1"], []),
    ],
)
def test_the_messages_when_tries_run_out(tries, first, then):
    refused = ["opponent b move captured 0", "illegal w A1", "illegal w A1"]
    referee = play(Rules(size=2, max_tries=2, tries=tries), "b A1, w A1, w A1")
    assert told(referee, WHITE) == [*refused, "accept w pass captured 0"]
    assert told(referee, BLACK)[1:] == [*first, *then, "opponent w pass captured 0"]
    referee = play(Rules(size=2, max_tries=2, on_max_tries="lose", tries=tries), "b A1, w A1, w A1")
    assert told(referee, WHITE) == [*refused, "game_over B+F"]
    assert told(referee, BLACK)[1:] == [*first, "game_over B+F"]


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_superko_lets_no_position_come_again(ko):
    beyond_simple_ko = 0
    for seed in range(60):
        referee, seen = Referee(Rules(size=2, ko=ko, max_moves=60)), set()
        for colour, move, answer in random_attempts(referee, seed):
            board = referee.board
            position = (board.black, board.white, colour if ko == "situational" else None)
            if isinstance(answer, Accepted) and move != PASS:
                assert position not in seen
                seen.add(position)
            elif referee.log[-1].reason is Reason.KO:
                beyond_simple_ko += (move, colour) != (board.ko, board.ko_colour)
    assert beyond_simple_ko > 0


@pytest.mark.parametrize(("ko", "repeats"), [("simple", 1), ("situational", 1), ("positional", 0)])
def test_where_a_position_may_come_again(ko, repeats):
    """Under situational superko, with the other player to move."""
    found = 0
    for seed in range(60):
        referee, seen = Referee(Rules(size=2, ko=ko, max_moves=60)), set()
        for _, move, answer in random_attempts(referee, seed):
            if isinstance(answer, Accepted) and move != PASS:
                position = referee.board.black, referee.board.white
                found += position in seen
                seen.add(position)
    assert min(found, 1) == repeats


def test_handicap_gives_white_the_first_move():
    referee = Referee(Rules(size=9), black=point_set([20, 60]))
    assert referee.to_move is WHITE
    assert referee.view(WHITE).located == point_set([20, 60])
