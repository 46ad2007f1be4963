"""Games exported by the server: a seat's view at any time, the whole game after its end."""

import pytest

from bots import make
from phantomgo.points import BLACK, PASS, WHITE, parse_move
from phantomgo.record import verify
from phantomgo.record_json import read_record
from phantomgo.rules import Rules
from tests.support.gtp_tools import run, session

sgf = pytest.importorskip("sgfmill.sgf", reason="sgfmill reads our SGF independently")


def moves(words, size=5):
    return [parse_move(word, size) for word in words.split()]


def hidden_game():
    """Black is ours, White's stones at C4 and D3 are the bot's."""
    server = session({WHITE: moves("C4 D3 pass")}, rules=Rules(size=5, komi=0.5), hide=True)
    said = run(server, "play b C3", "genmove w", "play b C4", "play b D4", "genmove w")
    assert said == ["=", "= pass", "? illegal move", "=", "= pass"]
    return server


def test_before_the_end_a_seat_prints_what_it_knows():
    server = hidden_game()
    text = run(server, "printsgf")[0].removeprefix("= ")
    game = sgf.Sgf_game.from_string(text)
    played = [node.get_move() for node in game.get_main_sequence()]
    assert [point for colour, point in played if colour == "b"] == [(2, 2), (3, 3)]
    assert all(point is None for colour, point in played if colour == "w")
    assert "RE" not in text
    assert run(server, "phantom-record") == ["? game not over"]


def test_after_the_end_the_whole_game_leaves_the_server():
    server = hidden_game()
    assert run(server, "play b pass", "genmove w")[-1] == "= pass"
    text, line = (said.removeprefix("= ") for said in run(server, "printsgf", "phantom-record"))
    record = read_record(line)
    assert verify(record).outcome == record.outcome
    assert [step.move for step in record.steps] == moves("C3 C4 C4 D4 D3 pass pass")
    played = [node.get_move() for node in sgf.Sgf_game.from_string(text).get_main_sequence()]
    assert ("w", (3, 2)) in played
    assert ("w", (2, 3)) in played


@pytest.mark.parametrize("moves", ["b C3,b D3,w pass,b pass", "b C3,b pass,w pass"])
def test_a_game_that_no_record_can_hold_is_refused(moves):
    server = session(rules=Rules(size=5, komi=0.5))
    run(server, *(f"play {move}" for move in moves.split(",")))
    said = "? no record can hold this game: it began from a file, or out of turn"
    assert run(server, "printsgf", "phantom-record") == [said, said]


def test_is_legal_says_what_the_asker_can_know():
    server = hidden_game()
    said = run(server, "is_legal b C3", "is_legal b pass", "is_legal b A1", "is_legal w A1")
    assert said == ["= 0", "= 1", "? not known before an attempt", "? not your seat"]
    run(server, "play b D3")  # where a stone is hidden
    assert run(server, "is_legal b D3") == ["= 0"]


def test_is_legal_where_nothing_is_hidden():
    server = session({BLACK: [PASS]}, rules=Rules(size=5, komi=0.5), hide=False)
    run(server, "play b C3", "play w A1")
    said = run(server, "is_legal b A1", "is_legal b A2", "is_legal w pass", "is_legal b Z9")
    assert said == ["= 0", "= 1", "= 1", "? syntax error"]
    assert run(server, "is_legal b A2") == ["= 1"], "asking changes nothing"


def test_a_player_prints_its_view():
    server = session(bot=make("random", 1), rules=Rules(size=5, komi=0.5))
    run(server, "phantom-seat w", "boardsize 5", "phantom-opponent w moved")
    assert "What White was told." in run(server, "printsgf")[0]
    assert run(server, "phantom-record") == ["? game not over"]


def test_komi_and_seed_by_the_names_of_gnu_go():
    server = session(bot="random")
    answers = run(server, "komi 3.5", "get_komi", "set_random_seed 7", "phantom-param seed")
    assert answers == ["=", "= 3.5", "=", "= 7"]
    (said,) = run(server, "set_random_seed x")
    assert said.startswith("? seed is random or a number from 0 to")
