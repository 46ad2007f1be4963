"""Commands for open games, undo and genmove with analysis, and KataGo's rules."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import make
from phantomgo.points import BLACK, PASS, WHITE, parse_move, vertex
from phantomgo.referee import Referee
from phantomgo.rng import Stream
from phantomgo.rules import Rules
from tests.support.gtp_tools import hosting, run, session

INFO = re.compile(r"info move (\S+) visits")


def opened(spec="flatmc:playouts=60", **settings_):
    """A game without hidden moves."""
    return session(bot=make(spec, 3), rules=Rules(size=5, komi=2.5), hide=False, **settings_)


def test_undo_between_two_hands():
    server = session({}, rules=Rules(size=5))
    assert run(server, "undo") == ["? cannot undo: no moves"]
    run(server, "play b C3", "play w D4", "play b D4", "play b B3")
    assert hosting(server).referee.view(WHITE).turn == 1
    assert run(server, "undo", "undo") == ["=", "="]
    referee = hosting(server).referee
    assert [move for _, move, _ in referee.log] == [parse_move("C3", 5)]
    assert referee.to_move is WHITE
    assert run(server, "play w C3", "play w E5", "undo", "undo", "undo")[-1] == (
        "? cannot undo: no moves"
    )
    assert run(server, "play b A1", "play w B1") == ["=", "="]


def test_undo_of_a_bots_open_move():
    server = opened()
    (first,) = run(server, "genmove b")
    assert run(server, "undo", "genmove b") == ["=", first], "the same seed in the same view"
    run(server, "play w E5")
    assert run(server, "undo", "undo", "undo") == ["=", "=", "? cannot undo: no moves"]


def test_undo_says_why_not():
    server = session({WHITE: [parse_move("C4", 5)]}, rules=Rules(size=5))
    run(server, "play b C3", "genmove w")
    assert run(server, "undo") == ["? cannot undo: the bot's seat is hidden"]
    assert run(server, "known_command undo", "phantom-seat b", "undo")[::2] == [
        "= false",
        "? not in this role: phantom-seat none first",
    ]
    over = opened("random")
    run(over, "genmove b", "play w pass", "play b pass")
    while hosting(over).referee.outcome is None:
        run(over, "play w pass", "play b pass")
    assert run(over, "undo") == ["? cannot undo: game over"]
    hands = session({}, rules=Rules(size=5))
    run(hands, "play b pass", "play w pass")
    assert run(hands, "undo", "play w A1") == ["=", "="], "nobody was told the end"


def test_komi_stays_as_it_was_set():
    server = session({}, rules=Rules(size=5))
    run(server, "play b C3", "komi 0.5", "play w pass", "undo", "play w pass", "play b pass")
    assert run(server, "final_score") == ["= B+24.5"]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_undo_leads_back_to_each_position(seed):
    stream, server = Stream(seed), session({}, rules=Rules(size=4, ko="positional"))
    before: list[Referee] = []
    for _ in range(30):
        referee = hosting(server).referee
        side = referee.to_move
        where = PASS if stream.below(15) == 0 else stream.below(16)
        (answer,) = run(server, f"play {side.letter} {vertex(where, 4)}")
        if answer == "=":
            before.append(referee)
        if hosting(server).referee.outcome is not None:
            break
    while before:
        (answer,) = run(server, "undo")
        assert answer == "="
        found, expected = hosting(server).referee, before.pop()
        assert (found.board, found.to_move) == (expected.board, expected.to_move)
        for colour in (BLACK, WHITE):
            assert found.view(colour) == expected.view(colour)


@pytest.mark.parametrize("name", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_a_move_and_what_it_came_from(name):
    server, other = opened(), opened()
    (told,) = run(server, f"{name} b 50 maxmoves 3")
    (move,) = run(other, "genmove b")
    *lines, last = told.removeprefix("=").split()
    assert last == move.removeprefix("= ")
    assert " ".join(lines).endswith(" play")
    assert len(INFO.findall(told)) == 3
    assert INFO.findall(told)[0] == last
    assert hosting(server).referee.log == hosting(other).referee.log


def test_allow_and_avoid_are_obeyed():
    server = opened()
    (told,) = run(server, "kata-genmove_analyze b allow b C3,A1,B2 1 avoid b C3 1 avoid w A1 1")
    assert set(INFO.findall(told)) <= {"A1", "B2"}
    assert told.split()[-1] in ("A1", "B2")
    (told,) = run(server, "kata-genmove_analyze w allow w E9 1")
    assert (INFO.findall(told), told.split()[-1]) == ([], "pass")
    analyst = session({}, rules=Rules(size=5), analyst=lambda _: make("flatmc:playouts=60", 0))
    for words, found in (
        ("", 25),
        ("avoid b C3,C4 1", 23),
        ("allow b C3,C4 1", 2),
        ("avoid w C3 1", 25),
    ):
        assert analyst.run(f"kata-analyze b 10 {words}") == "= \n\n"
        assert len(INFO.findall(list(analyst.stream.lines)[-1])) == found


def test_the_first_point_is_avoided_like_any_other():
    def played(words: str) -> set[str]:
        servers = (
            session(bot="flatmc:playouts=8", rules=Rules(size=2), seed=seed, hide=False)
            for seed in range(20)
        )
        return {run(s, f"kata-genmove_analyze b {words}")[0].split()[-1] for s in servers}

    assert "A1" in played("")
    assert played("avoid b A1 1") <= {"A2", "B1", "B2", "pass"}


@pytest.mark.parametrize(
    "words", ["avoid", "avoid b", "avoid b C3", "allow x C3 1", "allow b C3 0"]
)
def test_a_choice_that_is_none(words):
    assert run(opened(), f"kata-analyze b {words}") == ["? syntax error"]


def test_a_hidden_seat_shows_no_analysis():
    server = session({WHITE: [parse_move("C4", 5)]}, rules=Rules(size=5))
    assert run(server, "kata-genmove_analyze w") == ["? cannot analyze: the bot's seat is hidden"]
    assert hosting(server).owners == {}, "nothing was decided"
    run(server, "play b C3", "genmove w")
    assert run(server, "lz-genmove_analyze w") == ["? cannot analyze: the bot's seat is hidden"]


def test_katagos_rules():
    server = session({}, rules=Rules(size=5))
    (told,) = run(server, "kata-get-rules")
    rules = json.loads(told.removeprefix("= "))
    assert (rules["ko"], rules["scoring"], rules["suicide"]) == ("SIMPLE", "AREA", False)
    assert run(server, f"kata-set-rules {json.dumps(rules)}") == ["="]
    assert run(server, 'kata-set-rules {"ko": "SITUATIONAL"}', "kata-set-rule ko POSITIONAL") == [
        "=",
        "=",
    ]
    assert server.settings.rules.ko == "positional"
    assert run(server, "kata-set-rules japanese") == ["? unsupported rules: scoring TERRITORY"]
    assert run(server, "kata-set-rules tromp-taylor") == ["? unsupported rules: suicide true"]
    assert run(server, "kata-set-rules chinese") == ["? unsupported rules: whiteHandicapBonus N"]
    unreadable = ["nonsense", "[1]", "[" * 200_000, '{"ko": "SIMPLE", "ko": "SIMPLE"}', "1" * 5000]
    for text in unreadable:
        assert run(server, f"kata-set-rules {text}") == ["? syntax error"]
    assert run(server, "kata-set-rule nokey 3") == ["? unsupported rules: nokey 3"]
    assert server.settings.rules.ko == "positional", "a failure changes nothing"
    run(server, "play b C3")
    assert run(server, "kata-set-rule ko SIMPLE") == ["? game in progress"]


@pytest.mark.parametrize(
    ("size", "stones", "answer"),
    [
        (2, 1, "? invalid number of stones"),
        (2, 3, "= A1 B2 A2"),
        (2, 4, "? invalid number of stones"),
        (9, 80, "= C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (9, 81, "? invalid number of stones"),
    ],
)
def test_free_handicap_leaves_a_point_empty(size, stones, answer):
    lines = f"boardsize {size}", f"place_free_handicap {stones}"
    assert run(session(), *lines) == ["=", answer]
