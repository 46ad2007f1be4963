"""Undo, and what leaves the server of a game: SGF and records (dialogues: tests/data/open.gtp)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots import make
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS, WHITE, parse_move, vertex
from phantomgo.game.recording import verify
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.records.record_json import read_record
from phantomgo.rng import Stream
from tests.support.gtp_tools import hosting, run, session

GAME = Game(Rules())

sgf = pytest.importorskip("sgfmill.sgf", reason="sgfmill reads our SGF independently")
INFO = re.compile(r"info move (\S+) visits")


def opened(spec="flatmc:playouts=60"):
    """A game without hidden moves."""
    return session(bot=make(spec, GAME, 3), rules=Rules(size=5, komi=2.5), hide=False)


def test_undo_of_a_bots_open_move():
    server = opened()
    (first,) = run(server, "genmove b")
    assert run(server, "undo", "genmove b") == ["=", first], "the same seed in the same view"
    run(server, "play w E5")
    assert run(server, "undo", "undo", "undo") == ["=", "=", "? cannot undo: no moves"]


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
        assert run(server, "undo") == ["="]
        after, expected = hosting(server).referee, before.pop()
        assert (after.board, after.to_move) == (expected.board, expected.to_move)
        for colour in (BLACK, WHITE):
            assert after.view(colour) == expected.view(colour)
    assert run(server, "undo") == ["? cannot undo: no moves"]


def points(words, size=5):
    return [parse_move(word, size) for word in words.split()]


def printed(text: str) -> list:
    """The moves of a game in SGF."""
    game = sgf.Sgf_game.from_string(text.removeprefix("= "))
    return [node.get_move() for node in game.get_main_sequence()]


def test_a_seat_prints_what_it_knows_and_the_whole_game_after_its_end():
    """Black is ours, White's stones at C4 and D3 are the bot's."""
    server = session({WHITE: points("C4 D3 pass")}, rules=Rules(size=5, komi=0.5), hide=True)
    said = run(server, "play b C3", "genmove w", "play b C4", "play b D4", "genmove w")
    assert said == ["=", "= pass", "? illegal move", "=", "= pass"]
    (text,) = run(server, "printsgf")
    assert [point for colour, point in printed(text) if colour == "b"] == [(2, 2), (3, 3)]
    assert all(point is None for colour, point in printed(text) if colour == "w")
    assert "RE" not in text
    assert run(server, "phantom-record") == ["? game not over"]
    assert run(server, "play b pass", "genmove w")[-1] == "= pass"
    text, line = run(server, "printsgf", "phantom-record")
    assert {("w", (3, 2)), ("w", (2, 3))} <= set(printed(text))
    run(server, "phantom-param bot flatmc:playouts=7")  # for the next game
    assert run(server, "phantom-record")[0] == line
    record = read_record(line.removeprefix("= "))
    assert [record.black.name, record.white.name] == ["controller", "random"]
    assert verify(record).outcome == record.outcome
    assert [step.move for step in record.steps] == points("C3 C4 C4 D4 D3 pass pass")
