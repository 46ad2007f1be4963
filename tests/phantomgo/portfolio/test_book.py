"""Books: written and read back, and refused with the field's name when something is wrong."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phantomgo.errors import BadBook, PhantomGoError
from phantomgo.files import NAME
from phantomgo.identity import Identity
from phantomgo.points import BLACK, WHITE
from phantomgo.portfolio import book as books
from phantomgo.portfolio.book import (
    MAX_BYTES,
    Book,
    Training,
    book_names,
    dumps,
    loads,
    read_book,
    write_book,
)
from phantomgo.portfolio.evaluation import Evaluation, Kept, Owned, Score
from phantomgo.portfolio.movebook import read_moves
from phantomgo.portfolio.packed import read_matrix
from phantomgo.portfolio.setup import Setup
from phantomgo.portfolio.shelf import folder
from phantomgo.portfolio.side import Side, Start
from phantomgo.rng import MAX_SEED, Stream
from phantomgo.rules import PROFILES, Rules
from tests.support.json_texts import changed
from tests.support.places import ROOT
from tests.support.strategies import json_values

BOOK = Book(
    name="nash5",
    setup=Setup(
        Identity("random", "0123456789abcdef", ("01234567",), {"net x": "ab"}),
        Identity("random", "fedcba9876543210"),
        "olympiad",
        Rules(size=5, komi=6.5),
    ),
    black=Side((3, 5, 8), (0.25, 0.5, 0.25), 0.5),
    white=Side((0,), (1.0,), 0.4375),
    games=("89abcdef",),
    training=Training(
        "sparse:alpha=0.5",
        0,
        10,
        10,
        None,
        100,
        51,
        2,
        "ab" * 32,
        {"phantomgo": "0.1.0", "numpy": "2.0"},
    ),
    evaluation=Evaluation(
        10,
        20,
        8,
        (Score(1, 0.625, 0.125, 0.75, 0.5), Score(2, 0.5, 0.25, 0.625, 0.375)),
        (Score(1, 0.5, 0.125, 0.5, 0.5), Score(2, 0.25, 0.25, 0.5, 0.0)),
    ),
)
TEXT = dumps(BOOK)
SCHEMA = json.loads((ROOT / "books" / "schema.json").read_text())


def refusal(text):
    with pytest.raises(BadBook) as caught:
        loads(text)
    return str(caught.value)


def accepted_by_schema(value):
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(value)


def test_a_book_is_read_back():
    beside = replace(BOOK.evaluation, without=BOOK.evaluation.plain, own_seeds=6)
    weighed = replace(BOOK.training, responders=3)
    owned = [
        Owned("flatmc", 2.5, 600, book=Kept(0.5, 0.25)),
        Owned("flatmc", 0.0, 1, Kept(1.0, 0.0), Kept(0.125, 0.5)),
    ]
    variants = [
        replace(BOOK, evaluation=beside),
        replace(BOOK, training=weighed),
        *(replace(BOOK, owned=one) for one in owned),
    ]
    for book in (BOOK, *variants):
        text = dumps(book)
        assert loads(text) == book
        assert dumps(loads(text)) == text
        jsonschema.validate(json.loads(text), SCHEMA)
    assert '"seeds": [3, 5, 8]' in TEXT


def test_a_book_that_is_left_says_after_how_many_moves():
    sides = [replace(side, leave=(6,) * len(side.seeds)) for side in (BOOK.black, BOOK.white)]
    assert BOOK.evaluation is not None
    book = replace(
        BOOK, black=sides[0], white=sides[1], evaluation=replace(BOOK.evaluation, tails=4)
    )
    text = dumps(book)
    assert loads(text) == book
    assert '"leave": [6, 6, 6]' in text
    assert "leave" not in TEXT
    assert accepted_by_schema(json.loads(text))
    assert book.digest != BOOK.digest
    assert (book.left, BOOK.left) == (True, False)
    assert [book.black.line(seed) for seed in (3, 5, 8)] == [((n, 6),) for n in (3, 5, 8)]


LINES = (((5, 2), (9, 4)), ((6, 3),))
START = Start(5, LINES, (0.5, 0.5))


def test_a_book_of_seeds_that_continue_lines():
    """A seed has the line that its number draws, and then decides itself."""
    sides = [
        replace(side, leave=(6,) * len(side.seeds), start=START)
        for side in (BOOK.black, BOOK.white)
    ]
    book = replace(BOOK, black=sides[0], white=sides[1], evaluation=None)
    assert loads(dumps(book)) == book
    assert accepted_by_schema(json.loads(dumps(book)))
    assert len({BOOK.digest, book.digest, replace(book, black=BOOK.black).digest}) == 3
    assert (book.moves, book.starts) == (6, (START, START))
    for seed in sides[0].seeds:
        assert sides[0].line(seed) == (*START.line(seed), (seed, 6))
    assert [START.line(seed) for seed in range(5)] == [()] * 5
    drawn = Counter(START.line(seed) for seed in range(5, 1000))
    assert drawn.keys() == set(LINES)
    assert min(drawn.values()) > 440
    assert sides[1].begun(40) == Start(40, (((0, 6),),), (1.0,))
    white = replace(book, black=Side((0,), (1.0,), 0.5, leave=(0,)))
    assert (white.colours, white.starts) == ([WHITE], (None, START))
    assert loads(dumps(white)) == white


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("black.start", None, "start: is missing for one of the colours"),
        ("black.leave", [6, 4, 6], "black.leave: is not after the moves that the lines of start"),
        ("black.start.lines", [], "black.start.probabilities: has 2 numbers for 0 lines"),
        ("black.start.lines", 7, "black.start.lines: 7 is not a list"),
        ("black.start.probabilities", [1, 0], "black.start.probabilities: has a number that is"),
        ("black.start.probabilities", [0.3, 0.3], "black.start.probabilities: sums to 0.6"),
        ("black.start.lines.0.seeds", [1], "black.start.lines[0].leave: has 2 numbers for 1"),
        ("black.start.lines.0.seeds", [1, -1], "black.start.lines[0].seeds: -1 is not a whole"),
        ("black.start.lines.0.leave", [4, 2], "black.start.lines[0].leave: is not ascending"),
        ("black.start.lines.0", {"seeds": [], "leave": []}, "black.start.lines[0].leave: has 0"),
        ("black.start.first", -1, "black.start.first: -1 is not a whole number"),
        ("black.start.lines.0.extra", 1, "black.start.lines[0]"),
    ],
)
def test_lines_that_are_none(path, value, message):
    sides = [
        replace(side, leave=(6,) * len(side.seeds), start=START)
        for side in (BOOK.black, BOOK.white)
    ]
    fields = replace(BOOK, black=sides[0], white=sides[1], evaluation=None).as_dict()
    fields = json.loads(json.dumps(fields))
    *above, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inner = reduce(lambda found, key: found[key], above, fields)
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    with pytest.raises(BadBook, match=re.escape(message)):
        loads(json.dumps(fields))


def test_the_schema_itself_is_good():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["rules"]["enum"] == list(PROFILES)
    assert SCHEMA["properties"]["name"]["pattern"] == f"^{NAME.pattern}$"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", 1, "format: 1 is not 3"),
        ("name", "../nash5", "name: '../nash5' does not match [A-Za-z0-9][A-Za-z0-9_.-]{0,63}"),
        ("name", ..., "name: is missing"),
        ("size", 20, "size: 20 is not a whole number from 2 to 19"),
        ("size", 5.0, "size: 5.0 is not a whole number from 2 to 19"),
        ("size", True, "size: True is not a whole number from 2 to 19"),
        ("size", 10**30, "size: a huge number is not a whole number from 2 to 19"),
        ("komi", "6.5", "komi: '6.5' is not a number from -1000 to 1000"),
        ("komi", 1001, "komi: 1001 is not a number from -1000 to 1000"),
        ("rules", "chess", f"rules: 'chess' is not one of {', '.join(PROFILES)}"),
        ("game", "go", "size: is not a field of a book"),
        ("game", "Go", "game: 'Go' does not match [a-z]+(:[ -~]{1,100})?"),
        ("author", "x", "author: is not a field of a book"),
        ("black", [], "black: a list is not an object"),
        ("players.black.name", "", "players.black.name: has 0 characters, not 1 to 4000"),
        ("players.black.name", "\t", r"players.black.name: '\t' is not text in printable ASCII"),
        (
            "players.white.fingerprint",
            "xyz",
            "players.white.fingerprint: 'xyz' does not match [0-9a-f]{16}",
        ),
        ("players.black.games", ["x"], "players.black.games: 'x' is not 8 hexadecimal digits"),
        (
            "players.black.data",
            {"net": 3},
            "players.black.data.net: 3 is not text in printable ASCII",
        ),
        ("players.grey", {}, "players.grey: is not a field of a book"),
        ("games", ["0" * 8] * 101, "games: has 101 entries, more than 100"),
        ("games", ["0" * 9], "games: has 9 characters, more than 8"),
        ("black.seeds", [], "black.seeds: is empty"),
        ("black.seeds", 3, "black.seeds: 3 is not a list"),
        ("black.seeds", [3, 3, 8], "black.seeds: is not ascending without repetition"),
        ("black.seeds", [-1, 3, 8], f"black.seeds: -1 is not a whole number from 0 to {2**63 - 1}"),
        ("black.seeds", [3, 5, 10], "black.seeds: 10 is not below training.seeds, 10"),
        ("black.probabilities", [0.5, 0.5], "black.probabilities: has 2 numbers for 3 seeds"),
        (
            "black.probabilities",
            [0.5, -0.5, 1],
            "black.probabilities: -0.5 is not a number from 0 to 1",
        ),
        (
            "black.probabilities",
            [0.5, 0.5, 0],
            "black.probabilities: has a number that is not above 0",
        ),
        ("black.probabilities", [0.5, 0.25, 0.125], "black.probabilities: sums to 0.875, not to 1"),
        ("white.value", 1.5, "white.value: 1.5 is not a number from 0 to 1"),
        ("white.value", ..., "white.value: is missing"),
        ("white.leave", [128], "white.leave: 128 is not a whole number from 0 to 127"),
        ("black.leave", [6], "black.leave: has 1 numbers for 3 seeds"),
        ("white.leave", [], "white.leave: has 0 numbers for 1 seeds"),
        ("evaluation.tails", 1, "evaluation.tails: 1 is not a whole number from 2 to 1000"),
        ("white.luck", 1, "white.luck: is not a field of a book"),
        ("training.games", 101, "training.games: 101 is not the 100 of this matrix"),
        ("training.opponent_seeds", 11, "training.opponent_seeds: 11 is more than seeds, 10"),
        (
            "training.draws",
            50,
            "training.draws: 50 and 51 black_wins are more than the games",
        ),
        ("training.matrix", "ab", "training.matrix: 'ab' does not match [0-9a-f]{64}"),
        ("training.versions", "1", "training.versions: '1' is not an object"),
        ("training.versions.numpy", 2, "training.versions.numpy: 2 is not text in printable ASCII"),
        (
            "training.responders",
            0,
            f"training.responders: 0 is not a whole number from 1 to {MAX_SEED}",
        ),
        ("evaluation", ..., "evaluation: is missing"),
        ("evaluation", 0, "evaluation: 0 is not an object"),
        (
            "evaluation.first_seed",
            9,
            "evaluation.first_seed: 9 is below 10: those seeds were learned on",
        ),
        (
            "evaluation.plain",
            [{"exploiter": 21, "rate": 0, "error": 0, "black": 0, "white": 0}],
            "evaluation.plain[0].exploiter: 21 is not a whole number from 1 to 20",
        ),
        (
            "evaluation.symmetries",
            9,
            "evaluation.symmetries: 9 is not a whole number from 0 to 8",
        ),
        (
            "training.survivors",
            4,
            "training.games: 100 is not the 80 of this matrix",
        ),
    ],
)
def test_what_is_wrong_is_named(path, value, message):
    assert refusal(changed(TEXT, path, value)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value in line 1, column 1"),
        ("{", "not JSON: Expecting property name enclosed in double quotes in line 1, column 2"),
        ("[]", "the book: a list is not an object"),
        ("{}", "format: is missing"),
        ('{"size": NaN}', "not JSON: NaN is not a number"),
        ('{"size": -Infinity}', "not JSON: -Infinity is not a number"),
        ('{"size": 1, "size": 2}', "size: is given twice"),
        ("[" * 100_000, "not a book: nested too deeply"),
        ("9" * 5000, "not JSON: Exceeds the limit (4300 digits) for integer string conversio"),
        (" " * (MAX_BYTES + 1), f"longer than {MAX_BYTES} characters"),
        (TEXT.replace("6.5", "1e999"), "komi: inf is not a number from -1000 to 1000"),
    ],
    ids=range(11),
)
def test_what_is_no_book_is_refused(text, message):
    assert refusal(text) == message


def test_every_truncation_is_refused():
    for length in range(0, len(TEXT.rstrip()), 29):
        refusal(TEXT[:length])


MEASURED = dumps(replace(BOOK, owned=Owned("flatmc", 2.5, 600, Kept(0.5, 0.25), Kept(0.5, 0.0))))
LEAVES = [
    *json.loads(MEASURED),
    *(
        f"{part}.{key}"
        for part in ("black", "training", "evaluation", "owned")
        for key in json.loads(MEASURED)[part]
    ),
    "owned.book.black",
]


@given(st.sampled_from(LEAVES), json_values)
@settings(max_examples=200)
def test_fuzzed_books_never_crash_and_the_schema_agrees(path, value):
    text = changed(MEASURED, path, value)
    try:
        book = loads(text)
    except BadBook as error:
        refused = str(error)
    else:
        assert loads(dumps(book)) == book
        assert accepted_by_schema(json.loads(text))
        return
    # The field, or one that does not agree with it any more.
    named = (path.split(".")[0], "not JSON", "those seeds were learned on")
    assert any(words in refused for words in named)


@given(st.text(max_size=60) | st.builds(json.dumps, json_values))
@settings(max_examples=100)
def test_fuzzed_text_never_crashes(text):
    refusal(text)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40).filter(lambda weights: sum(weights) > 0))
def test_distributions_become_sides(weights):
    total = math.fsum(weights)
    side = Side.of(range(len(weights)), [w / total for w in weights], 0.5)
    assert math.fsum(side.probabilities) == pytest.approx(1, abs=1e-11)
    for seed, probability in zip(side.seeds, side.probabilities, strict=True):
        assert probability == pytest.approx(weights[seed] / total, abs=1e-10)
        assert probability > 0


def test_draws_follow_the_probabilities():
    side = BOOK.black
    drawn = [side.draw(Stream(key)) for key in range(4000)]
    assert set(drawn) == set(side.seeds)
    for seed, probability in zip(side.seeds, side.probabilities, strict=True):
        assert drawn.count(seed) / 4000 == pytest.approx(probability, abs=0.03)


def test_it_knows_its_rules_and_sides():
    assert BOOK.player(WHITE) == "random"
    assert BOOK.side(BLACK) is BOOK.black
    assert BOOK.side(WHITE) is BOOK.white


def test_files(tmp_path, monkeypatch):
    path = tmp_path / "nash5.json"
    write_book(BOOK, path)
    assert path.read_text() == TEXT
    assert [entry.name for entry in tmp_path.iterdir()] == ["nash5.json"]
    assert read_book(str(path)) == read_book(path) == BOOK
    write_book(BOOK, str(path))
    with pytest.raises(BadBook, match=r"book nash5 is written to nash5\.json, not .*other\.json"):
        write_book(BOOK, tmp_path / "other.json")
    assert [entry.name for entry in tmp_path.iterdir()] == ["nash5.json"]
    monkeypatch.setattr(books.SHELF, "place", lambda: tmp_path)
    (tmp_path / "schema.json").write_text("{}")
    assert book_names() == ["nash5"]
    assert read_book("nash5") == BOOK
    monkeypatch.setattr(books.SHELF, "place", lambda: tmp_path / "nothing")
    assert book_names() == []


def test_a_write_that_fails_leaves_the_old_book(tmp_path, monkeypatch):
    path = tmp_path / "nash5.json"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space")))
    with pytest.raises(BadBook, match=r"nash5\.json cannot be written: No space"):
        write_book(BOOK, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["nash5.json"]


def test_files_that_are_no_books(tmp_path, monkeypatch):
    monkeypatch.setattr(books.SHELF, "place", lambda: tmp_path)
    path = tmp_path / "other.json"

    def message(name):
        with pytest.raises(BadBook) as caught:
            read_book(name)
        return str(caught.value).replace(str(tmp_path), "DIR")

    assert message("nope") == "there is no book nope; shipped: none"
    assert message(str(path)) == "there is no book DIR/other.json; shipped: none"
    assert message("a b") == "'a b' is neither the name of a book nor a .json file"
    assert message("..") == "'..' is neither the name of a book nor a .json file"
    path.write_text(TEXT)
    assert message("other") == "book other: name 'nash5' is not the file's, 'other'"
    path.write_bytes(b"\xff\xfe")
    assert message("other") == "book other is not UTF-8 text"
    path.write_text("{}")
    assert message("other") == "book other: format: is missing"


@pytest.mark.parametrize("read", [read_book, read_moves, read_matrix])
def test_files_of_another_kind(read):
    """Books of moves have a lower format than those of seeds, so "format: 1 is not 3" misled."""
    files = {"nash5": "book", "moves/hand5": "book of moves", "matrices/flat5": "matrix"}
    ours = read.__self__.kind.noun
    for name, noun in files.items():
        path = str(folder() / f"{name}.json")
        if noun == ours:
            assert read(path).name == Path(path).stem
        else:
            with pytest.raises(PhantomGoError, match=rf"{path}: it is a {noun}, not a {ours}$"):
                read(path)


def test_the_books_that_come_along_are_good():
    for name in book_names():
        jsonschema.validate(json.loads((folder() / f"{name}.json").read_text()), SCHEMA)
        assert read_book(name).name == name
