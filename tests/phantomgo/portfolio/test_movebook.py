"""Books of moves: read back as written, refused by the field that is wrong, and what is played."""

import copy
import json
import os
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phantomgo.errors import BadBook
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.portfolio.movebook import (
    MoveBook,
    Tried,
    best,
    dumps,
    loads,
    read_any,
    read_moves,
    write_moves,
)
from tests.support.move_books import MOVES
from tests.support.places import ROOT

RULES = Rules.profile("olympiad", size=3, komi=0.5)
BOOK = MOVES
SCHEMA = json.loads((ROOT / "books/moves/schema.json").read_text())


def test_a_pipe_is_no_book(tmp_path):
    os.mkfifo(tmp_path / "p.json")
    with pytest.raises(BadBook, match="there is no book"):
        read_any(f"{tmp_path}/p.json")


def test_it_is_read_back_as_written(tmp_path):
    text = dumps(BOOK)
    assert loads(text) == BOOK
    assert dumps(loads(text)) == text
    jsonschema.validate(json.loads(text), SCHEMA)
    assert '  "": {"pass": [2, 0.5], "B2": [9, 5.0]},\n' in text
    write_moves(BOOK, tmp_path / "moves.json")
    assert read_moves(f"{tmp_path}/moves.json") == read_any(f"{tmp_path}/moves.json") == BOOK


@pytest.mark.parametrize("counts", [[2**53, 2**53], [2**53, 0.5], [2**53 - 1, 2**53 - 1]])
def test_the_largest_counts_are_read_back_as_written(counts):
    data = json.loads(dumps(BOOK))
    data["black"][""]["B2"] = counts
    book = loads(json.dumps(data))
    assert json.loads(dumps(book))["black"][""]["B2"] == counts
    assert loads(dumps(book)) == book


WRONG = [
    (("kind",), "seeds", "kind: 'seeds' is not one of moves"),
    (("growth", "threshold"), 2, "growth.threshold: 2 is not a number from 0 to 1"),
    (("growth", "black_wins"), 11, "growth.black_wins: 11 is more than games, 10"),
    (("growth", "start"), "x", "growth.start: 'x' does not match"),
    (("black", ""), {"B2": [0, 0]}, r"black..B2: is not \[games, won\]"),
    (("black", ""), {"B2": [3, 4]}, r"black..B2: is not \[games, won\]"),
    (("black", ""), {"B2": [2**63 - 1, 0]}, "black..B2: 9223372036854775807 is not a number from"),
    (("black", ""), {"B2": [2**53 + 1, 0]}, "black..B2: 9007199254740993 is not a number from"),
    (("black", ""), {"J9": [3, 2]}, "black..J9: "),
    (("black", "B2\n"), {}, "is not a name in printable ASCII of up to 4000 characters"),
    (("growth", "depth"), 0, "growth.depth: 0 is not a whole number from 1 to 361"),
    (("more",), 1, "more: is not a field of a book of moves"),
]


@pytest.mark.parametrize(("path", "value", "said"), WRONG)
def test_what_is_wrong_is_named(path, value, said):
    data = copy.deepcopy(json.loads(dumps(BOOK)))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(BadBook, match=said):
        loads(json.dumps(data))


@given(st.dictionaries(st.integers(-1, 8), st.tuples(st.integers(1, 9), st.integers(0, 9))))
def test_the_move_of_the_highest_share_above_the_threshold(counts):
    moves = {move: Tried(n, min(n, won)) for move, (n, won) in counts.items()}
    for threshold in (0.1, 0.5):
        found = best(moves, threshold)
        good = {move for move, tried in moves.items() if tried.won / tried.games > threshold}
        assert (found is None) == (not good)
        if found is not None:
            assert found in good
            assert all(moves[found].win_rate >= moves[move].win_rate for move in good)


def test_the_most_frequent_move_of_won_games():
    moves = {3: Tried(2, 2.0), 7: Tried(9, 5.0), 1: Tried(8, 5.0)}
    book = replace(BOOK, black={"": moves})
    assert book.move(BLACK, "") == 3
    often = replace(book, growth=replace(book.growth, usage="wins"))
    assert (often.move(BLACK, ""), often.move(BLACK, "no")) == (1, None)
    assert loads(dumps(often)) == often
    assert often.digest != book.digest


def test_another_book_has_another_digest():
    for part in ("black", "white"):
        other = MoveBook(**{**{f: getattr(BOOK, f) for f in BOOK.__slots__}, part: {}})
        assert other.digest != BOOK.digest
