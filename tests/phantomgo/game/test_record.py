"""Records: written, read, replayed; hostile text; SGF against sgfmill as an independent reader."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import boards as mill_boards
from sgfmill import sgf as mill

from phantomgo.errors import BadRecord, BadText
from phantomgo.fields import Fields, Kind
from phantomgo.game.beginning import Beginning, Game
from phantomgo.game.board import Board
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.playing import play_game
from phantomgo.game.points import PASS, RESIGN, Colour
from phantomgo.game.record import PlayerInfo, Record
from phantomgo.game.recording import begin, beginning_after, recorded_attempt, replay, verify
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.lab.matches.moves_only import read_game
from phantomgo.records.record_json import read_record, write_record
from phantomgo.records.record_sgf import true_sgf, view_sgf
from phantomgo.records.sgf import read_sgf, viewer_plays
from tests.support.gtp_tools import Scripted
from tests.support.records import game
from tests.support.strategies import profiles, seeds

GAME = Game(Rules())

ENDS = st.sampled_from([None, RESIGN, Ending.CRASH, Ending.TIME, Ending.VOID])
RECORD = game(3, end=Ending.CRASH)


@given(profile=profiles, seed=seeds.filter(lambda s: s < 2**62), size=st.integers(2, 6), end=ENDS)
@settings(max_examples=60)
def test_what_is_written_is_read_and_true(profile, seed, size, end):
    record = game(seed, size, profile, end)
    text = write_record(record)
    assert "\n" not in text
    assert read_record(text) == record
    assert verify(record).outcome == record.outcome


def test_the_lines_of_a_player_are_all_they_were_told():
    record = game(5)
    last = None
    for _, referee in replay(record):
        last = referee
    for colour in Colour:
        told = [text for step in record.steps for text in step.lines(colour)]
        assert len(told) == len(last.view(colour).events)
        assert told[-1] == f"phantom-game_over {record.outcome.result}"


@given(profile=profiles, seed=seeds.filter(lambda s: s < 2**62), data=st.data())
@settings(max_examples=30)
def test_a_game_that_begins_as_another_did_goes_on_as_it_went_on(profile, seed, data):
    record = game(seed, 4, profile)
    stood = sum(step.reason is None for step in record.steps)
    assert sum(map(record.refused, Colour)) == len(record.steps) - stood
    most = len(record.moves) - (record.outcome.ending in (Ending.SCORE, Ending.MOVE_LIMIT))
    moves = data.draw(st.integers(0, most))
    beginning = beginning_after(record, moves)
    assert beginning.as_dict(4) == Beginning.read(fields(beginning.as_dict(4)), 4).as_dict(4)
    referee, steps = begin(record.rules, beginning)
    made = len(beginning.attempts)
    assert steps == [step._replace(seconds=0) for step in record.steps[:made]]
    assert sum(step.reason is None for step in steps) == moves
    for step in record.steps[made:]:
        assert recorded_attempt(referee, step.move, step.seconds) == step
    assert referee.outcome == record.outcome


def fields(values):
    return Fields(values, Kind("book", BadText))


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        (
            ["b A1", "b B1"],
            "attempt 2, Black's B1, is out of turn: by these rules White is to move",
        ),
        (["b A1", "w A1"], "attempt 2, White's A1, is refused by these rules: occupied"),
        (["b off-board"], "attempt 1, Black's off-board, is refused by these rules: off-board"),
        (["b pass", "w pass"], "attempt 2, White's pass, ends the game"),
        (["b resign"], "attempt 1, Black's resign, ends the game"),
    ],
)
def test_what_no_game_begins_with(texts, wrong):
    beginning = Beginning.read(fields({"attempts": texts}), 4)
    with pytest.raises(BadText) as caught:
        begin(Rules(size=4), beginning)
    assert str(caught.value) == wrong


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        (["b Z1"], "attempts: 'Z1' is not a vertex of a 4x4 board"),
        (["A1"], "attempts: 'A1' is not a colour"),
        ("b A1", "attempts: 'b A1' is not a list"),
        (["b A1"] * 10_001, "attempts: has 10001, more than 10000"),
    ],
)
def test_attempts_that_are_none(texts, wrong):
    with pytest.raises(BadText, match=re.escape(wrong)):
        Beginning.read(fields({"attempts": texts}), 4)


def test_takebacks_are_kept():
    record = replace(RECORD, takebacks=1)
    assert '"takebacks":1,' in write_record(record)
    assert read_record(write_record(record)) == record
    assert "takebacks" not in write_record(RECORD)
    for sgf in (true_sgf(record), view_sgf(record, Colour.WHITE)):
        assert "Takebacks: 1" in sgf
    with pytest.raises(BadText, match="takebacks: 0 is not a whole number from 1 to 1000"):
        read_record(changed(put(0, "takebacks")))


def test_handicap_time_and_learned_data_are_kept():
    rules, stones = Rules(size=5), 1 << 6 | 1 << 18
    referee = Referee(rules, black=stones)
    steps = [recorded_attempt(referee, move, 0.5) for move in (0, 6, 1, PASS, PASS)]
    assert referee.outcome is not None
    black = PlayerInfo("a", 7, (("net stones1", "0123"),))
    record = Record(rules, black, PlayerInfo("b"), tuple(steps), referee.outcome, stones, 300)
    text = write_record(record)
    assert '"black":{"name":"a","seed":7,"data":{"net stones1":"0123"}},"white":{"name":"b"' in text
    assert '"handicap":["B2","D4"],"time":300' in text
    assert read_record(text) == record
    assert verify(record).view(Colour.WHITE).located == stones
    for sgf in (true_sgf(record), view_sgf(record, Colour.WHITE)):
        root = mill.Sgf_game.from_string(sgf).get_root()
        assert (root.get("HA"), root.get("TM")) == (2, 300)
        assert root.get("AB") == {(1, 1), (3, 3)}


def changed(change):
    data = json.loads(write_record(RECORD))
    change(data)
    return json.dumps(data)


def put(value, *path):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (put(2, "format"), "format: 2 is not 1"),
        (put(1, "more"), "more: is not a field of a record"),
        (lambda data: data.pop("steps"), "record: steps: is missing"),
        (put([], "rules"), "rules: a list is not an object"),
        (put(99, "rules", "size"), "rules.size: size 99 is not a whole number from"),
        (put("chess", "rules", "ko"), "rules.ko: 'chess' is not one of simple, "),
        (put(1, "rules", "suicide"), "rules.suicide: is not a field"),
        (
            put(-1, "black", "seed"),
            "black.seed: -1 is not a whole number from 0 to 9223372036854775807",
        ),
        (put("x" * 2000, "white", "name"), "white.name: has 2000 characters, more than 1000"),
        (put("Z9", "steps", 0, "move"), "steps[0].move: 'Z9' is not a vertex"),
        (put("green", "steps", 1, "by"), "steps[1].by: 'green' is not a colour"),
        (put("moon", "steps", 0, "reason"), "steps[0].reason: 'moon' is not one of "),
        (put(-1.0, "steps", 0, "seconds"), "seconds: -1 is not a number from 0 to 9.007199255e+15"),
        (
            put(10**400, "steps", 0, "seconds"),
            "steps[0].seconds: 0x1b4ec7f91973ff3cb1ccf26fbc177c38db6e54... is not a number",
        ),
        (put([1], "steps", 0, "black"), "steps[0].black: 1 is not text"),
        (put("draw", "outcome", "winner"), "outcome.winner: 'draw' is not one of b, w"),
        (put("lunch", "outcome", "ending"), "outcome.ending: 'lunch' is not one of"),
        (put(["Z1"], "handicap"), "handicap: 'Z1' is not a vertex"),
        (put(["A1", "A1"], "handicap"), "handicap: 'A1' is named twice"),
        (put(["pass"], "handicap"), "handicap: 'pass' is not a point"),
        (put([], "handicap"), "handicap: leaves the board empty"),
        (put(0, "time"), "time: 0 is not a whole number from 1 to 10000000"),
    ],
)
def test_wrong_fields_are_named(change, error):
    with pytest.raises(BadText) as caught:
        read_record(changed(change))
    assert error in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"format": NaN}', "9" * 9999])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(BadText):
        read_record(text)


def test_a_record_too_long_is_not_looked_at():
    with pytest.raises(BadText, match="at most"):
        read_record(" " * (1 << 24) + "{}")


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(["format", "rules", "black", "white", "steps", "outcome"]), x
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_refused_with_words(value):
    with pytest.raises(BadText):
        read_record(json.dumps(value))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (put("w", "steps", 0, "by"), "is to move"),
        (put("pass", "steps", 0, "move"), "attempt 1"),
        (put("ko", "steps", 0, "reason"), "the record has ko"),
        (lambda d: d["steps"][0]["white"].append("phantom-note atari w"), "White is told"),
        (put("score", "outcome", "ending"), "does not end the game"),
        (put("w" if RECORD.outcome.winner is Colour.BLACK else "b", "outcome", "winner"), "is no"),
        (put(3.5, "outcome", "margin"), "is no"),
    ],
)
def test_what_is_not_true_is_found(change, error):
    with pytest.raises(BadRecord, match=error):
        verify(read_record(changed(change)))


def test_another_outcome_is_named_as_people_write_it():
    record = game(5)
    other = replace(record.outcome, winner=None, sentence="two\nlines")
    with pytest.raises(BadRecord) as caught:
        verify(replace(record, outcome=other))
    ending = record.outcome.ending
    assert str(caught.value) == (
        f"the game ends with {record.outcome.result} ({ending}: {record.outcome.sentence}),"
        f" the record has 0 ({ending}: two lines)"
    )


def viewer(text: str) -> mill_boards.Board:
    """The board sgfmill's reader comes to, the way a viewer would."""
    file = mill.Sgf_game.from_string(text)
    board = mill_boards.Board(file.get_size())
    for node in file.get_main_sequence():
        if node.has_setup_stones():
            black, white, empty = node.get_setup_stones()
            assert node.get_move() == (None, None), "stones set up in the node of a move"
            assert board.apply_setup(black, white, empty)
        colour, move = node.get_move()
        if move is not None:
            board.play(*move, colour)
    return board


def stones(board: mill_boards.Board) -> dict[str, int]:
    size = board.side
    found = {"b": 0, "w": 0}
    for colour, (row, column) in board.list_occupied_points():
        found[colour] |= 1 << row * size + column
    return found


@given(profile=profiles, seed=seeds.filter(lambda s: s < 2**62), size=st.integers(2, 6), end=ENDS)
@settings(max_examples=60)
def test_sgf_opens_in_an_independent_reader(profile, seed, size, end):
    record = game(seed, size, profile, end, max_tries=5)
    referee = verify(record)
    text = true_sgf(record)
    root = mill.Sgf_game.from_string(text).get_root()
    assert root.get("RE") == record.outcome.result
    assert root.get("KM") == record.rules.komi
    found = stones(viewer(text))
    assert [found["b"], found["w"]] == [referee.board.black, referee.board.white]
    for colour in Colour:
        found = stones(viewer(view_sgf(record, colour)))
        view = referee.view(colour)
        assert found[colour.letter] == view.own
        assert found[colour.other.letter] == view.located


@given(profile=profiles, seed=seeds.filter(lambda s: s < 2**62), size=st.integers(2, 6), end=ENDS)
@settings(max_examples=30)
def test_our_sgf_is_read_again(profile, seed, size, end):
    """The true game up to its last move; of a view the stones, which loadsgf shows."""
    record = game(seed, size, profile, end)
    referee = verify(record)
    found = read_game(true_sgf(record).encode())
    attempts = [*record.attempts]
    while record.rules.on_max_tries == "count" and attempts and attempts[-1].reason is not None:
        attempts.pop()
    made = [(a.colour, a.move) for a in attempts if 0 <= a.move < size * size]
    assert [(a.colour, a.move) for a in found.attempts if 0 <= a.move < size * size] == made
    assert (found.black.name, found.rules) == (record.black.name, record.rules)
    board = verify(found).board  # passes are added to a game that broke off: a ko is over
    assert (board.black, board.white) == (referee.board.black, referee.board.white)
    for colour in Colour:
        seen = read_sgf(view_sgf(record, colour).encode())
        board = Board(size, seen.black, seen.white)
        for side, move, _ in seen.moves:
            board = viewer_plays(board, side, move)
        view = referee.view(colour)
        assert (board.stones(colour), board.stones(colour.other)) == (view.own, view.located)


def test_an_sgf_to_read():
    """What the conventions look like (a short game, spelled out)."""
    moves = {Colour.BLACK: [4, 0, 1], Colour.WHITE: [4, 1, PASS]}

    script = Scripted(GAME, 0, moves)
    record = play_game(Rules(size=3, komi=0.5), script, script, seeds=(7, 8))
    body = [node for node in true_sgf(record).split("\n")[1:] if node.startswith(";")]
    assert body[:2] == [";B[bb]", ";W[bc]C[refused: B2 (occupied)]PGI[bb]MA[bb]"]
    seen = view_sgf(record, Colour.WHITE)
    assert ";B[]PGH[1]C[Black has moved.]" in seen
    assert ";TR[bb]C[White's move B2 is refused.]AB[bb]" in seen
    with pytest.raises(BadText, match="what one player was told, is not of a whole game"):
        read_game(seen.encode())


def test_a_view_says_once_how_the_game_ended():
    """The referee says so after two passes; who loses on time is not told by a message."""
    ended = game(2)
    stopped = replace(
        ended, steps=ended.steps[:-2], outcome=Outcome(Colour.WHITE, None, Ending.TIME, "too slow")
    )
    for record in (ended, stopped):
        words = f"The game is over: {record.outcome.result}."
        assert view_sgf(record, Colour.WHITE).count(words) == 1


def test_the_times_of_an_sgf_are_what_is_left():
    """As FF[4] defines BL and WL; refused attempts take time too, and no clock leaves nothing."""
    record = game(2)
    assert any(step.reason for step in record.steps)
    steps = tuple(step._replace(seconds=0.25) for step in record.steps)
    text = true_sgf(replace(record, steps=steps, time=300))
    nodes = mill.Sgf_game.from_string(text).get_main_sequence()
    for colour in Colour:
        name = f"{colour.letter.upper()}L"
        left = [node.get(name) for node in nodes if node.has_property(name)]
        assert left == sorted(left, reverse=True)
        assert left[-1] == 300 - 0.25 * sum(step.colour is colour for step in steps)
    late = true_sgf(replace(record, steps=steps, time=1))
    assert "BL[0.000]" in late
    assert "BL[-" not in late
    assert "BL[" not in true_sgf(record)
